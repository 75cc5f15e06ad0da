import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  type BenchReport,
  historyOf,
  newestOf,
  noiseOf,
  printLine,
  readHistory,
  readReport,
  refusalOf,
} from './report.ts'
import { rowOf } from './row.ts'

const rounds = [0.5, 0.52, 0.48, 0.51, 0.49]
const row = rowOf({ name: 'events_page_hot', ours: 4_000, against: 8_000, better: 'more', goal: 0.4, rounds })

const report: BenchReport = {
  object: 'bench_report',
  date: '2026-11-29',
  commit: 'abc123',
  changed: false,
  size: 'usual',
  machine: { processors: 2, memory_gib: 24, node: '24.0.0', loop_ms: 75.123456, round_trips_ms: 15, fsync_ms: 1 },
  rows: [{ group: 'http', ...row }],
  not_measured: [],
}

test('the value of a row is compared with its goal in the direction that is better', () => {
  const plain = { name: 'row', ours: 3, against: 2 }
  assert.equal(rowOf({ ...plain, better: 'more', goal: 1.6 }).met, false)
  assert.equal(rowOf({ ...plain, better: 'less', goal: 1.6 }).met, true)
  assert.equal(rowOf({ ...plain, better: 'less', goal: null }).met, true)
  const alone = rowOf({ name: 'row', ours: 3, better: 'less', goal: 2 })
  assert.deepEqual([alone.against, alone.ratio, alone.met], [null, null, false])
})

test('the ratio is the one that is given, else the median of the rounds, else the quotient', () => {
  const plain = { name: 'row', ours: 3, against: 2, better: 'more', goal: null } as const
  assert.equal(rowOf({ ...plain, rounds: [1, 4, 2], ratio: 7 }).ratio, 7)
  assert.equal(rowOf({ ...plain, rounds: [1, 4, 2] }).ratio, 2)
  assert.equal(rowOf(plain).ratio, 1.5)
})

test('a report is read as it was written', () => {
  assert.deepEqual(readReport(JSON.stringify(report), 'report.json'), report)
})

test.each([
  ['{', /^report\.json is no report of npm run bench: .*JSON/],
  ['[]', /^report\.json is no report of npm run bench: the whole must be object\.$/],
  [JSON.stringify({ ...report, size: 'huge' }), /^report\.json is no report of npm run bench: \/size /],
  [JSON.stringify({ ...report, rows: [{ ...row, group: 'http', ours: '1' }] }), /: \/rows\/0\/ours must be number\.$/],
])('a file that is no report is refused with the place that is wrong: %s', (text, message) => {
  assert.throws(() => readReport(text, 'report.json'), { message })
})

test('a line of the history has five digits and the noise of its rounds, and is read back', () => {
  const [line] = historyOf(report)
  assert.ok(line)
  const text = printLine(line)
  assert.match(text, /"loop_ms":75\.123,/)
  assert.doesNotMatch(text, /rounds/)
  const [read] = readHistory(`${text}\n`, 'history.jsonl')
  assert.equal(read?.name, 'events_page_hot')
  assert.equal(read?.noise, Number(noiseOf(rounds)?.toPrecision(5)))
  assert.throws(() => readHistory(`${text}\n{}\n`, 'history.jsonl'), { message: /^history\.jsonl: line 2 is no row/ })
})

test('the newest rows are those that each row had last', () => {
  const [line] = historyOf(report)
  assert.ok(line)
  const other = { ...line, name: 'cli_start' }
  const later = { ...line, commit: 'def456' }
  assert.deepEqual(newestOf([line, other, later]), [later, other])
})

test('noise is the standard error of the median as a part of it, and unknown for few rounds', () => {
  // Deviations from 0.5: 0, 0.02, 0.02, 0.01, 0.01, with the median 0.01.
  const expected = (1.2533 * 1.4826 * 0.01) / Math.sqrt(5) / 0.5
  assert.ok(Math.abs((noiseOf(rounds) ?? 0) - expected) < 1e-12)
  assert.equal(noiseOf([1, 2]), null)
  assert.equal(noiseOf(undefined), null)
})

test.each([
  [{ size: 'tiny' as const }, /tiny size/],
  [{ changed: true }, /in no commit/],
  [{}, /already/],
])('a report that says nothing, or that is known, does not join the history: %j', (change, reason) => {
  assert.match(refusalOf({ ...report, ...change }, historyOf(report)) ?? '', reason)
  assert.equal(refusalOf(report, []), undefined)
})
