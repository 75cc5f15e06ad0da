/** What the log of PostgreSQL says about a recovery. */

/** How far a recovery came. Times are those of the log, in UTC. */
export type RecoveryLog = {
  /** The time of the last commit that was replayed; undefined where none was. */
  readonly last_commit_at: string | undefined
  /** The first commit that was left out, where the log had one. */
  readonly first_lost: { readonly transaction: number; readonly at: string } | undefined
  readonly timeline: number | undefined
}

/** Reads the lines of a recovery. The last one of a kind counts. */
export function describeRecovery(log: string): RecoveryLog {
  const last = (pattern: RegExp) => [...log.matchAll(pattern)].at(-1)
  const commit = last(/last completed transaction was at log time (.+)$/gm)?.[1]
  const lost = last(/recovery stopping before (?:commit|abort) of transaction (\d+), time (.+)$/gm)
  const timeline = last(/selected new timeline ID: (\d+)/g)?.[1]
  return {
    last_commit_at: commit === undefined ? undefined : isoTime(commit),
    first_lost: lost ? { transaction: Number(lost[1]), at: isoTime(lost[2] ?? '') } : undefined,
    timeline: timeline === undefined ? undefined : Number(timeline),
  }
}

/** `2026-11-29 03:00:00.123456+00` as ISO 8601, to the microsecond. */
function isoTime(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z')
}
