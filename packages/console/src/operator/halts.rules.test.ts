import assert from 'node:assert/strict'
import type { PlatformPool } from '@bourse/sdk'
import { test } from 'vitest'
import { stoppedBy, stoppedText } from './halts.rules.ts'

test('a halt says in numbers what it stops; what buys for several pools counts once', () => {
  const pool = { procurements: [{ id: 'proc_1' }], deployments: [] } as unknown as PlatformPool
  const counts = stoppedBy([{ account: 'acme' }, { account: 'acme' }, { account: 'initech' }], [pool, pool])
  assert.deepEqual(counts, { orders: 3, accounts: 2, procurements: 1, deployments: 0 })
  assert.equal(stoppedText(counts), '3 open orders of 2 accounts, 1 procurement and 0 deployments')
  assert.equal(stoppedText(stoppedBy([], [])), '0 open orders, 0 procurements and 0 deployments')
})
