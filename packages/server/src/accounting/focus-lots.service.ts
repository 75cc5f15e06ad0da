/** Rows of FOCUS exports that come from lots: what purchases cost day by day, and what is still held. */
import type { ReadPart } from '../core/http/routes.ts'
import { shownPrice } from '../market/orders/order-presentation.service.ts'
import { costWithin, wholeBoxes } from './cost-spread.rules.ts'
import { type ChargedPlace, commitmentRow, type DayOfUse, type ExportRow, type Payer, usageRow } from './focus.rules.ts'
import { listPricedLots, type PricedLotRow } from './focus-lots.store.ts'
import { readUsage } from './usage.service.ts'
import { placeKey } from './usage-fold.rules.ts'

type Plan = {
  readonly read: ReadPart
  readonly payer: Payer
  readonly from: number
  readonly to: number
  readonly now: number
}

const lotPage = 1_000
const daySeconds = 86_400

/**
 * What purchases cost in each day that has ended, by pool and SKU. The nodes that instances used are those of the
 * oldest purchases. Days that have ended do not change, so all pages agree.
 */
export async function* usageRows(
  { read, payer, from, to, now }: Plan,
  places: ReadonlyMap<string, ChargedPlace>,
): AsyncGenerator<ExportRow[]> {
  const end = Math.min(to, now - (now % daySeconds))
  if (from >= end) return
  const used = new Map<string, number>()
  for (const { period, ...row } of await read((ctx) => readUsage(ctx, payer.id, { from, to: end }, 'day'))) {
    used.set(`${placeKey(row)}/${period}`, row.used)
  }
  for (const place of places.values()) {
    for (let day = from; day < end; day += daySeconds) {
      let left = used.get(`${placeKey(place)}/${day}`) ?? 0
      for await (const page of lotPages(read, place, { from: day, to: day + daySeconds })) {
        const rows: ExportRow[] = []
        for (const lot of page) {
          const cost = costIn(lot, { from: day, to: day + daySeconds })
          const using = Math.min(left, cost.minutes)
          left -= using
          for (const use of splitUse(lot, { day, using, ...cost })) rows.push(usageRow(payer, place, use))
        }
        yield rows
      }
    }
  }
}

/** What is held from now on, cut to the range. */
export async function* commitmentRows(
  { read, from, to, now }: Plan,
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
  let after = { purchase: 0, id: 0 }
  for (;;) {
    const place = { pool_id, sku_id, from_minute: range.from / 60, to_minute: range.to / 60, after, limit: lotPage }
    const page = await read((ctx) => listPricedLots(ctx.db, place))
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < lotPage || !last) return
    after = { purchase: last.purchase, id: last.id }
  }
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
  const common = { day, fill_id, price: shownPrice(price_micros), is_spot: managed_by?.startsWith('depl_') ?? false }
  const used_micros = (micros * BigInt(using)) / BigInt(minutes)
  const parts: DayOfUse[] = [
    { ...common, is_used: true, node_minutes: using, cost_micros: used_micros },
    { ...common, is_used: false, node_minutes: minutes - using, cost_micros: micros - used_micros },
  ]
  return parts.filter(({ node_minutes }) => node_minutes > 0)
}
