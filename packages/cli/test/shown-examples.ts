/** The examples in the help of every command, as a shell would split them. */
import type { Command } from 'commander'

/** One example. */
export type Example = {
  /** The words of the command: `orders buy`. */
  readonly path: string
  /** The whole line, from the name of the program on. */
  readonly line: string
}

/** The commands that do something, with their paths. */
export function leavesOf(command: Command, path: readonly string[] = []): [path: string, command: Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]))
}

/** The help of a command. */
export function helpOf(command: Command): string {
  const parts: string[] = []
  command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp()
  return parts.join('')
}

/** The examples of a command. */
export function examplesOf(path: string, command: Command): Example[] {
  const [, shown = ''] = helpOf(command).split(/^Examples?:$/m)
  return [...shown.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => ({ path, line }))
}

/** Splits a line at blanks outside of quotes, without its input file. Throws for what it does not know. */
export function wordsOf(whole: string): string[] {
  const line = whole.replace(/ < [\w.-]+$/, '')
  const words = [...line.matchAll(/(?:'[^']*'|"[^"$`\\]*"|[^\s'"$`\\|;&<>])+/g)].map(([word]) => word)
  if (words.join('').length !== line.replaceAll(/\s+(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/g, '').length) {
    throw new Error(`This is no plain command: ${line}`)
  }
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single = '', double = '') => single + double))
}
