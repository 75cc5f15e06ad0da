import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Counts } from './test-level.ts'

// One level of tests, in a process of its own: whoever started it can end it with everything that the tests started.

/** More lanes than this would share one database server and one disk without gain. */
const lanes = Math.min(4, Math.max(2, availableParallelism()))

const counts: Counts = { passed: 0, failed: 0, left_out: [], failures: [] }
const stream = run({ files: process.argv.slice(2), concurrency: lanes, timeout: 300_000 })
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
stream.on('test:summary', ({ file, counts: { tests, passed, skipped } }) => {
  // The one without a file is the sum over all.
  if (file === undefined) Object.assign(counts, { passed, failed: tests - passed - skipped })
})
stream.once('end', () => process.send?.(counts))
stream.compose(spec).pipe(process.stdout)

function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}
