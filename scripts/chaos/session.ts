/** Runs rounds one after the other, whatever becomes of each, and reports each as soon as it has ended. */
import type { KindName } from '../../packages/server/test/chaos/kinds/all.ts'
import type { PlannedRound } from '../../packages/server/test/chaos/plan.ts'
import type { RoundResult } from '../../packages/server/test/chaos/run.ts'
import { boundLines, cutLine } from './lines.ts'
import type { ReportedRound } from './report.ts'

export type Session = {
  readonly planned: Iterable<PlannedRound<KindName>>
  /** Carries out a round. What it throws is the problem of the round. */
  run(planned: PlannedRound<KindName>): Promise<RoundResult>
  /** Whether the time is over. Asked before each round. */
  isOver(): boolean
  /** Whether somebody has ended the session. The round during which it ended is not reported. */
  isInterrupted(): boolean
  /** Called with each round that has ended. */
  report(round: ReportedRound): void
}

/** Why a session ended: `stuck` if several rounds in a row could not be carried out. */
export type SessionEnd = 'all done' | 'time over' | 'interrupted' | 'stuck'

/** Of one round, so much is in the report. */
const failuresMax = 200
const notesMax = 50
const lostMax = 10
/** After so many rounds in a row that could not be carried out, the next ones cannot either. */
const stuckAfter = 5

/** Runs the rounds until all are done, or it has to end. */
export async function runSession({ planned, run, isOver, isInterrupted, report }: Session): Promise<SessionEnd> {
  let failedInRow = 0
  for (const one of planned) {
    if (isInterrupted()) return 'interrupted'
    if (isOver()) return 'time over'
    const round = await runOne(one, run)
    if (isInterrupted()) return 'interrupted'
    report(round)
    failedInRow = round.problem === undefined ? 0 : failedInRow + 1
    if (failedInRow === stuckAfter) return 'stuck'
  }
  return 'all done'
}

async function runOne({ kind, seed }: PlannedRound<KindName>, run: Session['run']): Promise<ReportedRound> {
  const started = performance.now()
  try {
    const { figures, lost, failures, late, notes, seconds } = await run({ kind, seed })
    const { lines, left_out } = boundLines(failures, failuresMax)
    return {
      kind,
      seed,
      figures,
      failures: lines,
      ...(left_out > 0 ? { failures_left_out: left_out } : {}),
      late,
      notes: boundLines(notes, notesMax).lines,
      seconds,
      lost: lost.slice(0, lostMax),
    }
  } catch (error) {
    const seconds = Math.round((performance.now() - started) / 1000)
    return { kind, seed, seconds, notes: [], lost: [], failures: [], late: [], problem: cutLine(describeError(error)) }
  }
}

/** An error, with the one that it hides: what failed first, where ending it failed too. */
function describeError(error: unknown): string {
  if (!(error instanceof SuppressedError)) return String(error)
  return `${describeError(error.suppressed)}; then: ${describeError(error.error)}`
}
