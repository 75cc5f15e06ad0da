/** Reads times of the command line by the clock of the server, which a sandbox may have moved. */

import { type Moment, momentAt, readMoment } from '@bourse/text/grammar/moments.ts'
import type { Present } from '@bourse/text/grammar/windows.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import type { Zone } from '@bourse/text/time/zones.ts'
import type { Session } from './session.ts'

type TimeLookup = Pick<Session, 'lookup'>

/** The server's present time, and the zone of times without one. */
export async function presentOf({ lookup }: TimeLookup, zone: Zone = localZone()): Promise<Present> {
  return { now: (await lookup.account.get()).server.now, zone }
}

/**
 * The moment of a text, in Unix seconds. One relative to now is rounded down to a multiple of `step`. Times without a
 * zone are local.
 */
export async function readTime(
  session: TimeLookup,
  text: string,
  { step = 1, zone = localZone() }: { step?: number; zone?: Zone } = {},
): Promise<number> {
  const moment: Moment = readMoment(text)
  if (typeof moment === 'number') return moment
  const { now } = await presentOf(session, zone)
  const at = momentAt(moment, { now, zone, text })
  return 'from_now' in moment ? at - (at % step) : at
}
