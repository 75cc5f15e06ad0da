import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type FileResult, type RunResult, reportLines } from './report.ts'

function fileOf(path: string, given: Partial<FileResult> = {}): FileResult {
  return {
    path,
    passed: 2,
    failures: [],
    processor_seconds: 4,
    left_out: [],
    ...given,
  }
}

function linesOf(given: Partial<RunResult>): string[] {
  return reportLines('test', { files: [], again: [], others: [], left_behind: [], ...given })
}

const path = 'packages/server/test/market/races.test.ts'
const broken = fileOf(path, { passed: 1, failures: ['one wins'] })
const good = fileOf('packages/server/test/market/procurement-races.test.ts')

test('a run ends with the number of its tests, after what its levels cost', () => {
  const lines = linesOf({ files: [fileOf(path), good] })
  assert.equal(lines.at(-1), '4 passed, 0 failed')
  assert.ok(lines.includes('market          8.0 s cpu, 4 passed'))
})

test('a level that costs more than usual says so', () => {
  const lines = linesOf({ files: [fileOf(path, { processor_seconds: 4_000 })] })
  assert.ok(lines.some((line) => /^market +4000\.0 s cpu of \d+, 2 passed$/.test(line)))
})

test('a file that passes at its second try is unsteady, and the run passes', () => {
  const lines = linesOf({ files: [broken, good], again: [fileOf(path)] })
  assert.deepEqual(lines.slice(-2), [`unsteady: ${path}: one wins`, '4 passed, 0 failed'])
})

test('a file that fails twice fails the run, and is not unsteady', () => {
  const lines = linesOf({ files: [broken], again: [broken] })
  assert.deepEqual(lines.slice(-2), [`failed: ${path}: one wins`, '1 passed, 1 failed'])
  assert.ok(!lines.some((line) => line.startsWith('unsteady')))
})

test('what fails beside tests fails the run, as a run without a test does', () => {
  assert.deepEqual(linesOf({ files: [good], others: ['stopped by SIGINT'] }).slice(-2), [
    'failed: stopped by SIGINT',
    '2 passed, 1 failed',
  ])
  assert.deepEqual(linesOf({}).slice(-2), ['failed: no test ran', '0 passed, 1 failed'])
})

test('what runs only where its level is named is left out of other runs', () => {
  const [hour, short] = ['test/soak/hour.test.ts', 'test/soak/short.test.ts'].map((path) => fileOf(path)) as [
    FileResult,
    FileResult,
  ]
  const line = 'left out: test/soak/hour.test.ts (only `npm run deep -- soak` runs it)'
  assert.ok(linesOf({ files: [short] }).includes(line))
  assert.ok(!linesOf({ files: [short, hour] }).includes(line))
  assert.ok(!linesOf({ files: [good] }).includes(line))
})

test('tests that were skipped for one reason are one line', () => {
  const reason = 'no browser: install one'
  const left_out = ['a page opens', 'a page closes'].map((title) => ({ title, reason }))
  assert.ok(
    linesOf({ files: [fileOf(path, { left_out })] }).includes(
      `left out: ${path}: a page opens, and 1 more (${reason})`,
    ),
  )
})
