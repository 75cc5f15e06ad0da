/** What can follow the words of a command line: commands, flags, values, and names that the server knows. */
import { type IdKind, kinds } from '@bourse/api/kit/ids.ts'
import { createClient } from '@bourse/sdk/client.ts'
import { readSpan } from '@bourse/text/grammar/spans.ts'
import type { Argument, Command, Option } from 'commander'
import { outline } from '../../generated/outline.ts'
import { nounOf } from '../../input/client-nouns.ts'
import { clientVariables } from '../../input/client-variables.ts'
import type { FieldOption } from '../../input/flags.ts'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { requireSettings } from '../../input/settings.ts'
import { namesIn, shortcuts, withVerbSpelledOut } from '../../input/shortcuts.ts'

/** A word that can follow, and what it is. */
export type Suggestion = { readonly value: string; readonly text: string }

/** What can follow: suggestions, or the files of the shell. */
export type Suggestions = readonly Suggestion[] | 'files'

/** Creates the program with the commands that the words need. */
export type LoadProgram = (context: CommandContext, words: readonly string[]) => Promise<Command>

const namesMax = 200

/** Suggests the last word, which may be empty or incomplete. The other words are complete. */
export async function suggest(
  context: CommandContext,
  words: readonly string[],
  load: LoadProgram,
): Promise<Suggestions> {
  const last = words.at(-1) ?? ''
  const before = withoutHelp(withVerbSpelledOut(words.slice(0, -1)))
  const program = await load(context, before.length === 0 ? ['help'] : before)
  const place = walk(program, before)
  const [, flag = '', typed = ''] = /^(--[a-z-]+)=(.*)$/.exec(last) ?? []
  const asked = flag === '' ? place.open : findOption(place.command, flag)
  if (asked) {
    const values = await valuesOf(context, before, asked)
    if (values === 'files') return values
    const prefix = flag === '' ? '' : `${flag}=`
    return matching(
      values.map(({ value, text }) => ({ value: prefix + value, text })),
      prefix + (flag === '' ? last : typed),
    )
  }
  if (last.startsWith('-')) return matching(flagsOf(place.command), last)
  if (place.command === program && before.every((word) => word.startsWith('-'))) {
    return matching([...outline.map(([value, text]) => ({ value, text })), ...verbs], last)
  }
  if (place.command.commands.length > 0) return place.given > 0 ? [] : matching(commandsOf(place.command), last)
  const argument = argumentAt(place)
  if (!argument) return []
  const values = await argumentsOf(context, before, { argument, command: place.command })
  return values === 'files' ? values : matching(values, last)
}

const verbs = Object.entries(shortcuts).map(([value, words]): Suggestion => {
  return { value, text: `Short for bourse ${words.join(' ')}.` }
})

/** What follows `help` is a command. */
function withoutHelp(words: readonly string[]): readonly string[] {
  const [first] = namesIn(words)
  return first?.word === 'help' ? words.toSpliced(first.at, 1) : words
}

type TypedPlace = {
  readonly command: Command
  /** How many arguments were given. */
  readonly given: number
  /** The option whose value comes next. */
  readonly open: Option | undefined
}

