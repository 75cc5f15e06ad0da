import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, formats, printList } from './output.ts'
import type { Terminal } from './terminal.ts'

const name = 'pay\u202e\x1b[2Jpal'
const rows = [{ id: name, name, amount: '-0.500000', formula: '=1+1' }]
const shape = { members: ['id', 'name', 'amount', 'formula'], columns: ['id', 'name', 'amount', 'formula'] }

function printed(format: Format, { width, raw = false }: { width?: number; raw?: boolean }): string {
  const out: string[] = []
  const terminal = { data: (text: string) => void out.push(text), note: () => {}, width, dim: String }
  const options = { format, columns: undefined, header: false, raw }
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
