import assert from 'node:assert/strict'
import { test } from 'vitest'
import { glossary, readRefused } from './glossary.ts'
import { check } from './snippets.ts'

const page = [
  '# Words',
  '',
  '| Word | Means | Not |',
  '|---|---|---|',
  '| request | what a caller asks for | wish, wished |',
  '| round trip | one request and its response | flight (but in flight, flight recorder) |',
  '| mutant | a small bug | planted bug |',
  '| host | a machine with slots | |',
].join('\n')

const core = 'packages/server/src/core'
const run = (files: Readonly<Record<string, string>>) =>
  check([glossary], { 'docs/words.md': page, ...files }).map((line) => line.replace(`${core}/`, ''))

test('the page gives the refused words, their allowed phrases and the words to use', () => {
  assert.deepEqual(readRefused(page), [
    { word: 'wish', allowed: [], use: 'request' },
    { word: 'wished', allowed: [], use: 'request' },
    { word: 'flight', allowed: ['in flight', 'flight recorder'], use: 'round trip' },
    { word: 'planted bug', allowed: [], use: 'mutant' },
  ])
})

test('a refused word is found in identifiers of any case style, once per line', () => {
  const file = ['const orderWish = 1', 'const wishes_of = (a: OrderWishes) => a.wish', 'const wishful = 2'].join('\n')
  assert.deepEqual(run({ [`${core}/a.ts`]: file }), [
    "a.ts:1 'wish' is a refused word: write request (docs/words.md)",
    "a.ts:2 'wish' is a refused word: write request (docs/words.md)",
  ])
})

test('a refused word is found in names of files, comments, documents and titles of tests', () => {
  const found = run({
    [`${core}/wish-list.ts`]: '',
    [`${core}/a.ts`]: '/**\n * One.\n * A planted\n * A planted bug.\n */\nconst a = 1 // One flight.',
    [`${core}/a.test.ts`]: "test('of two wishes the later wins', () => {})\ntest(`one wish`, () => {})\nsay('a wish')",
    'docs/guides/trading.md': 'As you wish.\n```\nwish\n```\nSee `wish` and [this](https://wish.example).',
  })
  assert.deepEqual(
    found.map((line) => line.split(' is ')[0]),
    [
      "wish-list.ts:1 'wish'",
      "a.ts:4 'planted bug'",
      "a.ts:6 'flight'",
      "a.test.ts:1 'wish'",
      "a.test.ts:2 'wish'",
      "docs/guides/trading.md:1 'wish'",
    ],
  )
})

test('a word is allowed inside its allowed phrase only', () => {
  const file = '// Two are in flight.\nconst inFlight = 1\n// One flight is in flight.'
  assert.deepEqual(
    run({ [`${core}/a.ts`]: file }).map((line) => line.split(' is ')[0]),
    ["a.ts:3 'flight'"],
  )
})

test('the page has sixty entries at most', () => {
  const rows = Array.from({ length: 61 }, (_, index) => `| word${index} | meaning | |`)
  assert.deepEqual(
    check([glossary], { 'docs/words.md': ['| Word | Means | Not |', '|---|---|---|', ...rows].join('\n') }),
    ['docs/words.md:1 61 entries, 60 at most: remove usual words'],
  )
})