/** Follows words to a command. */
function walk(program: Command, words: readonly string[]): TypedPlace {
  let [command, given] = [program, 0]
  let open: Option | undefined
  for (const word of words) {
    if (open) {
      open = undefined
      continue
    }
    if (word.startsWith('-')) {
      const option = word.includes('=') ? undefined : findOption(command, word)
      // The value of an option such as --wait [state] may be left out, so the next word may be anything.
      open = option?.required ? option : undefined
      continue
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (next) command = next
    else given += 1
  }
  return { command, given, open }
}

/** The argument that comes next. A variadic one takes all further words. */
function argumentAt({ command, given }: TypedPlace): Argument | undefined {
  const { registeredArguments: all } = command
  const last = all.at(-1)
  return all[given] ?? (last?.variadic ? last : undefined)
}

function chainOf(command: Command): Command[] {
  return command.parent ? [command, ...chainOf(command.parent)] : [command]
}

function findOption(command: Command, flag: string): Option | undefined {
  return chainOf(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === flag || short === flag)
}

function flagsOf(command: Command): Suggestion[] {
  const options = chainOf(command).flatMap((one) => one.options)
  const shown = options.filter(({ hidden, long }) => !hidden && long)
  return [...shown.map(({ long, description }) => ({ value: long as string, text: description })), help]
}

const help: Suggestion = { value: '--help', text: 'display help for command' }

function commandsOf({ commands }: Command): Suggestion[] {
  return commands.map((one) => ({ value: one.name(), text: one.summary() || one.description() }))
}

function matching(all: readonly Suggestion[], typed: string): Suggestion[] {
  const unique = new Map(all.filter(({ value }) => value.startsWith(typed)).map((one) => [one.value, one]))
  return [...unique.values()]
}

async function valuesOf(context: CommandContext, words: readonly string[], option: FieldOption): Promise<Suggestions> {
  const { field, argChoices, flags } = option
  const choices = argChoices ?? field?.choices ?? []
  if (choices.length > 0) return choices.map((value) => ({ value, text: '' }))
  const [, placeholder = ''] = /[<[]([a-z-]+)(?:\|@file)?[>\]]$/.exec(flags) ?? []
  if (['file', 'json', 'path', 'directory'].includes(placeholder)) return 'files'
  const kind = field ? field.kind : kindNamed(placeholder)
  return kind ? namesOf(context, words, kind) : []
}

async function argumentsOf(
  context: CommandContext,
  words: readonly string[],
  { argument, command }: { argument: Argument; command: Command },
): Promise<Suggestions> {
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value, text: '' }))
  const name = argument.name()
  if (['file', 'path', 'directory'].includes(name)) return 'files'
  const noun = command.parent?.parent ? command.parent.name() : 'instances'
  const kind = name === 'id' ? kindNamed(noun.replace(/ies$/, 'y').replace(/s$/, '')) : kindNamed(name)
  return kind ? namesOf(context, words, kind) : []
}

function kindNamed(word: string): IdKind | undefined {
  const kind = word.replaceAll('-', '_')
  return Object.hasOwn(kinds, kind) ? (kind as IdKind) : undefined
}

/** The names of the resources of a kind, or their ids. Resources of other workspaces are named with theirs. */
async function namesOf(context: CommandContext, words: readonly string[], kind: IdKind): Promise<Suggestion[]> {
  const { base_url, token } = requireSettings(context.variables, settingsIn(words))
  const timeout = readSpan(
    context.variables.BOURSE_COMPLETION_TIMEOUT || clientVariables.BOURSE_COMPLETION_TIMEOUT.fallback,
    'milliseconds',
  )
  const client = createClient({ baseUrl: base_url, token, ...(timeout ? { timeout } : {}), maxRetries: 0 })
  const list = nounOf(client, kind)?.list
  if (!list) return []
  const [{ data }, { workspace: own }] = await Promise.all([list({ limit: namesMax }), client.account.get()])
  return data.map(({ id, name, alias, state, workspace }) => {
    const plain = name ?? alias
    const isOwn = !workspace || workspace.name === own.name
    const value = plain ? (isOwn ? plain : `${workspace.name}/${plain}`) : id
    return { value, text: [state, plain ? id : ''].filter(Boolean).join(' ') }
  })
}

/** The options of the words that choose the server. */
function settingsIn(words: readonly string[]): GlobalOptions {
  const given = (flag: string) => {
    const at = words.indexOf(flag)
    return at < 0 ? words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : words[at + 1]
  }
  const [baseUrl, profile] = [given('--base-url'), given('--profile')]
  return { ...(baseUrl ? { baseUrl } : {}), ...(profile ? { profile } : {}) }
}
