import { relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Counts } from './test-files.ts'

// Test files in a process of their own: whoever started it can end it with everything that the tests started.

const [lanes, ...files] = process.argv.slice(2)
const counts: Counts = { passed: 0, failed: 0, left_out: [], failures: [], files: [], is_whole: false }
const stream = run({ files, concurrency: Number(lanes), timeout: 300_000 })
stream.on('test:pass', ({ name, skip }) => {
  if (skip !== undefined && skip !== false) counts.left_out.push(skip === true ? name : `${name} (${skip})`)
})
stream.on('test:fail', ({ name, file, details: { error } }) => {
  // A test around others fails by what failed in it, which is told on its own.
  if (isOfSubtests(error)) return
  const place = file === undefined ? '' : `${relative(process.cwd(), file)}: `
  counts.failures.push(
    `${place}${name}\n${inspect(error.cause ?? error, { breakLength: 120, maxStringLength: 2_000 })}`,
  )
})
stream.on('test:summary', ({ file, counts: { tests, passed, skipped }, duration_ms }) => {
  const failed = tests - passed - skipped
  // The one without a file is the sum over all, files that broke before their first test included.
  if (file === undefined) Object.assign(counts, { passed, failed, is_whole: true })
  else {
    counts.files.push({ path: relative(process.cwd(), file), passed, failed, seconds: duration_ms / 1000 })
    counts.passed += passed
    counts.failed += failed
  }
  // After each file, so that a run that is ended early tells of those that were done.
  process.send?.(counts)
})
stream.compose(spec).pipe(process.stdout)

function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}
