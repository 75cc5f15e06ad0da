import assert from 'node:assert/strict'
import { test } from 'vitest'
import { afterEnd, noEnds, type WorkerEnd, type WorkerEnds } from './worker-restarts.rules.ts'

/** The pauses after ends that follow each other. */
function pausesOf(ends: readonly WorkerEnd[]) {
  let state: WorkerEnds = noEnds
  return ends.map((end) => {
    const next = afterEnd(state, end)
    state = next.ends
    return next.pause_milliseconds
  })
}

const alone = { waits_for_database: false, others_serve: false }
const atStart: WorkerEnd = { ...alone, served_milliseconds: undefined }
const waiting: WorkerEnd = { ...atStart, waits_for_database: true }
const after = (served_milliseconds: number): WorkerEnd => ({ ...alone, served_milliseconds })

test('pauses grow up to half a minute, and begin anew after a minute of service', () => {
  assert.deepEqual(pausesOf(Array(8).fill(after(100))), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  assert.deepEqual(pausesOf([after(1), after(59_999), after(60_000), after(1)]), [500, 1000, 500, 1000])
})

test('the fifth end at a start in a row gives up, and one that served in between does not count', () => {
  assert.deepEqual(pausesOf(Array(5).fill(atStart)), [500, 1000, 2000, 4000, 'give_up'])
  const between = pausesOf([...Array(4).fill(atStart), after(10), ...Array(5).fill(atStart)])
  assert.deepEqual(
    between.map((pause) => pause === 'give_up'),
    [...Array(9).fill(false), true],
  )
})

test('a worker that waits for its database is started again without an end', () => {
  const pauses = pausesOf(Array(200).fill(waiting))
  assert.equal(pauses.at(-1), 30_000)
  assert.deepEqual(pausesOf([...Array(4).fill(atStart), waiting, atStart]).at(-1), 'give_up')
})

test('a worker beside others that serve is started again without an end, and gives up once it is the last', () => {
  const beside: WorkerEnd = { ...atStart, others_serve: true }
  assert.equal(pausesOf(Array(20).fill(beside)).at(-1), 30_000)
  assert.equal(pausesOf([...Array(20).fill(beside), atStart]).at(-1), 'give_up')
})
