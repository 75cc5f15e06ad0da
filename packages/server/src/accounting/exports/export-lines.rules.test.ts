import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Column, remembering } from './columns.rules.ts'
import { csvWriter, jsonWriter } from './export-lines.rules.ts'

const columns: Column[] = [
  { name: 'at', type: 'seconds' },
  { name: 'dollars', type: 'decimal' },
  { name: 'text', type: 'text' },
  { name: 'time', type: 'time' },
]

test('lines of CSV have the columns in order, and nothing where a value is missing', () => {
  const { head, line } = csvWriter(columns)
  assert.equal(head, 'at,dollars,text,time\r\n')
  assert.equal(line({ time: 'b', text: 'a', dollars: '-1.50', at: '7' }), '7,-1.50,a,b\r\n')
  assert.equal(line({ text: null, dollars: '-1.50' }), ',-1.50,,\r\n')
})

test('a cell of text is quoted where it has to be, and no spreadsheet runs it', () => {
  const { line } = csvWriter([{ name: 'text', type: 'text' }])
  const cases = {
    plain: 'plain',
    'with space': 'with space',
    'a=b+c-d@e\tf': 'a=b+c-d@e\tf',
    'a,b': '"a,b"',
    'a"b"': '"a""b"""',
    'a\rb': '"a\rb"',
    'a\nb': '"a\nb"',
    '=1': "'=1",
    '+x': "'+x",
    '-x': "'-x",
    '@x': "'@x",
    '\tx': "'\tx",
    '\rx': '"\'\rx"',
    '=a,b': '"\'=a,b"',
    '-12': '-12',
    '+12.50': '+12.50',
    '-12.': "'-12.",
    '-12.5x': "'-12.5x",
    '-': "'-",
    '--1': "'--1",
    '-1-1': "'-1-1",
  }
  for (const [text, written] of Object.entries(cases)) assert.equal(line({ text }), `${written}\r\n`)
})

test('lines of JSON have numbers as they are, and null where a value is missing', () => {
  const { head, line } = jsonWriter(columns)
  assert.equal(head, '')
  const text = line({ time: 'b', text: 'a"', dollars: '-1.50', at: '7' })
  assert.equal(text, '{"at":7,"dollars":-1.50,"text":"a\\"","time":"b"}\n')
  assert.equal(line({ text: null, dollars: '2' }), '{"at":null,"dollars":2,"text":null,"time":null}\n')
})

test('a value is converted again only where it differs from the one before', () => {
  const converted: string[] = []
  const convert = remembering((value) => {
    converted.push(value)
    return `<${value}>`
  })
  assert.deepEqual(['a', 'a', 'b', 'a'].map(convert), ['<a>', '<a>', '<b>', '<a>'])
  assert.deepEqual(converted, ['a', 'b', 'a'])
})
