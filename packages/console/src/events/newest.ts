/** The newest events first, although the API lists the oldest first: windows of time that grow into the past. */

import type { Event, ListEventsQuery } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { client } from '../live/client.ts'

/** The filters of events that the page has. */
export type EventChoice = Pick<ListEventsQuery, 'action' | 'target' | 'target_type'>

/** How far back each window begins, in seconds; the last one has no beginning. */
const reaches = [60, 300, 900, hourSeconds, 21_600, daySeconds] as const

/** The last events before a moment, newest first, `most` at most; none before `since`. */
export async function readNewest(
  choice: EventChoice,
  { until, since = 0, most, signal }: { until: number; since?: number; most: number; signal: AbortSignal },
): Promise<Event[]> {
  const newest: Event[] = []
  let end = until
  for (const reach of [...reaches, undefined]) {
    const begin = reach === undefined ? since : Math.max(since, until - reach)
    const window = { until: end, ...(begin === 0 ? {} : { since: begin }) }
    newest.push(...(await lastOf({ ...choice, ...window }, most - newest.length, signal)).reverse())
    if (newest.length >= most || begin === since) break
    end = begin - 1
  }
  return newest
}

async function lastOf(query: ListEventsQuery, most: number, signal: AbortSignal): Promise<Event[]> {
  let last: Event[] = []
  for await (const event of client.events.list({ ...query, limit: 200 }, { signal })) {
    last.push(event)
    if (last.length >= 2 * most) last = last.slice(-most)
  }
  return last.slice(-most)
}

/** Whether an event that has just come is one of those that a page shows. */
export function isChosen({ action, targets }: Event, choice: EventChoice): boolean {
  if (choice.action && action !== choice.action) return false
  if (choice.target && !targets.some(({ id }) => id === choice.target)) return false
  return !choice.target_type || targets.some(({ type }) => type === choice.target_type)
}
