/** What is wrong with a command line that the parser refuses, in the words and the form of all other errors. */
import type { Command, CommanderError } from 'commander'
import { namesIn, shortcuts } from '../../input/shortcuts.ts'
import { nearest } from '../../output/rows/nearest.ts'
import { type UsageProblem, usageProblem } from '../../output/usage.ts'

/** The parser's error with the nearest name or an example of the command. `said`: what the parser has printed. */
export function parserProblem(
  program: Command,
  words: readonly string[],
  { error, said }: { readonly error: CommanderError; readonly said: readonly string[] },
): UsageProblem {
  const { code, message } = error
  if (code === 'commander.help') {
    const [usage = ''] = said.join('\n').split('\n')
    return usageProblem('A command is missing.', `${usage}. See --help.`)
  }
  const names = namesIn(words).map(({ word }) => word)
  const [text = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const near = hints.map((hint) => hint.replace(/^\((.*)\)$/, '$1')).join(' ')
  const hint =
    code === 'commander.unknownCommand'
      ? nearestVerb(text, program, names[0] ?? '')
      : code === 'commander.missingArgument'
        ? exampleOf(commandOf(program, names))
        : undefined
  return usageProblem(sentenceOf(code, text), hint ?? (near || 'See --help.'))
}

/** What is missing is named as by commands that look for it themselves. */
function sentenceOf(code: string, text: string): string {
  const [, name = ''] = /'(.+?)'/.exec(text) ?? []
  const [flag = name] = /--[\w-]+/.exec(name) ?? []
  if (code === 'commander.missingArgument') return `Missing <${name}>.`
  if (code === 'commander.missingMandatoryOptionValue') return `Missing ${flag}.`
  if (code === 'commander.optionMissingArgument') return `The value of ${flag} is missing.`
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** Names verbs too where a word at the beginning is unknown: they are no commands of their own. */
function nearestVerb(text: string, program: Command, word: string): string | undefined {
  if (!text.startsWith(`unknown command '${word}'`)) return undefined
  const commands = program.commands.map((one) => one.name())
  const near = nearest(word, [...commands, ...Object.keys(shortcuts)])
  return near.length === 0 ? undefined : `Did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?`
}

function exampleOf(command: Command): string | undefined {
  const [, example] = /^Examples?:\n\s+\$ (.+)$/m.exec(helpOf(command)) ?? []
  return example === undefined ? undefined : `Example: ${example}`
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
