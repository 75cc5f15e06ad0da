import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** What the test runner counted for one level. */
export type LevelResult = {
  readonly name: string
  readonly passed: number
  readonly failed: number
  /** Names of tests that did not run, with their reason. */
  readonly left_out: readonly string[]
  readonly seconds: number
}

/** More lanes than this would share one database server and one disk without gain. */
const lanes = Math.min(4, Math.max(2, availableParallelism()))

/** Runs the files of a level, each in a process of its own, as many at a time as there are lanes; shows each test. */
export async function runLevel(name: string, files: readonly string[], signal: AbortSignal): Promise<LevelResult> {
  const began = performance.now()
  const left_out: string[] = []
  let passed = 0
  let failed = 0
  const stream = run({ files: [...files], concurrency: lanes, signal, timeout: 300_000 })
  stream.on('test:pass', ({ name: test, skip, todo }) => {
    const reason = skip ?? todo
    if (reason !== undefined && reason !== false) left_out.push(reason === true ? test : `${test} (${reason})`)
  })
  stream.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return
    passed = counts.passed
    failed = counts.tests - counts.passed - counts.skipped - counts.todo
  })
  await new Promise<void>((resolve, reject) => {
    stream.once('end', resolve)
    stream.once('error', reject)
    stream.compose(spec).pipe(process.stdout, { end: false })
  })
  return { name, passed, failed, left_out, seconds: (performance.now() - began) / 1000 }
}
