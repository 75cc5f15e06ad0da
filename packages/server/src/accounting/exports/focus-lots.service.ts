/** Rows of FOCUS exports that come from lots: what purchases cost day by day, and what is still held. */

import { daySeconds } from '@bourse/text/time/units.ts'
import type { ReadPart } from '../../core/http/handlers.ts'
import { shownPrice } from '../../market/orders/order-presentation.service.ts'
import { costWithin, wholeBoxes } from '../usage/cost-spread.rules.ts'
import { readUsage } from '../usage/usage.service.ts'
import { placeKey } from '../usage/usage-fold.rules.ts'
import type { ExportRow } from './columns.rules.ts'
import { type ChargedPlace, commitmentRow, type DayOfUse, isSpot, type Payer, usageRow } from './focus.rules.ts'
import { listPricedLots, type PricedLotRow } from './focus-lots.store.ts'
import { pagesAhead } from './pages.service.ts'

type LotPlan = {
  readonly read: ReadPart
  readonly payer: Payer
  readonly from: number
  readonly to: number
  readonly now: number
}

const lotPage = 1_000
/** A lot has a row for each of up to 400 days. */
const lotsAtOnce = 20

/**
 * What purchases cost in each day that has ended, by pool and SKU, in the order of the purchases. The nodes that
 * instances used are those of the oldest purchases. Days that have ended do not change, so all pages agree.
 */
export async function* usageRows(
  { read, payer, from, to, now }: LotPlan,
  places: ReadonlyMap<string, ChargedPlace>,
): AsyncGenerator<ExportRow[]> {
  const range = { from, to: Math.min(to, now - (now % daySeconds)) }
  if (range.from >= range.to) return
  const used = new Map<string, Map<number, number>>()
  for (const { period, ...row } of await read((ctx) => readUsage(ctx, payer.id, range, 'day'))) {
    const key = placeKey(row)
    used.set(key, (used.get(key) ?? new Map()).set(period, row.used))
  }
  for (const [key, place] of places) {
    const left = used.get(key) ?? new Map<number, number>()
    for await (const page of lotPages(read, place, range)) {
      for (let first = 0; first < page.length; first += lotsAtOnce) {
        yield page
          .slice(first, first + lotsAtOnce)
          .flatMap((lot) => daysOf(lot, range, left).map((use) => usageRow(payer, place, use)))
      }
    }
  }
}

/** The days of a lot. Takes what instances used of it from what is left of their use. */
function daysOf(lot: PricedLotRow, { from, to }: Seconds, left: Map<number, number>): DayOfUse[] {
  const start = Math.max(from, lot.start_minute * 60)
  const end = Math.min(to, lot.end_minute * 60)
  const uses: DayOfUse[] = []
  for (let day = start - (start % daySeconds); day < end; day += daySeconds) {
    const cost = costIn(lot, { from: day, to: day + daySeconds })
    const unused = left.get(day) ?? 0
    const using = Math.min(unused, cost.minutes)
    if (using > 0) left.set(day, unused - using)
    uses.push(...splitUse(lot, { day, using, ...cost }))
  }
  return uses
}

/** What is held from now on, cut to the range. */
export async function* commitmentRows(
  { read, from, to, now }: LotPlan,
  places: ReadonlyMap<string, ChargedPlace>,
): AsyncGenerator<ExportRow[]> {
  const range = { from: Math.max(from, now - (now % 60)), to }
  if (range.from >= to) return
  for (const place of places.values()) {
    for await (const page of lotPages(read, place, range)) {
      yield page.flatMap((lot) => {
        const { minutes, micros } = costIn(lot, range)
        if (minutes === 0) return []
        const start = Math.max(lot.start_minute * 60, range.from)
        const end = Math.min(lot.end_minute * 60, range.to)
        return [commitmentRow({ fill_id: lot.fill_id, start, end, node_minutes: minutes, cost_micros: micros, place })]
      })
    }
  }
}

type Seconds = { readonly from: number; readonly to: number }

async function* lotPages(
  read: ReadPart,
  { pool_id, sku_id }: ChargedPlace,
  range: Seconds,
): AsyncGenerator<PricedLotRow[]> {
  const next = (after: { purchase: number; id: number }) => {
    const place = { pool_id, sku_id, from_minute: range.from / 60, to_minute: range.to / 60, after, limit: lotPage }
    return read((ctx) => listPricedLots(ctx.db, place))
  }
  const placeOf = ({ purchase, id }: PricedLotRow) => ({ purchase, id })
  yield* pagesAhead(next, { purchase: 0, id: 0 }, { length: lotPage, placeOf })
}

function costIn(lot: PricedLotRow, { from, to }: Seconds): { minutes: number; micros: bigint } {
  return costWithin(lot, lot.boxes ?? wholeBoxes(lot.shape), { from: from / 60, to: to / 60 })
}

/** The used and the unused part of a lot in a day. The used part costs its share rounded down, the other the rest. */
function splitUse(
  { fill_id, price_micros, managed_by }: PricedLotRow,
  { day, using, minutes, micros }: { day: number; using: number; minutes: number; micros: bigint },
): DayOfUse[] {
  if (minutes === 0) return []
  const common = { day, fill_id, price: shownPrice(price_micros), is_spot: isSpot(managed_by) }
  const usedMicros = (micros * BigInt(using)) / BigInt(minutes)
  const parts: DayOfUse[] = [
    { ...common, is_used: true, node_minutes: using, cost_micros: usedMicros },
    { ...common, is_used: false, node_minutes: minutes - using, cost_micros: micros - usedMicros },
  ]
  return parts.filter(({ node_minutes }) => node_minutes > 0)
}
