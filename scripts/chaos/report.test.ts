import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import type { RoundFigures } from '../../packages/server/test/chaos/verdict.ts'
import {
  type ChaosReport,
  describeProblems,
  describeRound,
  pagePath,
  printFailoverPage,
  type ReportedRound,
  reportPath,
} from './report.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const figures: RoundFigures = {
  acknowledged: 1_200,
  refused: 0,
  failed_attempts: 3,
  replayed: 1,
  failed_without_retry: 3,
  failed_with_retry: 0,
  lost: 0,
  doubled: 0,
  events_read: 900,
  cursors_ended: 0,
  writes_again: 120,
  longest_pause: 400,
  p99_before: 20,
  p99_after: 12_345,
}

function roundOf(more: Partial<ReportedRound>): ReportedRound {
  return { kind: 'replica-killed', seed: 1, seconds: 20, notes: [], figures, lost: [], failures: [], late: [], ...more }
}

function reportOf(rounds: readonly ReportedRound[], left_out: ChaosReport['left_out'] = {}): ChaosReport {
  const machine = { processors: 2, memory_gib: 24, node: '24.1.0' }
  const run = { date: '2026-01-02', commit: '0123456789ab', machine, command: 'npm run chaos', minutes: 7 }
  return { object: 'chaos_report', ...run, left_out, rounds }
}

test('the page of failovers is that of its report', () => {
  assert.equal(read(pagePath), printFailoverPage(JSON.parse(read(reportPath))), 'run `npm run chaos -- --publish`')
})

test('the page has a row for each kind, with the median of its rounds and the worst', () => {
  const slower = { ...figures, writes_again: 2_000, acknowledged: 300 }
  const page = printFailoverPage(reportOf([roundOf({}), roundOf({ seed: 2, figures: slower }), roundOf({ seed: 3 })]))
  assert.match(page, /\| replica-killed \| 3 \| 0 \| 1,200 \(300\) \| 3 \(3\) \| 0 \(0\) \|/)
  assert.match(page, /\| 0\.12 s \(2\.00 s\) \| 0\.40 s \(0\.40 s\) \|/)
  assert.match(page, /\| 0\.02 s \(0\.02 s\), 12\.3 s \(12\.3 s\) \|/)
  assert.match(
    printFailoverPage(reportOf([roundOf({})])),
    /\| replica-killed \| 1 \| 0 \| 1,200 \| 3 \|.*\| 0\.12 s \|/,
  )
  assert.match(page, /every round kept its promise/)
  assert.doesNotMatch(page, /disk-full|## Rounds that|## Left out|## Writes that/)
})

test('the page names rounds that failed, were late or could not be carried out, and kinds that were left out', () => {
  const rounds = [
    roundOf({ failures: ['lost: POST x'] }),
    roundOf({ seed: 2, late: ['writes succeeded again after 11000 ms, not 10000'] }),
    roundOf({ seed: 3, problem: 'Error: no database', figures: undefined }),
  ]
  const page = printFailoverPage(reportOf(rounds, { 'disk-full': 'users cannot make namespaces here' }))
  assert.match(page, /\| replica-killed \| 3 \| 3 \|/)
  assert.match(page, /3 rounds did not keep their promise: see below/)
  for (const part of ['lost: POST x', 'again after 11000 ms', 'Error: no database'])
    assert.ok(page.includes(part), part)
  assert.match(page, /- disk-full: users cannot make namespaces here/)
})

test('the page shows writes that were lost on purpose, and that clients learned of it', () => {
  const lost = ['POST account_1 /v2/orders/order_1']
  const round = roundOf({ kind: 'standby-behind', lost, figures: { ...figures, lost: 7, cursors_ended: 4 } })
  const page = printFailoverPage(reportOf([round]))
  assert.match(page, /7 acknowledged writes were lost/)
  assert.match(page, /4 cursors that had passed lost events got 410/)
  assert.ok(page.includes('- `POST account_1 /v2/orders/order_1`'))
})

test('a line about a round says what it came to', () => {
  assert.match(describeRound(roundOf({})), /^replica-killed +seed 1 {2}20 s {2}held: 1200 ack.*again after 0\.12 s$/)
  assert.match(describeRound(roundOf({ failures: ['x', 'y'] })), /2 problems/)
})

test('a round with many failures is described in ten lines, and the page names twenty such rounds', () => {
  const failures = Array.from({ length: 300 }, (_, index) => `lost: POST test-1-${index % 9} /v2/orders/${index}`)
  const kinds = [...'abcdefghijkl'].map((letter) => `${letter} differs\n  from its copy`)
  const round = roundOf({ failures: [...failures, ...kinds], failures_left_out: 44 })
  const lines = describeProblems(round)
  assert.equal(lines.length, 10)
  assert.deepEqual(
    [lines[0], lines[1], lines.at(-2), lines.at(-1)],
    [
      `300 × ${failures[0]}`,
      'a differs from its copy',
      'and 5 more lines of 5 kinds',
      '44 more failures are not in the report',
    ],
  )
  assert.match(describeRound(round), /356 problems/)
  const page = printFailoverPage(reportOf(Array.from({ length: 100 }, (_, seed) => ({ ...round, seed }))))
  assert.equal(page.match(/^- replica-killed, seed/gm)?.length, 20)
  assert.match(page, /^- and 80 more rounds, in failover\.json$/m)
})
