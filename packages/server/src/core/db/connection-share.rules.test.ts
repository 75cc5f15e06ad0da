import assert from 'node:assert/strict'
import { test } from 'vitest'
import { commandsMax, connectionShare, connectionsNeeded } from './connection-share.rules.ts'

test('workers share what a replica opens alone, down to what each needs', () => {
  assert.deepEqual(connectionShare(1), { transactions: 20, account_reads: 6 })
  assert.deepEqual(connectionShare(2), { transactions: 10, account_reads: 3 })
  assert.deepEqual(connectionShare(64), { transactions: 6, account_reads: 3 })
  const sums = [1, 2, 3, 4, 8].map((workers) => connectionsNeeded({ replicas: 1, workers }))
  assert.deepEqual(sums, [28, 30, 36, 44, 88])
  assert.equal(connectionsNeeded({ replicas: 3, workers: 2 }), 90)
})

test('commands leave some connections to reconcilers and order batches', () => {
  assert.deepEqual([20, 10, 6].map(commandsMax), [16, 8, 4])
})
