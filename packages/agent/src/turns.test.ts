import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openTurns } from './turns.ts'

test('work waits for the work before it under its key, also if that fails, and for no other', async () => {
  const inTurn = openTurns()
  const [first, done] = [Promise.withResolvers<void>(), [] as string[]]
  const failed = inTurn('a', async () => {
    await first.promise
    throw new Error('It fails.')
  })
  const next = inTurn('a', async () => void done.push('next'))
  await inTurn('b', async () => void done.push('other'))
  assert.deepEqual(done, ['other'])
  first.resolve()
  await assert.rejects(failed, /It fails/)
  await next
  assert.deepEqual(done, ['other', 'next'])
})
