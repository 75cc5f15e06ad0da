import type { listUsage as listContract, Usage } from '@bourse/api/billing/usage.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { printDollars } from '@bourse/text/money.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { openPlace, pageResponse, refuseBothCursors, sealPlace } from '../../core/work/page.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { readPoolsEver } from '../../market/pools/pools.service.ts'
import {
  type Granularity,
  groupUsage,
  type PlaceHours,
  type PlaceUsage,
  periodEnd,
  refuseUsageRange,
  rowKey,
  type UsageRange,
  type UsageRow,
  usageOfPlace,
} from './usage.rules.ts'
import { listLevels, listUsageHours } from './usage.store.ts'
import { type HourRow, type PoolAndSku, placeKey } from './usage-fold.rules.ts'
import { readRemainder, requireVersion } from './usage-fold.service.ts'

const defaultLimit = 50

/** Lists the usage of the caller's account by period and group. */
export async function listUsage(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'billing:list', null)
  const { granularity = 'day', group_by = [], limit = defaultLimit } = query
  throwIfRefused(refuseUsageRange(query, granularity))
  const repeated = group_by.findIndex((name, index) => group_by.indexOf(name) !== index)
  if (repeated >= 0) refuse('duplicate_entry', 'A group is named twice.', `group_by.${repeated}`)
  refuseBothCursors(query)
  const rows = await readGroupedUsage(ctx, callerOf(ctx).account_id, { range: query, granularity, group_by })
  const spec = { prefix: 'usagc', query }
  const before = openPlace(ctx, spec, 'ending_before')?.first
  const after = openPlace(ctx, spec, 'starting_after')?.last
  const { shown, has_more } = pageOf(rows, { limit, before: textOf(before), after: textOf(after) })
  const [first] = shown
  const last = shown.at(-1)
  const cursor =
    first && last
      ? sealPlace(ctx, spec, { first: [first.period, rowKey(first)], last: [last.period, rowKey(last)] })
      : undefined
  return pageResponse(
    { rows: [], has_more, cursor },
    shown.map((row) => presentUsage(row, granularity)),
  )
}

/** The usage of an account by period and group. The range is made of whole hours. */
async function readGroupedUsage(
  ctx: Ctx,
  accountId: string,
  { range, granularity, group_by }: { range: UsageRange; granularity: Granularity; group_by: readonly string[] },
): Promise<UsageRow[]> {
  const rows = await readUsage(ctx, accountId, range, granularity)
  const isByPool = group_by.some((name) => name === 'workspace' || name.startsWith('tag:'))
  const pools = isByPool ? await readPoolsEver(ctx, [...new Set(rows.map(({ pool_id }) => pool_id))]) : []
  const byId = new Map(pools.map((pool) => [pool.id as string, pool]))
  return groupUsage(rows, group_by, (pool_id) => byId.get(pool_id) ?? { workspace_id: '', tags: null })
}

/** The usage of an account by place and period. */
export async function readUsage(
  ctx: Ctx,
  accountId: string,
  range: UsageRange,
  granularity: Granularity,
): Promise<PlaceUsage[]> {
  const places = await readPlaces(ctx, accountId, range)
  return places.flatMap((place) => usageOfPlace(place, range, { granularity, now: ctx.now }))
}

type OpenPlace = PoolAndSku & { owned_before: number; run_before: number; readonly hours: Map<number, HourRow> }

async function readPlaces(ctx: Ctx, accountId: string, { from, to }: UsageRange): Promise<PlaceHours[]> {
  const first = from / hourSeconds
  const end = to / hourSeconds
  const remainder = await readRemainder(ctx, accountId, { from: from / 60, to: to / 60 })
  const [rows, levels] = await Promise.all([
    listUsageHours(ctx.db, accountId, first, end),
    listLevels(ctx.db, accountId, first),
  ])
  await requireVersion(ctx, accountId, remainder)
  const places = new Map<string, OpenPlace>()
  const placeOf = ({ pool_id, sku_id }: PoolAndSku): OpenPlace => {
    const key = placeKey({ pool_id, sku_id })
    const known = places.get(key)
    if (known) return known
    const made = { pool_id, sku_id, owned_before: 0, run_before: 0, hours: new Map<number, HourRow>() }
    places.set(key, made)
    return made
  }
  for (const level of levels) {
    const place = placeOf(level)
    place.owned_before += level.owned_nodes
    place.run_before += level.run_nodes
  }
  for (const row of rows) placeOf(row).hours.set(row.hour, row)
  for (const cells of remainder.cells.values()) {
    const place = placeOf(cells)
    for (const [hour, cell] of cells.hours) {
      if (hour < first) {
        place.owned_before += cell.owned_nodes
        place.run_before += cell.run_nodes
      } else if (hour < end) place.hours.set(hour, added(place.hours.get(hour), { ...cell, ...cells, hour }))
    }
  }
  return [...places.values()]
}

function added(a: HourRow | undefined, b: HourRow): HourRow {
  if (!a) return b
  return {
    ...a,
    bought_micros: a.bought_micros + b.bought_micros,
    sold_micros: a.sold_micros + b.sold_micros,
    fee_micros: a.fee_micros + b.fee_micros,
    cost_micros: a.cost_micros + b.cost_micros,
    owned_minutes: a.owned_minutes + b.owned_minutes,
    owned_nodes: a.owned_nodes + b.owned_nodes,
    run_minutes: a.run_minutes + b.run_minutes,
    run_nodes: a.run_nodes + b.run_nodes,
  }
}

type PageEnds = { readonly limit: number; readonly before: string | undefined; readonly after: string | undefined }

/** A page of rows. A row that has gone since the cursor was made leaves its place: rows after it follow. */
function pageOf(
  rows: readonly UsageRow[],
  { limit, before, after }: PageEnds,
): { shown: UsageRow[]; has_more: boolean } {
  if (before !== undefined) {
    const end = placeIn(rows, before).first
    return { shown: rows.slice(Math.max(0, end - limit), end), has_more: end > limit }
  }
  const start = after === undefined ? 0 : placeIn(rows, after).end
  return { shown: rows.slice(start, start + limit), has_more: rows.length > start + limit }
}

/** Where a row with a key is or would be: the rows before `first` are less, those from `end` on greater. */
function placeIn(rows: readonly UsageRow[], key: string): { first: number; end: number } {
  const period = Number(key.slice(0, key.indexOf(' ')))
  const group = key.slice(key.indexOf(' ') + 1)
  const order = (row: UsageRow) => row.period - period || compare(JSON.stringify(row.group), group)
  const first = rows.findIndex((row) => order(row) >= 0)
  const end = rows.findIndex((row) => order(row) > 0)
  return { first: first < 0 ? rows.length : first, end: end < 0 ? rows.length : end }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function textOf(keys: readonly unknown[] | undefined): string | undefined {
  return keys?.[1] as string | undefined
}

function presentUsage({ period, group, ...sums }: UsageRow, granularity: Granularity): Usage {
  return {
    object: 'usage',
    period_start: period,
    period_end: periodEnd(period, granularity),
    group,
    allocated_node_minutes: sums.allocated,
    used_node_minutes: sums.used,
    bought_dollars: printDollars(sums.bought_micros),
    sold_dollars: printDollars(sums.sold_micros),
    effective_cost_dollars: printDollars(sums.cost_micros),
  }
}
