/** Transitions of instances after changes of their allocation, host or deployment. The items advance the clock. */
import type { Item, Pass } from '../item.ts'
import { instanceBody, newDeployment, newInstance, newPool, newSku, orderBody, window } from '../parts.ts'

const day = 24 * 3600

/** Transfers nodes of the account's supply to a pool for some minutes. */
function moveSupply(pass: Pass, to: string, fromMinute: number, minutes: number, node_count = 1) {
  const { supply } = pass.fixtures.pools
  return move(pass, { from_pool: supply, to_pool: to }, window(pass, fromMinute, minutes, node_count))
}

type PoolsOfMove = { readonly from_pool: string; readonly to_pool: string; readonly sku?: string }

function move(pass: Pass, { sku = pass.fixtures.sku, ...pools }: PoolsOfMove, moved: object) {
  return pass.ok('create_pool_transfer', { body: { ...pools, sku, allocation_schedule_delta: [moved] } })
}

/** Starts an instance on nodes of a market pool that lasts some minutes. */
async function runningOnSupply(pass: Pass, minutes: number): Promise<{ pool: string; id: string }> {
  const pool = await newPool(pass)
  await moveSupply(pass, pool, 0, minutes)
  const { id } = await pass.ok('create_instance', { body: instanceBody(pass, { pool }) })
  await pass.advance(120)
  return { pool, id }
}

export const transitionItems: readonly Item[] = [
  {
    name: 'end-of-allocation',
    covers: ['ended allocation_ended', 'preempted', 'action instance.termination_imminent'],
    work: async (pass) => {
      await runningOnSupply(pass, 15)
      await pass.advance(5 * 60)
      await pass.advance(10 * 60)
    },
  },
  {
    name: 'withdrawn-notice',
    covers: ['action instance.termination_imminent', 'action instance.termination_withdrawn', 'ended transferred'],
    work: async (pass) => {
      const { pool, id } = await runningOnSupply(pass, 60)
      const other = await newPool(pass)
      const lent = window(pass, 5, 20)
      await move(pass, { from_pool: pool, to_pool: other }, lent)
      await pass.advance(30)
      await move(pass, { from_pool: other, to_pool: pool }, lent)
      await pass.advance(30)
      await pass.ok('explain_instance', { id })
      await move(pass, { from_pool: pool, to_pool: other }, window(pass, 0, 20))
      await pass.advance(15 * 60)
    },
  },
  {
    name: 'sale-from-under-an-instance',
    covers: ['ended sold', 'preempted by a sale', 'resales'],
    work: async (pass) => {
      const { pool } = await runningOnSupply(pass, 60)
      const minutes = { allocation_schedule_delta: [window(pass, 1, 40)] }
      const { partner: by, fixtures } = pass
      await pass.ok('create_order', {
        by,
        body: orderBody(pass, { side: 'buy', pool: fixtures.partner_pool }, minutes),
      })
      await pass.ok('create_order', { body: orderBody(pass, { side: 'sell', pool }, minutes) })
      await pass.advance(15 * 60)
    },
  },
  {
    name: 'preemption-by-the-sandbox',
    covers: ['sold off'],
    work: async (pass) => {
      const { pool } = await runningOnSupply(pass, 60)
      const fault = { kind: 'preempt', pool, sku: pass.fixtures.sku, node_count: 1 }
      await pass.ok('create_fault', { body: fault })
      await pass.advance(15 * 60)
    },
  },
  {
    name: 'failed-start',
    covers: ['action instance.failed'],
    work: async (pass) => {
      const instance = await newInstance(pass)
      await pass.ok('create_fault', { body: { kind: 'start_failure', instance, times: 9 } })
      await pass.advance(600)
      await pass.ok('terminate_instance', { id: instance })
    },
  },
  {
    name: 'silent-host',
    covers: ['action instance.connection_lost'],
    work: async (pass) => {
      const id = await newInstance(pass)
      await pass.advance(120)
      const { data } = await pass.ok('list_hosts', { by: pass.platform, query: `sku=${pass.fixtures.sku}&limit=50` })
      for (const { id: host } of data.filter(({ used_slots }: any) => used_slots > 0)) {
        await pass.ok('create_fault', { by: pass.platform, body: { kind: 'host_silent', host, for_seconds: 400 } })
      }
      await pass.advance(500)
      await pass.ok('terminate_instance', { id })
    },
  },
  {
    name: 'ends-of-a-deployment',
    covers: ['ended scaled_down', 'ended deployment_deleted'],
    work: async (pass) => {
      const id = await newDeployment(pass, { target_instance_count: 2 })
      await pass.advance(60)
      await pass.ok('update_deployment', { id, body: { target_instance_count: 1 } })
      await pass.advance(60)
      await pass.ok('delete_deployment', { id })
      await pass.advance(60)
    },
  },
  {
    name: 'drained-host-under-an-instance',
    covers: ['ended host_retired'],
    work: async (pass) => {
      // The only host of its SKU: which of several gets an instance depends on what other items have left there.
      const [pool, sku] = [await newPool(pass), await newSku(pass)]
      const body = { account: pass.account.id, sku, count: 1, slots: 1 }
      const { data } = await pass.ok('create_simulated_hosts', { by: pass.platform, body })
      const [{ id, pool: supply }] = data
      // Its supply begins with the next minute.
      await pass.advance(60)
      await move(pass, { from_pool: supply.id, to_pool: pool, sku }, window(pass, 0, 600))
      await newInstance(pass, { pool, sku })
      await pass.advance(120)
      await pass.ok('drain_host', { id, body: { deadline_at: pass.context.now + 60, force: true } })
      await pass.advance(600)
      await pass.ok('retire_host', { id })
    },
  },
  {
    name: 'lost-host-under-an-instance',
    covers: ['ended host_lost'],
    work: async (pass) => {
      const [pool, sku] = [await newPool(pass), await newSku(pass)]
      const body = { account: pass.account.id, sku, count: 1, slots: 1 }
      const { data } = await pass.ok('create_simulated_hosts', { by: pass.platform, body })
      const [{ id, pool: supply }] = data
      await pass.advance(60)
      await move(pass, { from_pool: supply.id, to_pool: pool, sku }, window(pass, 0, 600))
      await newInstance(pass, { pool, sku })
      await pass.advance(120)
      await pass.ok('create_fault', { by: pass.platform, body: { kind: 'host_silent', host: id, for_seconds: 600 } })
      await pass.advance(120)
      await pass.ok('retire_host', { id, body: { force: true } })
      await pass.advance(60)
    },
  },
  {
    name: 'week-that-passes',
    covers: ['cursors past retention', 'folded schedules'],
    work: async (pass) => {
      await moveSupply(pass, pass.fixtures.pools.market, 1, 5)
      const { id } = await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: '0.010000' }) })
      await pass.ok('cancel_order', { id })
      const { cursor } = await pass.ok('list_events', { query: 'limit=1' })
      for (let days = 0; days < 10; days += 2) await pass.advance(2 * day)
      const { status } = await pass.send('list_events', { query: `starting_after=${cursor}` })
      if (status === 410) pass.context.count('cursors past retention')
    },
  },
]
