/** Parses windows of time: one text, or a start with a duration or an end. */

import { minuteAt, minutesOf, readWindowText, type TimeWindow } from '@bourse/text/grammar/windows.ts'
import { usageProblem } from '../output/usage.ts'
import type { Session } from './session.ts'
import { presentOf } from './times.ts'

export type WindowOptions = {
  readonly window?: string
  readonly from?: string
  readonly for?: string
  readonly until?: string
}

/** How a window is given where parts of it are missing. */
type Defaults = { readonly from?: string; readonly for?: string }

/** Parses a window of whole minutes that ends: of two hours from the present minute on where nothing else is given. */
export async function readWindow(
  session: Session,
  options: WindowOptions,
): Promise<{ start_at: number; end_at: number }> {
  const { start_at, end_at } = await readOpenWindow(session, options, { from: 'now', for: '2h' })
  if (end_at === null) throw usageProblem('This window needs an end.', 'Give --for or --until.')
  return { start_at, end_at }
}

/** Parses a window of whole minutes, which may be without end. */
export async function readOpenWindow(
  session: Pick<Session, 'lookup'>,
  { window, from, for: length, until }: WindowOptions,
  defaults: Defaults = {},
): Promise<TimeWindow> {
  const present = await presentOf(session)
  if (window !== undefined) {
    const others = [from, length, until].filter((one) => one !== undefined)
    // A command may have a default for its --from.
    if (others.length > (from === defaults.from && from !== undefined ? 1 : 0)) {
      throw usageProblem('Give either --window or --from, --for and --until.')
    }
    return readWindowText(window, present)
  }
  if (length !== undefined && until !== undefined) throw usageProblem('Give either --for or --until.')
  const start = from ?? defaults.from
  if (start === undefined) throw usageProblem('The window has no start.', 'Give --from or --window.')
  const start_at = minuteAt(start, present)
  if (until !== undefined) {
    const open = /^(never|forever)$/i.test(until)
    const end_at = open ? null : readWindowText(`${start} until ${until}`, present).end_at
    return { start_at, end_at }
  }
  const span = length ?? defaults.for
  if (span === undefined) throw usageProblem('The window has no end.', 'Give --for, --until, or --until never.')
  return { start_at, end_at: start_at + minutesOf(span) }
}

/** The server's present time plus `fromNow` seconds, rounded down to a multiple of `step` seconds. */
export async function momentFromNow(session: Pick<Session, 'lookup'>, fromNow: number, step: number): Promise<number> {
  const moment = (await presentOf(session)).now + fromNow
  return moment - (moment % step)
}
