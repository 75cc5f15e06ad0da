import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { listSkuAvailability as listContract, SkuAvailability } from '@bourse/api/market/sku-availability.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { openPlace, pageResponse, refuseBothCursors, sealPlace } from '../../core/work/page.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { availabilityOf } from '../book/book-views.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { toEntries } from '../schedule/schedule.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { findSkuFor, listFittingSkus, requirementsOf, summarizeSku } from '../skus/skus.service.ts'
import { readBook } from '../trading/book-cache.service.ts'
import { horizonSeconds } from '../trading/order-admission.rules.ts'

type AvailabilityWindow = { readonly start_at?: number; readonly end_at?: number }

const defaultDays = 30
const defaultLimit = 50

/** Lists the nodes of each SKU that other accounts offer over time, by SKU id. */
export async function listSkuAvailability(ctx: Ctx, query: Input<typeof listContract>['query']) {
  refuseBothCursors(query)
  const { limit = defaultLimit, id } = query
  const window = windowOf(ctx, query)
  const spec = { prefix: 'skavc', query }
  const after = openPlace(ctx, spec, 'starting_after')?.last[0]
  const before = openPlace(ctx, spec, 'ending_before')?.first[0]
  const fitting = await listFittingSkus(ctx, callerOf(ctx).account_id, requirementsOf(query.requirements))
  const rest = fitting
    .filter((sku) => (id === undefined || id.includes(sku.id)) && (after === undefined || sku.id > after))
    .filter((sku) => before === undefined || sku.id < before)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const shown = before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
  const data: SkuAvailability[] = []
  for (const sku of shown) data.push(await availabilityIn(ctx, sku, window))
  const [first] = shown
  const last = shown.at(-1)
  const cursor = first && last ? sealPlace(ctx, spec, { first: [first.id], last: [last.id] }) : undefined
  return pageResponse({ rows: [], has_more: rest.length > limit, cursor }, data)
}

/** The nodes of one SKU that other accounts offer over time. */
export async function getSkuAvailability(ctx: Ctx, id: Id<'sku'>, query: AvailabilityWindow): Promise<SkuAvailability> {
  const window = windowOf(ctx, query)
  const sku = await findSkuFor(ctx, callerOf(ctx).account_id, id)
  return sku?.is_visible ? availabilityIn(ctx, sku, window) : refuseNotFound()
}

async function availabilityIn(
  ctx: Ctx,
  sku: AccountSkuRow,
  window: { from: number; to: number },
): Promise<SkuAvailability> {
  const book = await readBook(ctx, sku.id)
  const offered = book ? availabilityOf(book, window, callerOf(ctx).account_id) : []
  const schedule = toEntries(offered) as SkuAvailability['schedule']
  return { object: 'sku_availability', sku: summarizeSku(sku), schedule }
}

function windowOf(ctx: Ctx, { start_at, end_at }: AvailabilityWindow): { from: number; to: number } {
  const start = start_at ?? Math.floor(ctx.now / 60) * 60
  const end = end_at ?? start + defaultDays * daySeconds
  if (start >= end) refuse('invalid_range', 'The start must lie before the end.', 'end_at')
  if (end - start > horizonSeconds) refuse('invalid_range', 'A request covers at most three years.', 'end_at')
  return { from: Math.max(minuteOf(start), minuteOf(ctx.now)), to: minuteOf(end) }
}
