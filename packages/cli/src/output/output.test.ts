import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { parse } from 'yaml'
import { type Format, formats } from './formats.ts'
import { printList, printObject, readOutputOptions, rowPrinter } from './output.ts'
import type { Terminal } from './terminal.ts'
import { yamlOf } from './yaml-text.ts'

const name = 'pay\u202e\x1b[2Jpal'
const rows = [{ id: name, name, amount: '-0.500000', formula: '=1+1' }]
const shape = { members: ['id', 'name', 'amount', 'formula'], columns: ['id', 'name', 'amount', 'formula'] }

function printed(format: Format, { width, raw = false }: { width?: number; raw?: boolean }): string {
  const out: string[] = []
  const terminal = { data: (text: string) => void out.push(text), note: () => {}, width, dim: String }
  const options = { format, columns: undefined, header: false, raw, toYaml: yamlOf }
  printList(terminal as unknown as Terminal, options, { object: 'list', data: rows, has_more: false }, shape)
  return out.join('\n')
}

test('in no format does a terminal get what others hide in a name', () => {
  for (const format of formats) {
    const text = printed(format, { width: 200 })
    assert.ok(!text.includes('\x1b') && !text.includes('\u202e'), format)
  }
})

test('--raw and other programs get names as they are', () => {
  for (const format of ['csv', 'id'] as const) {
    assert.ok(printed(format, { width: 200, raw: true }).includes(name), format)
    assert.ok(printed(format, {}).includes(name), format)
  }
  assert.equal(JSON.parse(printed('json', { width: 200 })).data[0].name, name)
  assert.ok(printed('jsonl', { raw: true }).includes('\u202e'))
})

test('a cell of a csv is no formula, and an amount stays a number', () => {
  assert.match(printed('csv', {}), /,-0\.500000,'=1\+1$/)
})

test('YAML has the values of JSON, and no text that another version of YAML reads as another type', () => {
  const check = (value: unknown, isRaw: boolean) => {
    const text = `${yamlOf(value, { isRaw })}\n`
    assert.deepEqual(parse(text), value, text)
    assert.deepEqual(parse(text, { version: '1.1', schema: 'yaml-1.1' }), value, text)
  }
  const hard = [
    'no',
    'on',
    '12:30:45',
    '1.500000',
    '~',
    '2026-01-31',
    '0x1f',
    '=',
    '- a',
    'a: b',
    '\u202e',
    '\u{e0041}',
    '\u00a0',
    'a\u2003',
    '\n',
    'a\n\n',
    ' \n',
  ]
  for (const last of hard) check({ all: hard, last }, false)
  const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...hard))
  const values = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.oneof(texts, fc.integer(), fc.boolean()), {
    noNullPrototype: true,
  })
  fc.assert(fc.property(values, fc.boolean(), check))
})

test('rows that are printed one by one keep the widths of their columns', () => {
  const out: string[] = []
  const terminal = { data: (text: string) => void out.push(text), note: () => {}, width: undefined, dim: String }
  const print = rowPrinter(terminal as unknown as Terminal, readOutputOptions({}), {
    members: ['name', 'state'],
    columns: ['name', 'state'],
  })
  for (const one of ['longer', 'a']) print({ name: one, state: 'x' })
  assert.deepEqual(out.join('\n').split('\n'), ['NAME    STATE', 'longer  x', 'a       x'])
})

test('a list that goes on ends with one line: the flag that continues it', () => {
  const [out, notes]: [string[], string[]] = [[], []]
  const terminal = {
    data: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    width: 30,
    dim: String,
  }
  const list = { object: 'list', data: [{ name: 'a' }], has_more: true, cursor: 'frwlc_1' } as const
  const names = { members: ['name'], columns: ['name'] }
  printList(terminal as unknown as Terminal, readOutputOptions({}), list, names)
  printList(terminal as unknown as Terminal, readOutputOptions({}), { ...list, more_flag: 'ending-before' }, names)
  assert.deepEqual(notes, ['more: --starting-after frwlc_1', 'more: --ending-before frwlc_1'])
  printList(terminal as unknown as Terminal, readOutputOptions({ json: true }), { ...list, more_flag: 'x' }, names)
  assert.deepEqual(JSON.parse(out.at(-1) as string), list)
})

test('a terminal that is too narrow for a table gets a record for each row, with all of it', () => {
  const out: string[] = []
  const terminal = { data: (text: string) => void out.push(text), note: () => {}, width: 20, dim: String }
  const members = ['id', 'name', 'message']
  const long = { id: 'x'.repeat(26), name: 'a', message: 'm'.repeat(30) }
  const options = readOutputOptions({ columns: 'id,name,message' })
  const list = { object: 'list', data: [long, long], has_more: false } as const
  printList(terminal as unknown as Terminal, options, list, { members, columns: members })
  const record = `id       ${long.id}\nname     a\nmessage  ${long.message}`
  assert.equal(out.join('\n'), `${record}\n\n${record}`)
})

test('--utc and --local exclude each other, and columns are for tables and csv', () => {
  assert.throws(() => readOutputOptions({ utc: true, local: true }), /either --utc or --local/)
  assert.throws(() => readOutputOptions({ output: 'yaml', columns: 'id' }), /only to tables and csv/)
  const terminal = { data: () => {}, note: () => {}, width: undefined, dim: String } as unknown as Terminal
  const yaml = { ...readOutputOptions({ output: 'yaml' }), toYaml: undefined }
  assert.throws(() => printObject(terminal, yaml, {}, { members: [], columns: [] }), /no YAML/)
})
