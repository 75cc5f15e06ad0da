/** What the calendar shows, from the API. */

import type { MaintenanceNotice, SkuId } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { useMemo } from 'react'
import { allMax, useAll } from '../../live/all.ts'
import { useSkuChoices } from '../../live/choices.ts'
import { client } from '../../live/client.ts'
import { runEach } from '../../live/each.ts'
import { useRead } from '../../live/queries.ts'
import { type Lane, lanesOf } from './lanes.rules.ts'

const dayMinutes = 1_440

/** All lanes, with what went wrong and what was left out. */
export function useLanes(now: number) {
  const options = { every: 30_000 }
  const pools = useAll('list_pools', { schedule_history_minutes: dayMinutes }, options)
  const skus = useSkuChoices()
  const orders = useAll('list_orders', { state: ['standing', 'partially_filled'], include_managed: true }, options)
  const instances = useAll('list_instances', { state: ['running', 'failed'] })
  const procurements = useAll('list_procurements', {}, options)
  const all = [pools, skus, orders, instances, procurements]
  const minute = Math.floor(now / 60) * 60
  const lanes = useMemo((): readonly Lane[] | undefined => {
    if (!pools.data) return undefined
    const sources = {
      pools: pools.data,
      skus: skus.data ?? [],
      orders: orders.data ?? [],
      instances: instances.data ?? [],
      procurements: procurements.data ?? [],
    }
    return lanesOf(sources, minute)
  }, [pools.data, skus.data, orders.data, instances.data, procurements.data, minute])
  return {
    lanes,
    /** The SKUs of lanes that can still be traded; of others nothing is announced. */
    traded: lanes?.map(({ sku }) => sku.id).filter((id) => skus.data?.some((sku) => sku.id === id)) ?? [],
    error: all.find(({ error }) => error)?.error ?? null,
    isCut: all.some(({ data }) => data?.length === allMax),
    updatedAt: pools.dataUpdatedAt,
  }
}

/** SKUs whose maintenance is asked for. */
const skusMax = 20

/** A maintenance of a SKU. */
export type Maintenance = MaintenanceNotice & { readonly sku: string }

/** The maintenance that is announced for SKUs: estimates tell it to everyone, for a window from now on. */
export function useMaintenance(skus: readonly string[], now: number, to: number): readonly Maintenance[] {
  const asked = [...new Set(skus)].toSorted().slice(0, skusMax)
  const hour = Math.floor(now / hourSeconds) * hourSeconds
  const until = Math.ceil(to / hourSeconds) * hourSeconds
  const { data = [] } = useRead(
    ['maintenance', asked, hour, until],
    async () => {
      const found: Maintenance[] = []
      const start_at = Math.floor(now / 60) * 60 + 60
      await runEach(asked, async (sku) => {
        const body = { side: 'buy', sku: sku as SkuId, node_count: 1, start_at } as const
        const { notices } = await client.orders.createEstimate({ ...body, duration_seconds: until - start_at })
        found.push(...notices.map((notice) => ({ ...notice, sku })))
      })
      return found
    },
    { enabled: asked.length > 0 && until > hour + hourSeconds, every: 300_000, keepsLast: true },
  )
  return data
}
