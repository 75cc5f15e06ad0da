import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

test('callers within the interval share one reading, and a later caller starts another', async () => {
  const clock = { now: 5000 }
  let readings = 0
  const read = atMostEvery(
    1000,
    async () => ++readings,
    () => clock.now,
  )
  assert.deepEqual(await Promise.all(Array.from({ length: 100 }, read)), Array(100).fill(1))
  clock.now += 999
  assert.equal(await read(), 1)
  clock.now += 1
  assert.equal(await read(), 2)
})

test('a reading that outlasts the interval is not started twice, and its failure is shared', async () => {
  const clock = { now: 0 }
  const { promise, reject } = Promise.withResolvers<number>()
  let readings = 0
  const read = atMostEvery(
    1000,
    () => {
      readings += 1
      return readings === 1 ? promise : Promise.resolve(readings)
    },
    () => clock.now,
  )
  const first = read()
  clock.now = 9000
  const second = read()
  reject(new Error('away'))
  await assert.rejects(first, /away/)
  await assert.rejects(second, /away/)
  assert.equal(await read(), 2)
})
