/** Pools: refusals by kind, allocation, and transfers. */
import { done, type Item, type Pass, refusal } from '../item.ts'
import { hour, keyed, newDeployment, newPool, oncePerKey, retiredSku, window } from '../parts.ts'

type PoolTransfer = { readonly from: string; readonly to: string; readonly sku?: string; readonly window?: object }

function transferOf(pass: Pass, { from, to, sku = pass.fixtures.sku, window: moved }: PoolTransfer) {
  const delta = [moved ?? window(pass, 10, 60)]
  return { body: { from_pool: from, to_pool: to, sku, allocation_schedule_delta: delta } }
}

export const poolItems: readonly Item[] = [
  {
    name: 'pools-that-stay',
    covers: [
      refusal('update_pool', 'pool_kind_not_allowed'),
      refusal('delete_pool', 'pool_kind_not_allowed'),
      refusal('delete_pool', 'in_use'),
    ],
    work: async (pass) => {
      const { supply } = pass.fixtures.pools
      await pass.refuse('update_pool', 'pool_kind_not_allowed', { id: supply, body: { name: pass.unique() } })
      await pass.refuse('delete_pool', 'pool_kind_not_allowed', { id: supply })
      const pool = await newPool(pass)
      await newDeployment(pass, { pool })
      await pass.refuse('delete_pool', 'in_use', { id: pool })
    },
  },
  {
    name: 'read-only-pools',
    covers: [
      ...keyed('create_read_only_pool'),
      refusal('create_read_only_pool', 'name_taken'),
      refusal('create_read_only_pool', 'pool_kind_not_allowed'),
      refusal('create_read_only_pool', 'in_the_past'),
      refusal('create_read_only_pool', 'sku_not_available'),
      refusal('create_read_only_pool', 'insufficient_allocation'),
    ],
    work: async (pass) => {
      const { account, platform: by, context, fixtures } = pass
      const give = (fields: object) => {
        const place = { account: account.id, workspace: account.workspace_id, from_pool: context.world.supply_pool }
        const allocation_schedule = [window(pass, 1, 5)]
        const body = { ...place, sku: fixtures.sku, allocation_schedule, name: pass.unique(), ...fields }
        return { by, owner: account, body }
      }
      const name = pass.unique()
      await oncePerKey(pass, 'create_read_only_pool', give({ name }))
      await pass.refuse('create_read_only_pool', 'name_taken', give({ name }))
      const past = { allocation_schedule: [window(pass, -60, 90)] }
      const many = { allocation_schedule: [window(pass, 1, 5, 500)] }
      await pass.refuse('create_read_only_pool', 'pool_kind_not_allowed', give({ from_pool: fixtures.pools.market }))
      await pass.refuse('create_read_only_pool', 'in_the_past', give(past))
      await pass.refuse('create_read_only_pool', 'sku_not_available', give({ sku: await retiredSku(pass) }))
      await pass.refuse('create_read_only_pool', 'insufficient_allocation', give(many))
    },
  },
  {
    name: 'pool-transfers',
    covers: [
      ...keyed('create_pool_transfer'),
      done('get_pool_transfer'),
      refusal('create_pool_transfer', 'same_pool'),
      refusal('create_pool_transfer', 'pool_kind_not_allowed'),
      refusal('create_pool_transfer', 'in_the_past'),
      refusal('create_pool_transfer', 'sku_not_available'),
      refusal('create_pool_transfer', 'insufficient_allocation'),
    ],
    work: async (pass) => {
      const { supply: from, read_only } = pass.fixtures.pools
      const to = await newPool(pass)
      const other = { allocation_schedule_delta: [window(pass, 20, 60)] }
      const { id } = await oncePerKey(pass, 'create_pool_transfer', transferOf(pass, { from, to }), other)
      await pass.ok('get_pool_transfer', { id })
      const refuse = (code: Parameters<Pass['refuse']>[1], transfer: PoolTransfer) =>
        pass.refuse('create_pool_transfer', code, transferOf(pass, transfer))
      await refuse('same_pool', { from: to, to })
      await refuse('pool_kind_not_allowed', { from, to: read_only })
      await refuse('in_the_past', { from, to, window: window(pass, -300, 60) })
      await refuse('sku_not_available', { from, to, sku: await retiredSku(pass) })
      await refuse('insufficient_allocation', { from, to, window: window(pass, 10, 60, 500) })
    },
  },
  {
    name: 'order-estimates',
    covers: [
      done('create_order_estimate'),
      refusal('create_order_estimate', 'mutually_exclusive'),
      refusal('create_order_estimate', 'in_the_past'),
      refusal('create_order_estimate', 'beyond_horizon'),
      refusal('create_order_estimate', 'sku_not_available'),
      refusal('create_order_estimate', 'pool_kind_not_allowed'),
    ],
    work: async (pass) => {
      const { sku, pools } = pass.fixtures
      const { start_at, node_count } = window(pass, 10, 60)
      const estimate = (fields: object) => {
        return { body: { side: 'buy', sku, start_at, duration_seconds: hour, node_count, ...fields } }
      }
      await pass.ok('create_order_estimate', estimate({}))
      const both = { requirements: { region: ['north'] } }
      await pass.refuse('create_order_estimate', 'mutually_exclusive', estimate(both))
      await pass.refuse('create_order_estimate', 'in_the_past', estimate({ start_at: start_at - 5 * hour }))
      await pass.refuse(
        'create_order_estimate',
        'beyond_horizon',
        estimate({ start_at: start_at + 4 * 365 * 24 * hour }),
      )
      await pass.refuse('create_order_estimate', 'sku_not_available', estimate({ sku: await retiredSku(pass) }))
      await pass.refuse('create_order_estimate', 'pool_kind_not_allowed', estimate({ pool: pools.read_only }))
    },
  },
]
