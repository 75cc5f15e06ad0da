/** SKUs: aliases, properties, overrides, retirement and restoration, and halts of the market. */
import { done, type Item, refusal } from '../item.ts'
import { keyed, newInstance, newSku, oncePerKey, retiredSku } from '../parts.ts'

export const catalogueItems: readonly Item[] = [
  {
    name: 'sku-creation',
    covers: [...keyed('create_sku'), refusal('create_sku', 'alias_taken'), refusal('create_sku', 'not_applicable')],
    work: async (pass) => {
      const by = pass.platform
      const body = { alias: pass.unique(), region: 'north', listed: false }
      await oncePerKey(pass, 'create_sku', { by, body }, { region: 'south' })
      await pass.refuse('create_sku', 'alias_taken', { by, body })
      const wired = { alias: pass.unique(), region: 'north', infiniband_fabric: 'fabric-1' }
      await pass.refuse('create_sku', 'not_applicable', { by, body: wired })
    },
  },
  {
    name: 'sku-change',
    covers: [
      done('update_sku'),
      refusal('update_sku', 'alias_taken'),
      refusal('update_sku', 'not_applicable'),
      refusal('update_sku', 'in_use'),
    ],
    work: async (pass) => {
      const by = pass.platform
      const id = await newSku(pass)
      await pass.ok('update_sku', { by, id, body: { fee_bps: 30 } })
      await pass.refuse('update_sku', 'alias_taken', { by, id, body: { alias: 'cover' } })
      await pass.refuse('update_sku', 'not_applicable', { by, id, body: { infiniband_fabric: 'fabric-1' } })
      const { fabric } = pass.context.world.skus
      const { market: pool } = pass.fixtures.pools
      const instance = await newInstance(pass, { pool, sku: fabric })
      await pass.refuse('update_sku', 'in_use', { by, id: fabric, body: { infiniband_fabric: 'fabric-2' } })
      await pass.ok('terminate_instance', { id: instance })
    },
  },
  {
    name: 'sku-retirement',
    covers: [
      done('retire_sku'),
      done('restore_sku'),
      refusal('restore_sku', 'invalid_state'),
      refusal('restore_sku', 'alias_taken'),
    ],
    work: async (pass) => {
      const by = pass.platform
      const alias = pass.unique()
      const first = await newSku(pass, { alias })
      await pass.ok('retire_sku', { by, id: first })
      const second = await newSku(pass, { alias })
      await pass.refuse('restore_sku', 'alias_taken', { by, id: first })
      await pass.ok('retire_sku', { by, id: second })
      await pass.ok('restore_sku', { by, id: first })
      await pass.refuse('restore_sku', 'invalid_state', { by, id: first })
    },
  },
  {
    name: 'sku-overrides',
    covers: [
      done('put_sku_override'),
      done('delete_sku_override'),
      done('list_sku_overrides'),
      refusal('put_sku_override', 'not_applicable'),
      'action instance_sku_override.updated',
      'action instance_sku_override.deleted',
    ],
    work: async (pass) => {
      const { platform: by, account } = pass
      const call = { by, params: { account: account.id, sku: pass.context.world.skus.plain } }
      await pass.ok('put_sku_override', { ...call, body: { num_vcpus: 8 } })
      await pass.ok('list_sku_overrides', { by, params: { account: account.id } })
      await pass.refuse('put_sku_override', 'not_applicable', { ...call, body: { infiniband_fabric: 'fabric-1' } })
      await pass.ok('delete_sku_override', call)
    },
  },
  {
    name: 'retired-sku-of-hosts',
    covers: [
      refusal('create_host_enrolment', 'sku_not_available'),
      refusal('create_simulated_hosts', 'sku_not_available'),
    ],
    work: async (pass) => {
      const sku = await retiredSku(pass)
      const by = pass.platform
      await pass.refuse('create_host_enrolment', 'sku_not_available', { by, body: { sku } })
      await pass.refuse('create_simulated_hosts', 'sku_not_available', { by, body: { sku, count: 1, slots: 1 } })
    },
  },
  {
    name: 'sku-of-operator-hosts',
    covers: [
      refusal('create_host_enrolment', 'operator_hosts_only'),
      refusal('create_simulated_hosts', 'operator_hosts_only'),
    ],
    work: async (pass) => {
      const sku = await newSku(pass, { operator_hosts_only: true })
      const { platform: by, account } = pass
      await pass.refuse('create_host_enrolment', 'operator_hosts_only', { body: { sku } })
      const body = { sku, account: account.id, count: 1, slots: 1 }
      await pass.refuse('create_simulated_hosts', 'operator_hosts_only', { by, body })
    },
  },
  {
    name: 'market-halts',
    covers: [done('halt_market'), done('get_market_halt'), done('resume_market')],
    work: async (pass) => {
      const call = { by: pass.platform, body: { sku: pass.fixtures.sku } }
      await pass.ok('halt_market', call)
      await pass.ok('get_market_halt', { by: pass.platform })
      await pass.ok('resume_market', call)
      await pass.advance(1)
    },
  },
]
