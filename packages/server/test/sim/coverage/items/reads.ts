/** Reads that need input or are refused by rules of their own. All others follow from the contract. */
import { done, type Item, refusal } from '../item.ts'

export const readItems: readonly Item[] = [
  {
    name: 'reads-of-an-account',
    covers: [done('get_limit'), done('list_events')],
    work: async (pass) => {
      await pass.ok('get_limit', { params: { name: 'instances' } })
      await pass.ok('list_events')
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
    covers: [done('get_sku'), done('get_sku_availability'), done('put_sku_property_value')],
    work: async (pass) => {
      const id = pass.fixtures.sku
      await pass.ok('get_sku', { id })
      await pass.ok('get_sku_availability', { id })
      const params = { property: 'region', name: 'north' }
      await pass.ok('put_sku_property_value', { by: pass.platform, params, body: { display_name: 'north' } })
    },
  },
]
