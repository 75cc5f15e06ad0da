/** Reads of single resources of the server, of an account, or of the operator. */
import { done, type Item, refusal } from '../item.ts'

export const readItems: readonly Item[] = [
  {
    name: 'reads-without-a-token',
    covers: [done('get_health'), done('get_readiness'), done('get_version'), done('get_signing_keys')],
    work: async (pass) => {
      for (const op of ['get_health', 'get_readiness', 'get_version', 'get_signing_keys'] as const) await pass.ok(op)
    },
  },
  {
    name: 'reads-of-an-account',
    covers: [done('get_account'), done('list_limits'), done('get_limit'), done('list_events'), done('list_scenarios')],
    work: async (pass) => {
      await pass.ok('get_account')
      await pass.ok('list_limits')
      await pass.ok('get_limit', { params: { name: 'instances' } })
      await pass.ok('list_events')
      await pass.ok('list_scenarios')
    },
  },
  {
    name: 'usage-of-an-account',
    covers: [
      done('list_usage'),
      refusal('list_usage', 'range_too_long'),
      done('export_usage'),
      refusal('export_usage', 'range_too_long'),
      refusal('export_usage', 'not_applicable'),
      ...[done('get_statement')],
    ],
    work: async (pass) => {
      await pass.ok('list_usage', { query: 'from=0&to=86400&group_by=sku' })
      await pass.ok('get_statement', { params: { month: '2020-01' } })
      await pass.ok('export_usage', { query: 'from=0&to=86400' })
      await pass.refuse('export_usage', 'range_too_long', { query: 'from=0&to=86486400' })
      await pass.refuse('export_usage', 'not_applicable', { query: 'from=0&to=86400&format=ledger_csv&encoding=csv' })
      await pass.refuse('list_usage', 'range_too_long', { query: 'from=0&to=86486400' })
    },
  },
  {
    name: 'ledger-of-the-operator',
    covers: [
      done('export_ledger'),
      refusal('export_ledger', 'range_too_long'),
      done('list_revenue'),
      refusal('list_revenue', 'range_too_long'),
      refusal('list_platform_usage', 'range_too_long'),
      done('list_audit_entries'),
      done('list_all_audit_entries'),
    ],
    work: async (pass) => {
      const by = pass.platform
      await pass.ok('export_ledger', { by, query: 'from=0&to=86400' })
      await pass.refuse('export_ledger', 'range_too_long', { by, query: 'from=0&to=86486400' })
      await pass.ok('list_revenue', { by, query: 'from=2026-01' })
      await pass.ok('list_audit_entries', { query: 'limit=5' })
      await pass.ok('list_all_audit_entries', { by, query: `account=${pass.platform.id}&limit=5` })
      await pass.refuse('list_revenue', 'range_too_long', { by, query: 'from=2020-01&to=2026-01' })
      await pass.refuse('list_platform_usage', 'range_too_long', { by, query: 'from=0&to=86486400' })
    },
  },
  {
    name: 'reads-of-the-catalogue',
    covers: [
      done('get_sku'),
      done('get_sku_availability'),
      done('list_sku_properties'),
      done('put_sku_property_value'),
      done('list_market_makers'),
    ],
    work: async (pass) => {
      const id = pass.fixtures.sku
      await pass.ok('get_sku', { id })
      await pass.ok('get_sku_availability', { id })
      await pass.ok('list_sku_properties')
      const params = { property: 'region', name: 'north' }
      await pass.ok('put_sku_property_value', { by: pass.platform, params, body: { display_name: 'north' } })
      await pass.ok('list_market_makers', { by: pass.platform })
    },
  },
]
