/** Windows that are chosen by their names. Apart from the ticket, which many pages use: they need the grammar. Pure. */
import { minuteAt, readWindowParts } from '@bourse/text/grammar/windows.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { endAfter, lengthOfWindow, type Ticket } from './ticket.rules.ts'

/** A window that is chosen by its name. */
export type NamedWindow = { readonly name: string } & Pick<Ticket, 'start' | 'end'>

/** Windows by their names. A start keeps the length of the window; a night and a weekend have their own. */
export function namedWindows(ticket: Ticket, now: number): readonly NamedWindow[] {
  const length = lengthOfWindow(ticket, now) ?? hourSeconds
  const present = { now, zone: localZone() }
  const from = (name: string, start: string): NamedWindow => ({ name, start, end: endAfter(start, length) })
  const whole = (name: string, text: string): NamedWindow => {
    const { start_at, is_now, end_at } = readWindowParts(text, present)
    return { name, start: is_now ? 'now' : String(start_at), end: String(end_at) }
  }
  return [
    from('Now', 'now'),
    from('+1 h', String(minuteAt('+1h', present))),
    whole('Tonight', 'tonight'),
    from('Tomorrow 9:00', String(minuteAt('tomorrow 9:00', present))),
    whole('Next weekend', 'next weekend'),
  ]
}
