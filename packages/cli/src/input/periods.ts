/** Parses the beginnings and ends of periods, which the user may type as any moment in them. */
import { usageProblem } from '../output/usage.ts'
import type { Session } from './session.ts'
import { readTime } from './times.ts'

export type GivenMoment = {
  readonly flag: string
  readonly text: string | undefined
  /** Seconds of a period. */
  readonly seconds: number
  readonly round: (periods: number) => number
}

/**
 * The edge of a period from a moment: before it for a beginning, after it for an end. Periods are those of UTC, and so
 * are times without a zone.
 */
export async function periodEdge(session: Session, { flag, text, seconds, round }: GivenMoment): Promise<number> {
  if (text === undefined) throw usageProblem(`${flag} needs a time.`, 'Write 2026-01-31, yesterday, -30d, now.')
  return round((await readTime(session, text, { zone: 'UTC' })) / seconds) * seconds
}
