/** The results of runs that RELIABILITY.md shows: one for each command, the last one that was recorded. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a command came to. `figures` is the last line of a script; tests have their numbers instead. */
export type RecordedResult = {
  /** In UTC, as YYYY-MM-DD. */
  readonly date: string
  readonly commit: string
  readonly passed: boolean
  readonly tests?: { readonly passed: number; readonly failed: number; readonly left_out: number }
  readonly figures?: string
}

/** Results by command. */
export type Results = Readonly<Record<string, RecordedResult>>

export const resultsPath = 'docs/reliability/results.json'

/** The recorded results of the repository in a directory. */
export function readResults(root: string): Results {
  return JSON.parse(readFileSync(join(root, resultsPath), 'utf8')) as Results
}

/** Stores the result of a command in place of its last one. */
export function storeResult(root: string, command: string, result: RecordedResult): void {
  const all: Record<string, RecordedResult> = { ...readResults(root), [command]: result }
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(root, resultsPath), `${JSON.stringify(sorted, null, 2)}\n`)
}
