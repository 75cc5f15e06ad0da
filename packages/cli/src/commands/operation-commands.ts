/** Adds one command for each operation of the contract, in groups by noun. */
import { areas } from '@bourse/api/areas.ts'
import { confirmations } from '@bourse/api/confirmations.ts'
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { Argument, type Command, Option } from 'commander'
import { type Field, fieldsOf } from '../input/fields.ts'
import { addFieldFlags, givenFields, givenOthers } from '../input/flags.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { unknownWord } from '../input/suggestions.ts'
import { readOutputOptions } from '../output/output.ts'
import { launching, nounTexts, type Presentation, presentations } from '../output/presentation.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import { type CommandOperation, helpExamplesOf, moreHelp } from './help/examples.ts'
import { examplesHelp } from './help/examples-help.ts'
import { argumentText, flagText, negativeText, parameterText } from './help/field-texts.ts'
import { describeOperation, titleText } from './help/operation-texts.ts'
import { commandNameOf, requireShown, runOperation, type TypedArguments } from './operation-run.ts'

/** The noun and verb of a command. */
export type CommandName = { readonly noun: string; readonly verb: string }

/**
 * The operations that are commands: all except those of the process itself, the steps of `bourse login`, and what only
 * a browser can do, which asks an authenticator.
 */
export const operations: readonly Endpoint[] = endpoints.filter(
  ({ area, name }) => !['process', 'device login', 'passkey sign-in'].includes(area) && name !== 'create_user_passkey',
)

/** The noun and verb of an operation on the command line. */
export function commandPlace(endpoint: Endpoint): CommandName {
  const [noun, verb] = presentationOf(endpoint).as ?? []
  const placed = commandNameOf(endpoint)
  return { noun: noun ?? kebab(placed.noun), verb: verb ?? kebab(placed.verb) }
}

/** How the words of the command line name an operation; undefined for one that is no command. */
function commandOf(name: string): string | undefined {
  const endpoint = operations.find((one) => one.name === name)
  return endpoint && `bourse ${Object.values(commandPlace(endpoint)).join(' ')}`
}

/** What a command does, in the words of the command line: its title, and the description of its operation. */
export function helpTextOf(endpoint: Endpoint): string {
  const { says = describeOperation(endpoint, commandOf) } = presentationOf(endpoint)
  return `${titleText(endpoint)} ${says}`.trimEnd()
}

const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm' }

/**
 * Runs another command in place of the operation where its options ask for it; undefined where they do not. Where it
 * resolves with options, the operation runs with these.
 */
export type TakeOver = (
  options: Readonly<Record<string, unknown>>,
) => Promise<OperationOptions | undefined | void> | undefined
type OperationOptions = GlobalOptions & Record<string, unknown>

/** Adds the commands; returns the groups by noun, for hand-written commands. */
export function addOperationCommands(
  program: Command,
  context: CommandContext,
  takeOvers: Partial<Record<OperationName, TakeOver>>,
): Map<string, Command> {
  const groups = new Map<string, Command>()
  for (const endpoint of operations) {
    const { noun, verb } = commandPlace(endpoint)
    const group = groupOf(program, groups, { noun, area: endpoint.area })
    addCommand(group, {
      place: { noun, verb },
      endpoint,
      surroundings: context,
      takeOver: takeOvers[endpoint.name as OperationName],
    })
  }
  return groups
}

/** The group of a noun. One of two words lies in the group of the first. */
function groupOf(
  program: Command,
  groups: Map<string, Command>,
  { noun, area }: { noun: string; area: Endpoint['area'] },
): Command {
  const known = groups.get(noun)
  if (known) return known
  const words = noun.split(' ')
  const last = words.pop() as string
  const parent = words.length === 0 ? program : groupOf(program, groups, { noun: words.join(' '), area })
  const group = parent.command(last).description(nounTexts[noun] ?? areas[area] ?? '')
  groups.set(noun, group)
  return group
}

type CommandPlan = {
  place: CommandName
  endpoint: Endpoint
  surroundings: CommandContext
  takeOver: TakeOver | undefined
}

