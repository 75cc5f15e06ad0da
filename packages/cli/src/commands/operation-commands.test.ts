import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationName } from '@bourse/api/contract.ts'
import type { Command } from 'commander'
import { fieldsOf } from '../input/fields.ts'
import { columnsByTitle, launching, presentations } from '../output/presentation.ts'
import { createWholeProgram } from '../program.ts'
import { commandPlace, operations } from './operation-commands.ts'
import { shapeOf } from './operation-run.ts'

const silent = {
  data: () => {},
  raw: () => {},
  note: () => {},
  ask: async () => undefined,
  width: undefined,
  dim: String,
  red: String,
  bidColour: String,
  askColour: String,
}
const program = await createWholeProgram({ terminal: silent, variables: {} })

function leaves(command: Command, path: string[] = []): [string, Command][] {
  const here = [...path, command.name()]
  if (command.commands.length === 0) return [[here.slice(1).join(' '), command]]
  return command.commands.flatMap((inner) => leaves(inner, here))
}

const commands = new Map(leaves(program))

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

test('every command has a description and an example', () => {
  for (const [path, command] of commands) {
    assert.ok(command.description().length > 10, path)
    const parts: string[] = []
    command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp()
    const text = parts.join('')
    assert.match(text, /Examples?:\n {2}\$ bourse/, path)
    assert.ok(text.includes(`bourse ${path}`), path)
  }
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
