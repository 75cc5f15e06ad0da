import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createEntryQueue } from './entry-queue.ts'

const entry = {
  account_id: 'acme',
  actor: { type: 'system', id: null, name: null },
  operation: 'delete_pool',
  targets: [],
  outcome: 'refused',
  code: 'forbidden',
  changes: [],
  on_behalf_of: null,
  address: null,
  user_agent: null,
  request_id: 'req_1',
} as const

test('what does not fit into the queue is counted', () => {
  const queue = createEntryQueue(3)
  for (let added = 0; added < 5; added++) queue.add(entry)
  assert.equal(queue.counts.lost, 2)
})
