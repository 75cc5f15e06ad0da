/** Instances that buy what they run in: refusals, and each fault between the order and the instance. */
import { allFaults } from '../../options.ts'
import type { ReplicaFault } from '../../replicas/replicas.ts'
import { done, type Item, type Pass, refusal } from '../item.ts'
import { orderBody, window } from '../parts.ts'

const price = 'limit_price_dollars_per_node_hour'

/** A call that buys a node for a new pool of the partner, from `from` minutes on. */
async function purchaseOf(pass: Pass, terms: object = {}, from = 10) {
  const { ok, partner, fixtures } = pass
  const name = { by: partner, body: { name: pass.unique() } }
  const [image, pool] = [(await ok('create_ready_image', name)).id, (await ok('create_pool', name)).id]
  const { start_at, end_at } = window(pass, from, 30)
  const buy = { start_at, end_at, [price]: '1.200000', ...terms }
  return { by: partner, body: { pool, sku: fixtures.sku, image, buy } }
}

/** Fails unless a pool has one order with one instance, or none of either. */
async function checkPair(pass: Pass, pool: string): Promise<void> {
  const by = pass.partner
  const [orders, instances] = [
    await pass.ok('list_orders', { by, query: `pool=${pool}` }),
    await pass.ok('list_instances', { by, query: `pool=${pool}` }),
  ]
  // Reading an order acknowledges it.
  for (const { id } of orders.data) await pass.ok('get_order', { by, id })
  const bought = orders.data.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`)
  const started = instances.data.map(({ order }: { order?: string }) => `${order} filled`)
  if (bought.join() !== started.join()) throw new Error(`Orders ${bought.join()} and instances of ${started.join()}.`)
}

function interrupted(fault: ReplicaFault, index: number): Item {
  return {
    name: `purchase-${fault.kind}-${fault.at}`.replaceAll('_', '-'),
    covers: [done('create_instance')],
    work: async (pass) => {
      // Each in a window of its own, so that the supply is enough for all.
      const from = 60 * (index + 1)
      const offer = { allocation_schedule_delta: [window(pass, from, 30)] }
      await pass.ok('create_order', {
        body: orderBody(pass, { side: 'sell', pool: pass.fixtures.pools.supply }, offer),
      })
      const call = { ...(await purchaseOf(pass, {}, from)), key: pass.unique() }
      const { pool } = call.body
      await pass.send('create_instance', { ...call, fault })
      await checkPair(pass, pool)
      await pass.ok('create_instance', call)
      await checkPair(pass, pool)
    },
  }
}

export const purchaseItems: readonly Item[] = [
  {
    name: 'refused-purchases',
    covers: [
      refusal('create_instance', 'not_offered'),
      refusal('create_instance', 'payment_required'),
      refusal('create_instance', 'in_the_past'),
      refusal('create_instance', 'beyond_horizon'),
    ],
    work: async (pass) => {
      const past = window(pass, -300, 60)
      const far = window(pass, 3 * 365 * 24 * 60, 60)
      const times = ({ start_at, end_at }: typeof past) => ({ start_at, end_at })
      await pass.refuse('create_instance', 'not_offered', await purchaseOf(pass, { [price]: '0.000001' }))
      await pass.refuse('create_instance', 'payment_required', await purchaseOf(pass, { [price]: '900000' }))
      await pass.refuse('create_instance', 'in_the_past', await purchaseOf(pass, times(past)))
      await pass.refuse('create_instance', 'beyond_horizon', await purchaseOf(pass, times(far)))
    },
  },
  ...allFaults.map(interrupted),
]
