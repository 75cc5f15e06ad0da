/** The past prices of a SKU on the board, from its trades by hour. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'

/** The trades of one hour. */
type HourOfTrades = { readonly start_at: number; readonly last_micros: bigint }

/** The newest price, and what it has changed by, in hundredths of a percent. */
type BoardChange = { readonly last_micros: bigint | undefined; readonly change_bps: number | null }

/**
 * The change of the last price against that of a day ago: the last price of an hour that had ended by then. There is
 * none where nothing was traded since, because then the price is not known to have stayed.
 */
export function changeOf(hours: readonly HourOfTrades[], now: number): BoardChange {
  const last = hours.at(-1)
  if (!last) return { last_micros: undefined, change_bps: null }
  const { last_micros } = last
  const before = hours.findLast(({ start_at }) => start_at + hourSeconds <= now - daySeconds)
  if (!before || before === last || before.last_micros === 0n) return { last_micros, change_bps: null }
  const ratio = Number(last_micros - before.last_micros) / Number(before.last_micros)
  return { last_micros, change_bps: Math.round(ratio * 10_000) }
}

/** The rows of hours in their places; undefined for an hour without trades. */
export function inHours<R extends { readonly start_at: number }>(
  rows: readonly R[],
  from: number,
  count: number,
): (R | undefined)[] {
  const places: (R | undefined)[] = new Array(count).fill(undefined)
  for (const row of rows) {
    const index = (row.start_at - from) / hourSeconds
    if (index >= 0 && index < count) places[index] = row
  }
  return places
}
