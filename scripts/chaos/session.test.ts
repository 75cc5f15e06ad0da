import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { KindName } from '../../packages/server/test/chaos/kinds/all.ts'
import type { PlannedRound } from '../../packages/server/test/chaos/plan.ts'
import type { RoundResult } from '../../packages/server/test/chaos/run.ts'
import type { ReportedRound } from './report.ts'
import { runSession, type Session } from './session.ts'

const figures: RoundResult['figures'] = {
  acknowledged: 1,
  refused: 0,
  failed_attempts: 0,
  replayed: 0,
  failed_without_retry: 0,
  failed_with_retry: 0,
  lost: 0,
  doubled: 0,
  events_read: 0,
  cursors_ended: 0,
  writes_again: 1,
  longest_pause: 1,
  p99_before: 1,
  p99_after: 1,
}

function resultOf(more: Partial<RoundResult> = {}): RoundResult {
  return { figures, lost: [], failures: [], late: [], notes: [], seconds: 20, ...more }
}

const plan = (count: number): PlannedRound<KindName>[] =>
  Array.from({ length: count }, (_, seed) => ({ kind: 'disk-full', seed }))

/** Runs a session, and returns its end and what it reported. */
async function reportsOf(more: Pick<Session, 'planned' | 'run'> & Partial<Session>) {
  const reported: ReportedRound[] = []
  const never = { isOver: () => false, isInterrupted: () => false }
  const end = await runSession({ ...never, report: (round) => void reported.push(round), ...more })
  return { end, reported }
}

test('a round that cannot be carried out is reported with its first error, and the next ones run', async () => {
  const hidden = new SuppressedError(new Error('it does not end'), new Error('no database'))
  const run = async ({ seed }: { seed: number }) => {
    if (seed === 1) throw hidden
    return resultOf()
  }
  const { end, reported } = await reportsOf({ planned: plan(3), run })
  assert.equal(end, 'all done')
  assert.deepEqual(
    reported.map(({ problem }) => problem),
    [undefined, 'Error: no database; then: Error: it does not end', undefined],
  )
})

test('a session ends where several rounds in a row cannot be carried out', async () => {
  const fails = async () => Promise.reject(new Error('x'.repeat(5_000)))
  const { end, reported } = await reportsOf({ planned: plan(100), run: fails })
  assert.deepEqual([end, reported.length, reported[0]?.problem?.length], ['stuck', 5, 1_000])
  const everySecond = async ({ seed }: { seed: number }) => (seed % 2 === 0 ? resultOf() : fails())
  assert.equal((await reportsOf({ planned: plan(20), run: everySecond })).end, 'all done')
})

test('no round begins once the time is over, and one that is interrupted is not reported', async () => {
  let begun = 0
  const run = async () => {
    begun += 1
    return resultOf()
  }
  const over = await reportsOf({ planned: plan(9), run, isOver: () => begun === 3 })
  assert.deepEqual([over.end, over.reported.length, begun], ['time over', 3, 3])
  begun = 0
  const interrupted = await reportsOf({ planned: plan(9), run, isInterrupted: () => begun === 3 })
  assert.deepEqual([interrupted.end, interrupted.reported.length, begun], ['interrupted', 2, 3])
})

test('what one round adds to the report is bounded, and says how much was left out', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `lost: ${index}`)
  const run = async () => resultOf({ failures: many, lost: many, notes: many })
  const [round] = (await reportsOf({ planned: plan(1), run })).reported
  assert.deepEqual([round?.failures.length, round?.failures_left_out], [200, 800])
  assert.deepEqual([round?.lost.length, round?.notes.length], [10, 50])
})
