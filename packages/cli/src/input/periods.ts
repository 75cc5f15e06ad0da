/** Parses the beginnings and ends of periods, which the user may type as any moment in them. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { Session } from './session.ts'
import { readTime } from './times.ts'

/** The unit of a period. A month has no fixed length, so its edges are typed as they are. */
export type Unit = 'hour' | 'day' | 'month'
/** A period as it was typed. Without a beginning it is the present month, without an end it goes up to now. */
export type TypedPeriod = { readonly from?: string | undefined; readonly to?: string | undefined }

const secondsOf = { hour: hourSeconds, day: daySeconds, month: 1 } as const

/** The period in whole units that contains the typed one. */
export async function readPeriod(
  session: Session,
  { from, to }: TypedPeriod,
  unit: Unit,
): Promise<{ from: number; to: number }> {
  // Periods are those of UTC, and so are times without a zone.
  const read = (text: string) => readTime(session, text, { zone: 'UTC' })
  const now = from === undefined || to === undefined ? (await session.lookup.account.get()).server.now : 0
  const seconds = secondsOf[unit]
  const start = from === undefined ? startOfMonth(now, 0) : await read(from)
  const end = to === undefined ? endByDefault(now, unit) : await read(to)
  return { from: Math.floor(start / seconds) * seconds, to: Math.ceil(end / seconds) * seconds }
}

/** The month of a moment, in UTC: `2026-01`. */
export function monthOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 7)
}

/** Just behind now, so that the period that runs counts. */
function endByDefault(now: number, unit: Unit): number {
  return unit === 'month' ? startOfMonth(now, 1) : now + 1
}

function startOfMonth(now: number, later: number): number {
  const date = new Date(now * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000
}
