/** Parses windows of time: a start, and a duration or an end. */

import { usageProblem } from '../output/usage.ts'
import { type FromNow, readMoment, readSpan } from './field-values.ts'
import type { Session } from './session.ts'

export type WindowOptions = { readonly from: string; readonly for?: string; readonly until?: string }

const spanByDefault = '2h'

/** Parses a window of whole minutes. `now` means the present minute. */
export async function readWindow(
  session: Session,
  options: WindowOptions,
): Promise<{ start_at: number; end_at: number }> {
  if (options.for !== undefined && options.until !== undefined) throw usageProblem('Give either --for or --until.')
  const start_at = await momentOf(session, '--from', options.from)
  if (options.until !== undefined) {
    const end_at = await momentOf(session, '--until', options.until)
    if (end_at <= start_at) throw usageProblem('--until must be later than --from.')
    return { start_at, end_at }
  }
  const seconds = readSpan(options.for ?? spanByDefault)
  if (seconds === undefined || seconds === 0 || seconds % 60 !== 0) {
    throw usageProblem(`"${options.for}" is not a duration in whole minutes.`, 'Write 90m, 2h, 1d.')
  }
  return { start_at, end_at: start_at + seconds }
}

/** The server's present time plus `from_now` seconds, rounded down to a multiple of `step` seconds. */
export async function momentFromNow({ lookup }: Session, from_now: number, step: number): Promise<number> {
  const moment = (await lookup.account.get()).server.now + from_now
  return moment - (moment % step)
}

async function momentOf(session: Session, flag: string, text: string): Promise<number> {
  const read: number | FromNow | undefined = readMoment(text)
  if (read === undefined) throw usageProblem(`"${text}" is not a time.`, `${flag} takes now, +2h, 2026-01-31T12:00Z.`)
  return typeof read === 'number' ? read : momentFromNow(session, read.from_now, 60)
}
