/** What is known about the nodes that instances run on: until when a pool has them, and what they cost. */
import type { Pool } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { useMemo } from 'react'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { costsPerNodeHour, nextReduction, type PoolReduction } from './capacity.rules.ts'

type PlacedInstance = { readonly pool: { readonly id: string } | null; readonly sku: { readonly id: string } }

/** The next reduction of the nodes that an instance may run on. */
export function usePoolReductions(): (instance: PlacedInstance) => PoolReduction | undefined {
  const { data } = useAll('list_pools', {}, { every: 60_000 })
  const now = useNow(60)
  return useMemo(() => {
    const schedules = new Map<string, Pool['allocation_schedule']['by_sku']>(
      data?.map(({ id, allocation_schedule }) => [id, allocation_schedule.by_sku]),
    )
    return ({ pool, sku }) => nextReduction(schedules.get(pool?.id ?? '')?.[sku.id] ?? [], now)
  }, [data, now])
}

/** Dollars of a node of a pool in this hour, on average; undefined for who may not see costs, or where none is kept. */
export function useNodeCosts(): (instance: PlacedInstance) => string | undefined {
  const from = useNow(hourSeconds)
  const { data } = useRead(
    ['usage', 'node-costs', from],
    () =>
      client.usage
        .list({ from, to: from + hourSeconds, granularity: 'hour', group_by: ['pool', 'sku'], limit: 200 })
        .all({ max: 1_000 }),
    { every: 300_000, retry: 1 },
  )
  return useMemo(() => {
    const costs = costsPerNodeHour(data ?? [])
    return ({ pool, sku }) => costs.get(`${pool?.id} ${sku.id}`)
  }, [data])
}
