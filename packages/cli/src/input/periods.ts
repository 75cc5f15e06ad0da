/** Parses the beginnings and ends of periods, which the user may type as any moment in them. */
import { usageProblem } from '../output/usage.ts'
import { readMoment } from './field-values.ts'
import type { Session } from './session.ts'

export type GivenMoment = {
  readonly flag: string
  readonly text: string | undefined
  /** Seconds of a period. */
  readonly seconds: number
  readonly round: (periods: number) => number
}

/** The edge of a period from a moment: before it for a beginning, after it for an end. */
export async function periodEdge({ lookup }: Session, { flag, text, seconds, round }: GivenMoment): Promise<number> {
  const read = text === undefined ? undefined : readMoment(text)
  if (read === undefined) throw usageProblem(`${flag} needs a time.`, 'Write 2026-01-31T00:00Z, -30d, now.')
  const moment = typeof read === 'number' ? read : (await lookup.account.get()).server.now + read.from_now
  return round(moment / seconds) * seconds
}
