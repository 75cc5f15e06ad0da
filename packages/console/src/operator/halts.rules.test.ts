import assert from 'node:assert/strict'
import type { PlatformOrder, PlatformPool } from '@bourse/sdk'
import { test } from 'vitest'
import { skuHaltText, stoppedBy, stoppedOfSku, stoppedText } from './halts.rules.ts'

test('a halt says in numbers what it stops; what buys for several pools counts once', () => {
  const pool = { procurements: [{ id: 'proc_1' }], deployments: [] } as unknown as PlatformPool
  const counts = stoppedBy([{ account: 'acme' }, { account: 'acme' }, { account: 'initech' }], [pool, pool])
  assert.deepEqual(counts, { orders: 3, accounts: 2, procurements: 1, deployments: 0 })
  assert.equal(stoppedText(counts), '3 open orders of 2 accounts and 1 procurement')
  assert.equal(stoppedText(stoppedBy([], [])), '0 open orders')
  const many = { orders: 14, accounts: 6, procurements: 3, deployments: 2 }
  assert.equal(stoppedText(many), '14 open orders of 6 accounts, 3 procurements and 2 deployments')
})

const now = 1_800_000_000

function owner(account: string, kind: string, node_count: number): PlatformPool {
  const schedule = [{ start_at: now - 60, end_at: now + 60, node_count }]
  return {
    account,
    kind,
    allocation_schedule: { total: schedule, by_sku: { sku_h: schedule } },
  } as unknown as PlatformPool
}

const order = (account: string, by: string | null = null) =>
  ({ account, managed_by: by && { id: by } }) as unknown as PlatformOrder

test('a halt of one SKU says in numbers what it stops there, and what it leaves', () => {
  const pools = [owner('host', 'originating', 8), owner('acme', 'market', 3), owner('acme', 'market', 1)]
  const orders = [order('acme'), order('acme', 'proc_1'), order('initech', 'proc_1')]
  const counts = stoppedOfSku('sku_h', { orders, pools, now })
  assert.deepEqual(counts, { orders: 3, accounts: 2, automations: 1, nodes: 4, owners: 1 })
  assert.equal(
    skuHaltText(counts),
    'It stops 3 open orders of 2 accounts, among them those of 1 automation. ' +
      '4 nodes of 1 account are owned now, and not touched.',
  )
  const none = stoppedOfSku('sku_x', { orders: [], pools, now })
  assert.equal(skuHaltText(none), 'It stops 0 open orders. Nobody owns any of it now.')
})
