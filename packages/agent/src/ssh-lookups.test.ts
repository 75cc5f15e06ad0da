import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLookups } from './ssh-lookups.ts'

test('a machine that does not respond holds up no other, and is not asked twice at once', async () => {
  const failed: string[] = []
  const lookups = openLookups((id, error) => void failed.push(`${id}: ${error.message}`))
  const slow = Promise.withResolvers<void>()
  const asked: string[] = []
  const ask = (id: string, answer: Promise<void>) =>
    lookups.begin(id, () => {
      asked.push(id)
      return answer
    })
  ask('slow', slow.promise)
  ask('bad', Promise.reject(new Error('no keys')))
  ask('quick', Promise.resolve())
  ask('slow', slow.promise)
  assert.deepEqual(asked, ['slow', 'bad', 'quick'])
  slow.resolve()
  await lookups.settled()
  assert.deepEqual(failed, ['bad: no keys'])
  ask('slow', Promise.resolve())
  ask('bad', Promise.resolve())
  await lookups.settled()
  assert.deepEqual(asked.slice(3), ['slow', 'bad'])
})
