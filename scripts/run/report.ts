import { relative } from 'node:path'
import type { TestModule } from 'vitest/node'
import { type Level, levelOf, levels, type Run } from './levels.ts'

export type FileResult = ReturnType<typeof resultOf>

/**
 * What a run has found. `again`: the results of the files that failed, run once more; `others`: what failed beside
 * tests, a line each; `left_behind`: the processes that tests left, a line each.
 */
export type RunResult = Readonly<Record<'files' | 'again', readonly FileResult[]>> &
  Readonly<Record<'others' | 'left_behind', readonly string[]>>

/** The result of a test file. `failures`: the titles of its failed tests, and what failed beside them. */
export function resultOf(module: TestModule) {
  const tests = [...module.children.allTests()]
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  const groups = [...module.children.allSuites()].filter((group) => group.errors().length > 0)
  const hasEnded = ['passed', 'failed', 'skipped'].includes(module.state())
  const path = relative(process.cwd(), module.moduleId)
  const died = `its process ended during: ${inState('pending')[0]?.fullName ?? 'its start'}`
  return {
    path,
    passed: inState('passed').length,
    failures: [
      ...inState('failed').map((test) => test.fullName),
      ...groups.map((group) => group.fullName),
      ...(module.errors().length > 0 ? ['the file itself'] : []),
      ...(hasEnded ? [] : [died]),
    ],
    processor_seconds: module.meta().processor_seconds ?? 0,
    left_out: inState('skipped').map((test) => {
      const { note = 'without a reason' } = test.result() as { note?: string }
      return { title: test.fullName, reason: test.meta().left_out ?? note }
    }),
  }
}

/** The last lines of a run: cost by level, what did not run, what failed or was unsteady, the number of tests. */
export function reportLines(run: Run, { files, again, others, left_behind }: RunResult): string[] {
  const second = new Map(again.map((file) => [file.path, file]))
  const last = files.map((file) => second.get(file.path) ?? file)
  const failed = last.flatMap(({ path, failures }) => failures.map((title) => `${path}: ${title}`))
  const unsteady = files.filter(({ path }) => second.get(path)?.failures.length === 0)
  const left_out = last.flatMap(({ path, left_out }) => left_out.map((one) => ({ ...one, path })))
  const passed = sum(last.map((file) => file.passed))
  const problems = [...failed, ...others, ...(passed === 0 ? ['no test ran'] : [])]
  return [
    ...levels.flatMap((level) => costLines(run, level, last)),
    ...(run === 'test' ? ['left out: what only `npm run deep` runs; CONTRIBUTING.md says when'] : []),
    ...levels.flatMap((level) => unnamedLines(level, last)),
    ...[...Map.groupBy(left_out, ({ reason }) => reason)].map(
      ([reason, [first, ...more]]) =>
        `left out: ${first?.path}: ${first?.title}${more.length > 0 ? `, and ${more.length} more` : ''} (${reason})`,
    ),
    ...left_behind.map((line) => `left behind, and ended: ${line}`),
    ...problems.map((line) => `failed: ${line}`),
    ...unsteady.flatMap(({ path, failures }) => failures.map((title) => `unsteady: ${path}: ${title}`)),
    `${passed} passed, ${problems.length} failed`,
  ]
}

function costLines(run: Run, level: Level, files: readonly FileResult[]): string[] {
  const { name, processor_seconds } = level
  const own = files.filter(({ path }) => levelOf(path) === level)
  if (own.length === 0) return []
  const spent = sum(own.map((file) => file.processor_seconds))
  const usual = processor_seconds[run === 'deep' ? 'deep' : 'test']
  const passed = `${sum(own.map((file) => file.passed))} passed`
  return [`${name.padEnd(12)} ${spent.toFixed(1).padStart(6)} s cpu${spent > usual ? ` of ${usual}` : ''}, ${passed}`]
}

/** What a run leaves out of a level unless it is asked for the level by name. */
function unnamedLines(level: Level, files: readonly FileResult[]): string[] {
  const { name, when_named = [] } = level
  if (!files.some(({ path }) => levelOf(path) === level)) return []
  const left_out = when_named.filter((path) => !files.some((file) => file.path === path))
  return left_out.map((path) => `left out: ${path} (only \`npm run deep -- ${name}\` runs it)`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
