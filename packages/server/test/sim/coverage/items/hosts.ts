/** Hosts: cordon, drain, retirement, names, and maintenance windows. */
import { done, type Item, type Pass, refusal } from '../item.ts'
import { keyed, oncePerKey, window } from '../parts.ts'

/** Creates a host of the platform with a SKU without sales. */
async function newHost(pass: Pass): Promise<string> {
  const body = { sku: pass.context.world.skus.south, count: 1, slots: 1 }
  const { data } = await pass.ok('create_simulated_hosts', { by: pass.platform, body })
  return data[0].id
}

export const hostItems: readonly Item[] = [
  {
    name: 'host-steering',
    covers: [
      done('cordon_host'),
      refusal('cordon_host', 'invalid_state'),
      done('uncordon_host'),
      refusal('uncordon_host', 'invalid_state'),
      done('drain_host'),
      refusal('drain_host', 'invalid_state'),
      refusal('drain_host', 'in_the_past'),
      done('retire_host'),
      refusal('retire_host', 'invalid_state'),
      done('create_simulated_hosts'),
    ],
    work: async (pass) => {
      const { platform: by, context } = pass
      const call = { by, id: await newHost(pass) }
      await pass.refuse('uncordon_host', 'invalid_state', call)
      await pass.ok('cordon_host', call)
      await pass.refuse('cordon_host', 'invalid_state', call)
      await pass.ok('uncordon_host', call)
      await pass.refuse('drain_host', 'in_the_past', { ...call, body: { deadline_at: context.now - 600 } })
      const drain = { ...call, body: { deadline_at: context.now, force: true } }
      await pass.refuse('retire_host', 'invalid_state', call)
      await pass.ok('drain_host', drain)
      await pass.refuse('drain_host', 'invalid_state', drain)
      await pass.advance(120)
      await pass.ok('retire_host', call)
    },
  },
  {
    name: 'sold-supply-of-a-host',
    covers: [refusal('drain_host', 'supply_sold')],
    work: async (pass) => {
      const { data } = await pass.ok('list_hosts', { by: pass.platform, query: `sku=${pass.fixtures.sku}&limit=50` })
      const { id } = data.find((host: any) => host.slots === 16)
      const body = { deadline_at: pass.context.now }
      await pass.refuse('drain_host', 'supply_sold', { by: pass.platform, id, body })
    },
  },
  {
    name: 'host-names',
    covers: [done('update_host'), refusal('update_host', 'name_taken'), done('get_host')],
    work: async (pass) => {
      const { platform: by } = pass
      const [first, second] = [await newHost(pass), await newHost(pass)]
      const body = { name: pass.unique() }
      await pass.ok('update_host', { by, id: first, body })
      await pass.refuse('update_host', 'name_taken', { by, id: second, body })
      await pass.ok('get_host', { by, id: first })
    },
  },
  {
    name: 'maintenance-windows',
    covers: [...keyed('create_maintenance_window'), done('delete_maintenance_window')],
    work: async (pass) => {
      const { platform: by } = pass
      const { start_at, end_at } = window(pass, 5, 10)
      const body = { start_at, end_at, maintenance_type: 'info', title: 'Work', description: 'On the roof.' }
      const { id } = await oncePerKey(pass, 'create_maintenance_window', { by, body }, { title: 'Other work' })
      await pass.ok('delete_maintenance_window', { by, id })
    },
  },
]