function addCommand(
  group: Command,
  { place: { noun, verb }, endpoint, surroundings: context, takeOver }: CommandPlan,
): void {
  const { positional = [], defaulted = {}, nulls = {}, words } = presentationOf(endpoint)
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  const command = group.command(verb, { isDefault: words !== undefined }).summary(titleText(endpoint))
  command.description(helpTextOf(endpoint))
  if (endpoint.response === undefined) printsNoRows(command)
  const alias = aliases[verb]
  if (alias) command.alias(alias)
  const params = Object.keys(endpoint.params.properties)
  for (const name of params) command.addArgument(new Argument(`<${name}>`, describeParam(endpoint, name)))
  for (const name of positional) command.addArgument(new Argument(`[${name}]`, describePosition(fields, name)))
  if (words !== undefined) command.addArgument(new Argument(`[${words}...]`, describePosition(fields, words)))
  addFieldFlags(command, endpoint, { text: flagText, negative: negativeText, positional, defaulted })
  for (const { flag, description } of Object.values(nulls)) command.option(`--${flag}`, description)
  addOwnFlags(command, endpoint)
  command.addHelpText('after', examplesHelp(`${noun} ${verb}`, helpExamplesOf(endpoint)))
  const more = moreHelp[endpoint.name as CommandOperation]
  if (more) command.addHelpText('after', `\n${more}`)
  command.action(async (...given: unknown[]) => {
    const typed = command.optsWithGlobals<OperationOptions>()
    // What takes over a read asks the server something first.
    if (takeOver && endpoint.method === 'GET') requireShown(readOutputOptions(typed), endpoint)
    const taken = takeOver?.(typed)
    const options = taken ? await taken : typed
    if (!options) return
    const names = [...params, ...positional]
    const values = Object.fromEntries(names.map((name, index) => [name, given[index] as string | undefined]))
    const flags = givenFields(endpoint, options)
    for (const [name, { flag }] of Object.entries(nulls)) {
      if (options[flag.replace('no-', '')] === false) flags[name] = 'null'
    }
    if (words !== undefined) flags[words] = [flags[words] ?? [], given[names.length] ?? []].flat()
    warnOfUnknown(context, fields, { ...flags, ...values })
    const own = options as Partial<TypedArguments>
    const others = givenOthers(endpoint, options)
    await runOperation(openSession(context, options), endpoint, { ...own, positional: values, flags, others })
  })
}

/** The server refuses an unknown word, or a newer one knows it; most likely it is misspelled. */
function warnOfUnknown(
  { terminal }: CommandContext,
  fields: readonly Field[],
  typed: Readonly<Record<string, unknown>>,
): void {
  for (const { name, choices } of fields) {
    if (choices.length === 0 || typed[name] === undefined) continue
    for (const word of [typed[name]].flat().map(String)) {
      if (word !== 'null' && !choices.includes(word)) {
        terminal.note(unknownWord(`value of ${name.replaceAll('_', ' ')}`, word, choices))
      }
    }
  }
}

function addOwnFlags(command: Command, endpoint: Endpoint): void {
  if (endpoint.name.startsWith('list_') && 'limit' in endpoint.query.properties) {
    command.option('--limit <number>', 'The most rows to show, from any number of pages. Default 50.')
    command.option('--all', 'Show all rows, however many there are.')
  }
  if (endpoint.name.startsWith('list_')) {
    const filter = new Option('--filter <condition>', filterText)
    filter.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    command.addOption(filter)
    if (!('ids' in endpoint.query.properties)) command.option('--ids', 'Show ids in the table in place of names.')
    command.option('--sort <columns>', 'Sort the rows that were read: name,-created_at. With --all: all rows.')
    command.option(
      '--watch',
      'Show the list again when it changes, until you stop it. Without a terminal, print only changes.',
    )
  } else if (endpoint.method === 'GET') {
    command.option('--watch', 'Show it again when it changes, until you stop it.')
  }
  if (endpoint.body) command.option('--body <json|@file>', 'The whole body. Flags override its fields.')
  if (endpoint.idempotent) command.option('--idempotency-key <key>', 'Makes the call safe to repeat, for 7 days.')
  if (confirmations[endpoint.name as OperationName] === 'spends') {
    command.option('--dry-run', 'Only show the plan. Exit code 0: something would be traded, 3: nothing.')
  }
  if (launching.has(endpoint.name)) {
    command.option('--wait [state]', 'Wait until the instance is in this state. Default running.')
    command.option('--timeout <span>', 'How long to wait: 90s, 10m. Default 10m.')
  }
}

const filterText =
  "Only rows that meet a condition: 'state=running', 'created_at>-2h', 'name~train'. Also !=, <, >=, and nested " +
  'columns. Applies to the rows that were read; with --all to all rows. May be repeated.'

function describeParam(endpoint: Endpoint, name: string): string {
  const field = fieldsOf(endpoint.params).find((one) => one.name === name)
  return field === undefined ? '' : parameterText(field)
}

function describePosition(fields: readonly Field[], name: string): string {
  const field = fields.find((one) => one.name === name)
  return field === undefined ? '' : argumentText(field)
}

function presentationOf({ name }: Endpoint): Presentation {
  return presentations[name as OperationName] ?? {}
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
