import assert from 'node:assert/strict'
import { test } from 'vitest'
import { actions, matching, type PaletteChoice, pageWords, untyped, withRecent } from './palette.rules.ts'

const choices: PaletteChoice[] = [
  { kind: 'page', title: 'Instances', to: '/instances' },
  { kind: 'instance', title: 'trainer-in', to: '/instances/inst_9', words: 'inst_9 instance stop' },
  { kind: 'page', title: 'Images', to: '/images' },
]

test('a whole title comes before a beginning, and that before letters in order', () => {
  assert.deepEqual(
    matching(choices, 'in').map(({ title }) => title),
    ['Instances', 'trainer-in'],
  )
  assert.equal(matching(choices, 'images')[0]?.to, '/images')
  assert.equal(matching(choices, 'inst_9')[0]?.to, '/instances/inst_9')
  assert.equal(matching(choices, 'igs')[0]?.title, 'Images')
  assert.deepEqual(matching(choices, 'zzz'), [])
})

test('at most twelve are found, and all are there before anything is typed', () => {
  const many = Array.from({ length: 50 }, (_, n): PaletteChoice => ({ kind: 'page', title: `Page ${n}`, to: `/${n}` }))
  assert.equal(matching(many, '').length, 50)
  assert.equal(matching(many, 'page').length, 12)
})

test('verbs and other words find what they mean', () => {
  const first = (text: string) => matching([...actions, ...choices], text)[0]?.title
  assert.equal(first('stop'), 'Terminate instances')
  assert.equal(first('stop instance'), 'Terminate instances')
  assert.equal(first('stop trainer'), 'trainer-in')
  assert.equal(first('extend'), 'Extend or sell what I own')
  assert.equal(first('dark'), 'Dark theme')
  const money: PaletteChoice = { kind: 'page', title: 'Money', to: '/money', words: pageWords['/money'] ?? '' }
  assert.equal(matching([...choices, money], 'billing')[0]?.title, 'Money')
})

test('what was chosen last comes first, once, and at most five of it', () => {
  const [one, two] = choices as [PaletteChoice, PaletteChoice]
  assert.deepEqual(withRecent(withRecent(withRecent([], one), two), one), [one, two])
  assert.deepEqual(untyped([two], choices)[0], two)
  assert.equal(untyped([two], choices).length, choices.length)
  const nine = Array.from({ length: 9 }, (_, n): PaletteChoice => ({ ...one, title: `${n}` }))
  assert.equal(nine.reduce<readonly PaletteChoice[]>(withRecent, []).length, 5)
})
