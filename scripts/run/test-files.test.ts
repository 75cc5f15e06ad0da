import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import type { FileResult } from './file-result.ts'
import { runFiles } from './test-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-runner-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** Runs files with these texts, in one process or in one each. Returns the results by file name. */
async function runTexts(texts: Readonly<Record<string, string>>, { is_shared = true, signal = never } = {}) {
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(directory, name)
    writeFileSync(path, `import { after, describe, test } from 'node:test'\n${text}`)
    return path
  })
  const order = { queues: { only: { files, is_shared } }, workers: [{ takes_from: ['only'] }] }
  const shown: FileResult[] = []
  const ran = await runFiles(order, { signal, show: (result) => void shown.push(result) })
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
  assert.deepEqual(byName.get('b.mjs')?.left_out, ['four (no disk)'])
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

test('an aborted run counts the files that did not run as failed', async () => {
  const stopping = new AbortController()
  const running = runTexts(
    { 'long.mjs': "test('x', () => new Promise(() => {}))", 'later.mjs': "test('y', () => {})" },
    { is_shared: false, signal: stopping.signal },
  )
  stopping.abort()
  assert.equal((await running).ran.failed, 2)
})
