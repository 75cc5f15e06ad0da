import assert from 'node:assert/strict'
import { confirmations } from '@bourse/api/confirmations.ts'
import type { OperationName } from '@bourse/api/contract.ts'
import type { Command } from 'commander'
import { test } from 'vitest'
import { examplesOf, leavesOf, wordsOf } from '../../test/shown-examples.ts'
import { silentTerminal } from '../../test/silent-terminal.ts'
import { fieldsOf } from '../input/fields.ts'
import { listsWithText, makingCommands } from '../output/empty-lists.ts'
import { endingOf } from '../output/endings.ts'
import { columnsByTitle, launching, presentations } from '../output/presentation.ts'
import { createWholeProgram } from '../program.ts'
import { commandPlace, operations } from './operation-commands.ts'
import { shapeOf } from './operation-run.ts'

const program = await createWholeProgram({ terminal: silentTerminal, variables: {} })

const commands = new Map(leavesOf(program))

test('every operation is a command, named by the rule or explicitly', () => {
  for (const endpoint of operations) {
    const { noun, verb } = commandPlace(endpoint)
    assert.ok(commands.has(`${noun} ${verb}`), endpoint.name)
  }
  const places = operations.map((endpoint) => Object.values(commandPlace(endpoint)).join(' '))
  assert.equal(new Set(places).size, operations.length)
  for (const known of ['firewalls delete', 'instances replace', 'skus list', 'tokens create', 'sandbox advance']) {
    assert.ok(commands.has(known), known)
  }
})

test('an operation that answers with a list shows its rows', () => {
  for (const { name, response } of operations) {
    const { properties = {} } = (response ?? {}) as { properties?: Record<string, unknown> }
    if (properties.data === undefined || name.startsWith('list_')) continue
    assert.equal(presentations[name as OperationName]?.rows?.from, 'data', name)
  }
})

test('every command has a description and an example', () => {
  for (const [path, command] of commands) {
    assert.ok(command.description().length > 10, path)
    const shown = examplesOf(path, command)
    assert.ok(shown.length > 0, path)
    for (const { line } of shown) assert.ok(line.includes(`bourse ${path}`), line)
  }
})

const apiWords =
  /Unix seconds|resource path|Base64|operationId|\babsent\b|`null`|undefined|\b(40[0-9]|422)\b(?! only with| days)/i

test('every flag and argument has a text in the words of the command line', () => {
  const wrong: string[] = []
  const check = (where: string, text: string) => {
    if (!/^\S.{6,}\.$/s.test(text) || apiWords.test(text)) wrong.push(`${where}: ${text}`)
  }
  for (const [path, command] of commands) {
    const isList = operationOf(path)?.name.startsWith('list_') ?? false
    for (const { long, description } of command.options) {
      if (!isList && /^Only rows/.test(description)) wrong.push(`${path} ${long} filters nothing`)
    }
    for (const { long, description } of command.options) check(`${path} ${long}`, description)
    for (const argument of command.registeredArguments) check(`${path} ${argument.name()}`, argument.description)
    check(path, command.description())
  }
  assert.deepEqual(wrong, [])
})

test('flags are short enough for texts that wrap at 80 columns', () => {
  const tooLong = [...commands].flatMap(([path, { options }]) =>
    options.flatMap(({ flags, hidden }) => (hidden || flags.length <= 36 ? [] : [`${path} ${flags}`])),
  )
  assert.deepEqual(tooLong, [])
})

test('every time is described by what can be typed', () => {
  for (const [path, command] of commands) {
    for (const { flags, description } of command.options) {
      if (flags.endsWith('<time>')) assert.match(description, /now|[-+]\d[hd]/, `${path} ${flags}`)
    }
  }
})

