import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createLoader } from './loader.ts'

test('callers that arrive during a read share the next one', async () => {
  const readings: string[][] = []
  const read = createLoader(async (keys: string[]) => {
    readings.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]))
  })
  const first = [read('a'), read('b'), read('a')]
  await Promise.resolve()
  const second = [read('a'), read('none')]
  assert.deepEqual(await Promise.all([...first, ...second]), ['A', 'B', 'A', 'A', undefined])
  assert.deepEqual(readings, [
    ['a', 'b'],
    ['a', 'none'],
  ])
})

test('a failed read fails for its callers only', async () => {
  let readings = 0
  const read = createLoader(async (keys: string[]) => {
    readings += 1
    if (readings === 1) throw new Error('away')
    return new Map(keys.map((key) => [key, 1]))
  })
  const failing = read('a')
  await Promise.resolve()
  const next = read('b')
  await assert.rejects(failing, /away/)
  assert.equal(await next, 1)
})
