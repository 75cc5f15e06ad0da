import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileResult } from './file-result.ts'
import { isPassed, reportLines, type WholeRun } from './report.ts'

function fileOf(path: string, given: Partial<FileResult> = {}): FileResult {
  const counts = { passed: 2, failed: 0, seconds: 3, processor_seconds: 4 }
  return { path, ...counts, left_out: [], failures: [], is_stuck: false, ...given }
}

function runOf(given: Partial<WholeRun>): WholeRun {
  const failed = (given.files ?? []).reduce((total, file) => total + file.failed, 0)
  const chosen = ['market'] as const
  const rest = { checks: [], files: [], again: [], left_behind: false, stopped: false }
  return { kind: 'gate', chosen, failed, ...rest, ...given }
}

const path = 'packages/server/test/market/races.test.ts'
const broken = fileOf(path, { passed: 1, failed: 1, failures: [`${path}: one wins\nError: neither`] })

test('a run that passes ends with the number of its tests', () => {
  const run = runOf({ files: [fileOf(path), fileOf('packages/server/test/market/a.test.ts')] })
  const lines = reportLines(run, 61.4)
  assert.ok(isPassed(run))
  assert.equal(lines.at(-1), '4 passed, 0 failed')
  assert.ok(lines.includes('61 s in total'))
  assert.ok(lines.some((line) => /^market +6\.0 s, 8\.0 s cpu of \d+: 4 passed, 0 failed$/.test(line)))
})

test('a file that passes at its second try is unsteady, and the run passes', () => {
  const run = runOf({ files: [broken, fileOf('packages/server/test/market/a.test.ts')], again: [fileOf(path)] })
  assert.ok(isPassed(run))
  assert.deepEqual(reportLines(run, 61.4).slice(-2), [`unsteady: ${path}: one wins`, '4 passed, 0 failed'])
  assert.ok(reportLines(run, 61.4).includes(`✖ ${path}: one wins\nError: neither`))
})

test('a file that fails twice fails the run, and is not unsteady', () => {
  const run = runOf({ files: [broken], again: [broken] })
  assert.equal(isPassed(run), false)
  const lines = reportLines(run, 61.4)
  assert.equal(lines.at(-1), '1 passed, 1 failed')
  assert.equal(
    lines.some((line) => line.startsWith('unsteady')),
    false,
  )
})

test('a process that fails after the second try of its file fails the run', () => {
  const ended = fileOf('a test process', { passed: 0, failed: 1, failures: ['a test process: it did not exit'] })
  const run = runOf({ files: [broken], again: [fileOf(path), ended] })
  assert.equal(isPassed(run), false)
  assert.equal(reportLines(run, 61.4).at(-1), '2 passed, 1 failed')
})

test('a failed check, a signal, a file without a result and a run without tests fail', () => {
  const files = [fileOf(path)]
  const check = { name: 'tidy', ok: false, seconds: 1, output: '' }
  const cases: [Partial<WholeRun>, string][] = [
    [{ files, checks: [check] }, '2 passed, 1 failed'],
    [{ files, stopped: true }, '2 passed, 1 failed'],
    [{ files, failed: 3 }, '2 passed, 3 failed'],
    [{}, '0 passed, 0 failed'],
  ]
  for (const [given, last] of cases) {
    assert.equal(isPassed(runOf(given)), false)
    assert.equal(reportLines(runOf(given), 61.4).at(-1), last)
  }
})

test('tests that were skipped for one reason are one line', () => {
  const reason = 'no browser: install one'
  const left_out = ['a page opens', 'a page closes'].map((title) => ({ title, reason }))
  const lines = reportLines(runOf({ files: [fileOf(path, { left_out })] }), 61.4)
  assert.ok(lines.includes(`left out: ${path}: a page opens, and 1 more (${reason})`))
})
