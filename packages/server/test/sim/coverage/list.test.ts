import assert from 'node:assert/strict'
import { test } from 'vitest'
import { coverageList, coverageSeeds, shareOf } from './list.ts'
import { targets } from './targets.ts'

const covered = coverageList.flatMap(({ covers }) => covers)

test('the coverage list covers each operation, refusal, fault and transition, and nothing else', () => {
  assert.deepEqual(
    targets.filter((target) => !covered.includes(target)),
    [],
  )
  assert.deepEqual(
    covered.filter((target) => !targets.includes(target)),
    [],
  )
})

test('items of the coverage list have unique names, and each covers something', () => {
  const names = coverageList.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { name, covers } of coverageList) {
    assert.match(name, /^[a-z0-9-]+$/)
    assert.ok(covers.length > 0, name)
  }
})

test(`any ${coverageSeeds} consecutive seeds cover the whole coverage list, each item once`, () => {
  for (const first of [1, 14, 1_000_000]) {
    const items = Array.from({ length: coverageSeeds }, (_, n) => shareOf(first + n)).flat()
    assert.deepEqual(new Set(items), new Set(coverageList))
    assert.equal(items.length, coverageList.length)
  }
})
