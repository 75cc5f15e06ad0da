import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { FileResult, WorkerMessage } from './file-result.ts'
import { processorSeconds } from './processor-time.ts'

/** The path of this reporter, for the process that starts worker-process.ts. */
export const reporterPath = import.meta.filename

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/**
 * Counts the tests of each file that worker-process.ts runs, and sends the result to its parent when the file has
 * ended. The test runner requires a default export.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let result = emptyResult()
  // The first file also pays for the start of the process.
  let spent = 0
  for await (const event of events) {
    if (event.type === 'test:diagnostic' && event.data.level === 'error') yield `${event.data.message}\n`
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    count(result, event)
    if (event.data.nesting > 0) continue
    const { name, details } = event.data
    const failures = result.failures.map((failure) => `${name}: ${failure}`)
    const until = processorSeconds()
    const times = { seconds: details.duration_ms / 1000, processor_seconds: until - spent }
    spent = until
    const message: WorkerMessage = { kind: 'result', result: { ...result, path: name, failures, ...times } }
    process.send?.(message)
    result = emptyResult()
  }
}

function emptyResult(): FileResult {
  return {
    path: '',
    passed: 0,
    failed: 0,
    seconds: 0,
    processor_seconds: 0,
    left_out: [],
    failures: [],
    is_stuck: false,
  }
}

function count(result: FileResult, { type, data }: Ended): void {
  const { name, nesting, details } = data
  if (type === 'test:fail') {
    const { error } = data.details as { error: Error & { failureType?: string } }
    // A parent test fails because of its subtests, which are counted separately.
    if (error.failureType === 'subtestsFailed') return
    result.failed++
    result.failures.push(`${name}\n${inspect(error.cause ?? error, { breakLength: 120, maxStringLength: 2_000 })}`)
    return
  }
  const isTest = nesting > 0 && details.type !== 'suite'
  const { skip } = data
  if (skip !== undefined && skip !== false)
    result.left_out.push({ title: name, reason: skip === true ? 'without a reason' : skip })
  else if (isTest) result.passed++
}
