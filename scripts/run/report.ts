import type { FileResult } from './file-result.ts'
import type { Outcome } from './step.ts'
import type { RunResult } from './test-files.ts'
import { type Level, levels } from './tests.ts'

/** What a run has done. `gate`: `npm test`; `deep`: `npm run deep`. */
export type WholeRun = RunResult & {
  readonly kind: 'gate' | 'deep'
  readonly chosen: readonly Level[]
  readonly checks: Outcome[]
  /** The results of the files that failed, run once more. */
  readonly again: FileResult[]
  /** Whether a signal ended it. */
  stopped: boolean
}

/** A run passes if tests ran, and everything passed at the first or the second try. */
export function isPassed(run: WholeRun): boolean {
  return countFailed(run) === 0 && countPassed(run) > 0
}

/** The report of a run of so many seconds: failures, levels, what did not run, unsteady tests, the number of tests. */
export function reportLines(run: WholeRun, seconds: number): string[] {
  const { kind, chosen, checks, files, again, left_behind, stopped } = run
  const failures = [...files, ...again].flatMap((file) => file.failures)
  const passed = countPassed(run)
  return [
    ...failures.flatMap((failure) => ['', `✖ ${failure}`]),
    '',
    ...chosen.map((name) => levelLine(name, run)),
    ...(kind === 'gate' ? ['left out: what only `npm run deep` runs; CONTRIBUTING.md says when'] : []),
    ...leftOutLines(finalFiles(run)),
    ...(left_behind ? ['tests left processes behind; they were killed'] : []),
    ...checks.filter(({ ok }) => !ok).map(({ name }) => `failed check: ${name}`),
    ...(stopped ? ['failed: stopped by a signal'] : []),
    ...(passed === 0 ? ['failed: no test ran'] : []),
    `${seconds.toFixed(0)} s in total`,
    ...unsteadyTitles(run).map((title) => `unsteady: ${title}`),
    `${passed} passed, ${countFailed(run)} failed`,
  ]
}

/** The tests that failed and then passed, as FILE: TITLE. */
function unsteadyTitles({ files, again }: WholeRun): string[] {
  const steady = new Set(again.filter(({ failed }) => failed === 0).map(({ path }) => path))
  const unsteady = files.filter(({ path, failed }) => failed > 0 && steady.has(path))
  return unsteady.flatMap(({ failures }) => failures.map((failure) => failure.split('\n', 1)[0] as string))
}

/** The result of each file, of its second run if it had one. */
function finalFiles({ files, again }: WholeRun): FileResult[] {
  const seconds = new Map(again.map((file) => [file.path, file]))
  return files.map((file) => (file.failed > 0 ? (seconds.get(file.path) ?? file) : file))
}

function countPassed(run: WholeRun): number {
  return sum(finalFiles(run).map(({ passed }) => passed))
}

function countFailed(run: WholeRun): number {
  const { files, again, failed, checks, stopped } = run
  const withoutResult = failed - sum(files.map((file) => file.failed))
  const known = new Set(files.map(({ path }) => path))
  // Such as a process that did not exit after the second try.
  const others = again.filter(({ path }) => !known.has(path))
  const failedTests = sum([...finalFiles(run), ...others].map((file) => file.failed))
  return failedTests + withoutResult + checks.filter(({ ok }) => !ok).length + (stopped ? 1 : 0)
}

/** One line for each reason, such as a program that is missing. */
function leftOutLines(files: readonly FileResult[]): string[] {
  const titles = new Map<string, string[]>()
  for (const { path, left_out } of files) {
    for (const { title, reason } of left_out) titles.set(reason, [...(titles.get(reason) ?? []), `${path}: ${title}`])
  }
  return [...titles].map(([reason, names]) => {
    const [first, ...others] = names
    const more = others.length > 0 ? `, and ${others.length} more` : ''
    return `left out: ${first}${more} (${reason})`
  })
}

function levelLine(name: Level, run: WholeRun): string {
  const level = levels.find((level) => level.name === name)
  const own = finalFiles(run).filter(({ path }) => level?.pattern.test(path))
  const seconds = sum(own.map((file) => file.seconds))
    .toFixed(1)
    .padStart(6)
  const spent = sum(own.map((file) => file.processor_seconds))
  const usual = level?.processor_seconds[run.kind] ?? 0
  const cost = `${spent.toFixed(1)} s cpu of ${usual}${spent > usual ? ', more than usual' : ''}`
  const counts = `${sum(own.map(({ passed }) => passed))} passed, ${sum(own.map(({ failed }) => failed))} failed`
  return `${name.padEnd(12)} ${seconds} s, ${cost}: ${counts}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
