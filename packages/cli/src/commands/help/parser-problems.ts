/** What a wrong command line is told besides what the parser says of it. */
import type { Command, CommanderError } from 'commander'
import { namesIn, shortcuts } from '../../input/shortcuts.ts'
import { nearest } from '../../output/rows/nearest.ts'

type ParserError = { readonly error: CommanderError; readonly said: readonly string[] }

/** The texts of the parser, with the verb that an unknown word most likely is, or with an example of the command. */
export function hintedTexts(program: Command, words: readonly string[], { error, said }: ParserError): string[] {
  const names = namesIn(words).map(({ word }) => word)
  if (error.code === 'commander.unknownCommand') return said.map((text) => withVerbs(text, program, names[0] ?? ''))
  if (error.code !== 'commander.missingArgument') return [...said]
  const command = commandOf(program, names)
  const [, example] = /^Examples?:\n\s+\$ (.+)$/m.exec(helpOf(command)) ?? []
  return [...said, ...(example === undefined ? [] : [`(Example: ${example})`])]
}

/** Names verbs too where a word at the beginning is unknown: they are no commands of their own. */
function withVerbs(text: string, program: Command, word: string): string {
  if (!text.startsWith(`error: unknown command '${word}'`)) return text
  const commands = program.commands.map((one) => one.name())
  const near = nearest(word, [...commands, ...Object.keys(shortcuts)])
  const [first = text] = text.split('\n')
  return near.length === 0 ? text : `${first}\n(Did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?)`
}

function commandOf(program: Command, names: readonly string[]): Command {
  let found = program
  for (const name of names) {
    const next = found.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (!next) break
    found = next
  }
  return found
}

/** The whole help of a command, with what is added to it. */
function helpOf(command: Command): string {
  const parts: string[] = []
  command.configureOutput({ writeOut: (part) => void parts.push(part) })
  command.outputHelp()
  return parts.join('')
}
