/** Sums of connections that were closed before a request: anybody can open them at any rate. */
import type { Log } from './log.ts'

/** The sums of one kind of connections. */
type ClosedSums = {
  add(problem: string, address: string): void
  /** Writes a line where ten seconds have passed since the first connection that is not in a line. */
  check(): void
  /** Writes what has not been written. */
  flush(): void
}

const logMilliseconds = 10_000
/** Beyond this many, problems are no longer told apart. */
const problemsMax = 20

/** Counts connections by problem, and writes the counts and the newest address to the log at most every ten seconds. */
export function createClosedSums(
  log: Log,
  { now, message }: { readonly now: () => number; readonly message: string },
): ClosedSums {
  let since: number | undefined
  let counts: Record<string, number> = {}
  let address = ''
  const flush = () => {
    if (since === undefined) return
    log.warn({ counts, address }, message)
    since = undefined
    counts = {}
  }
  return {
    add: (problem, peer) => {
      since ??= now()
      const known = counts[problem] !== undefined || Object.keys(counts).length < problemsMax ? problem : 'other'
      counts[known] = (counts[known] ?? 0) + 1
      address = peer
    },
    check: () => {
      if (since !== undefined && now() - since >= logMilliseconds) flush()
    },
    flush,
  }
}