test('every example is a command line that the program accepts, with every required flag', async () => {
  for (const [path, command] of commands) {
    const typed: string[] = []
    command.action((...given: unknown[]) => {
      const values = command.processedArgs.map(String)
      typed.push(...Object.keys(command.opts()), ...values)
      assert.ok(given.length > 0)
    })
    for (const { line } of examplesOf(path, command)) {
      const words = wordsOf(line.replace(/^.*\| (?=bourse)|^source <\(/, '').replace(/ >> .*$|\)$| \| source$/, ''))
      assert.equal(words[0], 'bourse', line)
      await program.parseAsync(words.slice(1), { from: 'user' })
      for (const flags of requiredOf(path)) {
        assert.ok(
          flags.some((flag) => given(command, flag)),
          `${line} lacks --${flags.join(' or --')}`,
        )
      }
      for (const option of command.options) command.setOptionValue(option.attributeName(), option.defaultValue)
    }
  }
})

function given(command: Command, flag: string): boolean {
  const attribute = flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return command.opts()[attribute] !== undefined
}

function operationOf(path: string) {
  return operations.find((one) => Object.values(commandPlace(one)).join(' ') === path)
}

/** The flags of each member that every call of a command must give: one for each way to give it. */
function requiredOf(path: string): string[][] {
  const endpoint = operationOf(path)
  if (!endpoint) return []
  const { positional = [], defaulted = {} } = presentations[endpoint.name as OperationName] ?? {}
  return fieldsOf(endpoint.body ?? endpoint.query).flatMap(({ name, flag, required, compound }) =>
    required && ![...positional, ...Object.keys(defaulted)].includes(name)
      ? [[flag, ...(compound?.flags.map((part) => part.name) ?? [])]]
      : [],
  )
}

test('the sentence of every empty list names a command that exists', () => {
  const lists = operations.filter(({ name }) => name.startsWith('list_')).map(({ name }) => name)
  assert.deepEqual(listsWithText.toSorted(), lists.toSorted())
  for (const line of makingCommands) {
    const words = wordsOf(line)
    const path = [...commands.keys()].find((one) => `${line} `.startsWith(`${one} `))
    assert.ok(path, line)
    const known = commands.get(path)?.options.map(({ long }) => long) ?? []
    for (const word of words.filter((one) => one.startsWith('--'))) assert.ok([...known, '--help'].includes(word), line)
  }
})

test('what ends is reported in its own word, and "Deleted" means deleted', () => {
  for (const { name, response, params, method } of operations) {
    const ids = Object.keys(params.properties)
    const line = endingOf(name, ids)
    const ends = response === undefined || method === 'DELETE' || confirmations[name as OperationName] === 'destroys'
    if (ends && !['load_scenario', 'reset_sandbox'].includes(name)) assert.ok(line, name)
    if (line?.includes('eleted')) assert.match(name, /^delete_/)
  }
  assert.equal(endingOf('cancel_order', ['ord_1']), 'Cancelled: ord_1.')
})

test('no flag of an operation has two meanings, or hides a global flag', () => {
  const shared = new Set(program.options.map(({ long }) => long))
  for (const [path, command] of commands) {
    const own = command.options.map(({ long }) => long)
    assert.equal(new Set(own).size, own.length, path)
    for (const long of own) assert.ok(!shared.has(long), `${path} ${long}`)
  }
})

test('every member of an input is a flag, and columns are members of the output', () => {
  for (const endpoint of operations) {
    const { noun, verb } = commandPlace(endpoint)
    const flags = commands.get(`${noun} ${verb}`)?.options.map(({ long }) => long) ?? []
    for (const field of fieldsOf(endpoint.body ?? endpoint.query)) {
      assert.ok(flags.includes(field.shape === 'tags' ? '--tag' : `--${field.flag}`), `${endpoint.name} ${field.name}`)
    }
    const { members, columns } = shapeOf(endpoint)
    for (const column of columns)
      assert.ok(members.includes(column.split('.')[0] as string), `${endpoint.name} ${column}`)
  }
})

test('every table refers only to operations and resources that exist', () => {
  const names = new Set<string>(operations.map(({ name }) => name))
  const said: string[] = [...(Object.keys(presentations) as OperationName[]), ...launching]
  for (const name of said) assert.ok(names.has(name), name)
  type Titled = { title?: string; properties?: { data?: { items?: Titled } } }
  const titles = operations.map(({ response }) => {
    const whole = (response ?? {}) as Titled
    return whole.properties?.data?.items?.title ?? whole.title
  })
  for (const title of Object.keys(columnsByTitle)) assert.ok(titles.includes(title), title)
})
