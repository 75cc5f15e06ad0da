import assert from 'node:assert/strict'
import { test } from 'vitest'
import { writeTree } from '../test/support/machine-trees.ts'
import { takeSigningTime } from './identity.ts'

const now = 1_800_000_000

test('each request to enrol is signed for a later time, also when the clock was put back', async () => {
  const directory = writeTree(new Map())
  for (const [clock, signedAt] of [
    [now, now],
    [now, now + 1],
    [now - 200, now + 2],
    [now + 2, now + 3],
    [now + 60, now + 60],
  ] as const) {
    assert.equal(await takeSigningTime(directory, clock), signedAt)
  }
})

test('a host whose clock was far ahead signs by the right time again', async () => {
  const directory = writeTree(new Map())
  await takeSigningTime(directory, now + 86_400)
  assert.equal(await takeSigningTime(directory, now), now)
  await takeSigningTime(directory, now + 300)
  assert.equal(await takeSigningTime(directory, now), now)
  await takeSigningTime(directory, now + 299)
  assert.equal(await takeSigningTime(directory, now), now + 300)
})
