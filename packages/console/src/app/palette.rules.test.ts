import assert from 'node:assert/strict'
import { test } from 'vitest'
import { matching, type PaletteChoice } from './palette.rules.ts'

const choices: PaletteChoice[] = [
  { kind: 'page', title: 'Instances', to: '/instances' },
  { kind: 'instance', title: 'trainer-in', to: '/instances/inst_9', words: 'inst_9' },
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

test('at most twelve are shown', () => {
  const many = Array.from({ length: 50 }, (_, n): PaletteChoice => ({ kind: 'page', title: `Page ${n}`, to: `/${n}` }))
  assert.equal(matching(many, '').length, 12)
  assert.equal(matching(many, 'page').length, 12)
})
