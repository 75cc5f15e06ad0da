import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import type { FileResult } from './file-result.ts'
import { runFiles, type WaitLimits } from './test-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-runner-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** Runs files with these texts, in one process or in one each. Returns the results by file name. */
async function runTexts(
  texts: Readonly<Record<string, string>>,
  {
    is_shared = true,
    signal = never,
    ...own
  }: Partial<WaitLimits> & { is_shared?: boolean; signal?: AbortSignal } = {},
) {
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(directory, name)
    writeFileSync(path, `import { after, describe, test } from 'node:test'\n${text}`)
    return path
  })
  const order = { queues: { only: { files, is_shared } }, workers: [{ takes_from: ['only'] }] }
  const shown: FileResult[] = []
  const limits = { stuck_seconds: 120, exit_seconds: 120, ...own }
  const ran = await runFiles(order, { signal, limits, show: (result) => void shown.push(result) })
  const byName = new Map(shown.map((result) => [basename(result.path), result]))
  const counts = shown.map(({ path, passed, failed }) => `${basename(path)} ${passed} ${failed}`)
  return { ran, byName, counts: counts.toSorted() }
}

const never = new AbortController().signal

test('tests are counted per file, suites are not, and skipped tests are named', async () => {
  const { ran, byName, counts } = await runTexts({
    'a.mjs': "test('one', () => {})\ndescribe('some', () => { test('two', () => {}) })",
    'b.mjs': "test('three', () => {})\ntest('four', { skip: 'no disk' }, () => {})",
  })
  assert.deepEqual(counts, ['a.mjs 2 0', 'b.mjs 1 0'])
  assert.deepEqual(byName.get('b.mjs')?.left_out, [{ title: 'four', reason: 'no disk' }])
  assert.deepEqual([ran.failed, ran.left_behind], [0, false])
})

test('a failed test is named once, with its file and error', async () => {
  const { ran, byName, counts } = await runTexts({
    'outer.mjs': "describe('some', () => { test('inner', () => { throw new Error('because') }) })",
    'import.mjs': "import './nowhere.mjs'",
  })
  assert.deepEqual(counts, ['import.mjs 0 1', 'outer.mjs 0 1'])
  assert.match(byName.get('outer.mjs')?.failures[0] ?? '', /outer\.mjs: inner\n.*because/s)
  assert.match(byName.get('import.mjs')?.failures[0] ?? '', /nowhere\.mjs/)
  assert.equal(ran.failed, 2)
})

test('the hooks of a file run when it ends, also if the next file shares its process', async () => {
  const first = "let open = true\nglobalThis.isOpen = () => open\nafter(() => { open = false })\ntest('x', () => {})"
  const second = "test('y', () => { if (globalThis.isOpen()) throw new Error('still open') })"
  const { ran } = await runTexts({ 'first.mjs': first, 'second.mjs': second })
  assert.equal(ran.failed, 0)
})

test('a file that ends its process fails, and the files after it still run', async () => {
  const { counts } = await runTexts({
    '1.mjs': "test('one', () => {})",
    '2.mjs': "test('two', () => { process.exit(3) })",
    '3.mjs': "test('three', () => {})",
  })
  assert.deepEqual(counts, ['1.mjs 1 0', '2.mjs 0 1', '3.mjs 1 0'])
})

test('an error after the last test of a process is a failure', async () => {
  const { ran } = await runTexts({ 'late.mjs': "after(() => { throw new Error('hook') })\ntest('x', () => {})" })
  assert.equal(ran.failed, 1)
})

test('where no file ends, the running ones fail with what they hold, and the others do not run', {
  skip: process.platform === 'linux' ? false : 'not Linux',
}, async () => {
  const spawn = "(await import('node:child_process')).spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])"
  const { ran, byName } = await runTexts(
    {
      'waits.mjs': `test('x', async () => { ${spawn}; await new Promise((done) => setTimeout(done, 1e8)) })`,
      'later.mjs': "test('y', () => {})",
    },
    { stuck_seconds: 5 },
  )
  assert.equal(ran.failed, 2)
  const stuck = byName.get('waits.mjs')
  assert.equal(stuck?.is_stuck, true)
  assert.match(
    stuck?.failures[0] ?? '',
    /waits\.mjs: No file has ended for 5 s\..*timer \{.*process \d+: .*setInterval/s,
  )
  assert.equal(byName.get('later.mjs'), undefined)
})

test('a file that blocks its process is ended and named', async () => {
  const { byName } = await runTexts(
    { 'blocked.mjs': "test('x', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))" },
    { stuck_seconds: 2 },
  )
  assert.match(byName.get('blocked.mjs')?.failures[0] ?? '', /blocked\.mjs: No file has ended.*does not answer/s)
})

test('a process that does not exit after its last file fails with what it holds', async () => {
  const open = "import { createServer } from 'node:net'\ntest('x', () => { createServer().listen(0, '127.0.0.1') })"
  const { ran, byName } = await runTexts({ 'open.mjs': open }, { exit_seconds: 1 })
  assert.equal(ran.failed, 1)
  const [failure = ''] = byName.get('a test process')?.failures ?? []
  assert.match(failure, /did not exit for 1 s\. It held:.*tcp \{.*"port":\d+.*It had run: .*open\.mjs/s)
})

test('an aborted run counts the files that did not run as failed', async () => {
  const stopping = new AbortController()
  const running = runTexts(
    { 'long.mjs': "test('x', () => new Promise(() => {}))", 'later.mjs': "test('y', () => {})" },
    { is_shared: false, signal: stopping.signal },
  )
  stopping.abort()
  assert.equal((await running).ran.failed, 2)
})
