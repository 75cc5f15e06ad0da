import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { limitSeconds } from '../../test/eventually.ts'
import { leftOut } from '../../test/left-out.ts'
import { reportFlags, runMark } from './held.ts'
import { runFiles } from './run-files.ts'
import { createWatchdog } from './watchdog.ts'

const notLinux = process.platform !== 'linux' && 'not Linux'
const directory = mkdtempSync(join(tmpdir(), 'bourse-runner-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs files with these texts as `npm test` would. Returns what it found, and what was printed. */
async function run(texts: Readonly<Record<string, string>>, { stuck_seconds = 120, name = '' } = {}) {
  const watchdog = createWatchdog(stuck_seconds)
  const printed: string[] = []
  const stdout = new Writable({ write: (piece, _, done) => done(void printed.push(String(piece))) })
  const options = {
    config: false as const,
    root: directory,
    name,
    watch: false,
    include: Object.keys(texts),
    isolate: false,
    maxWorkers: 2,
    testTimeout: 0,
    hookTimeout: 0,
    execArgv: [...reportFlags],
    env: runMark,
    setupFiles: join(import.meta.dirname, '../../test/setup/each-file.ts'),
    reporters: ['default' as const, watchdog],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  }
  for (const [name, text] of Object.entries(texts)) {
    const hooks = `import { afterAll, describe, test } from '${import.meta.resolve('vitest')}'`
    writeFileSync(join(directory, name), `${hooks}\n${text}`)
  }
  const vitest = await createVitest(options, {}, { stdout, stderr: stdout })
  try {
    await vitest.standalone()
    const found = await runFiles(vitest, watchdog, await vitest.globTestSpecifications())
    const counts = found.files.map(({ path, passed, failures }) => `${basename(path)} ${passed} ${failures.length}`)
    return { ...found, printed: stripVTControlCharacters(printed.join('')), counts: counts.toSorted() }
  } finally {
    await vitest.close()
  }
}

test('tests are counted by file, suites are not, and skipped tests are named with the reason', async () => {
  const { counts, files } = await run({
    'a.mjs': "test('one', () => {})\ndescribe('some', () => { test('two', () => {}) })",
    'b.mjs': "test('three', () => {})\ntest('four', ({ skip }) => { skip('no disk') })",
    'c.mjs': "test('five', { skip: true, meta: { left_out: 'no network' } }, () => {})",
  })
  assert.deepEqual(counts, ['a.mjs 2 0', 'b.mjs 1 0', 'c.mjs 0 0'])
  const leftOutTests = files.flatMap((file) => file.left_out)
  assert.deepEqual(new Set(leftOutTests.map(({ reason }) => reason)), new Set(['no disk', 'no network']))
})

test('a failure is named with its error, also one of a hook, of an import, or of a file without tests', async () => {
  const { printed, files, again } = await run({
    'inner.mjs': "describe('some', () => { test('inner', () => { throw new Error('because') }) })",
    'hook.mjs': "afterAll(() => { throw new Error('afterwards') })\ntest('x', () => {})",
    'import.mjs': "import './nowhere.mjs'",
    'empty.mjs': '',
  })
  const failures = files.map(({ path, failures }) => `${basename(path)}: ${failures}`).toSorted()
  const ofFiles = ['empty', 'hook', 'import'].map((name) => `${name}.mjs: the file itself`)
  assert.deepEqual(failures, [...ofFiles, 'inner.mjs: some > inner'])
  assert.equal(again.length, 4)
  assert.match(printed, /FAIL .*inner\.mjs > some > inner\n.*because/)
  for (const text of [/afterwards/, /nowhere\.mjs/, /No test suite found/]) assert.match(printed, text)
})

test('a file that fails once and then passes has both results', async () => {
  const once = "import { existsSync, writeFileSync } from 'node:fs'\nconst mark = new URL('mark', import.meta.url)"
  const fails = "if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('once') }"
  const { files, again, others } = await run({
    'a.mjs': "test('y', () => {})",
    'once.mjs': `${once}\ntest('x', () => { ${fails} })`,
    'z.mjs': "test('z', () => {})",
  })
  assert.deepEqual([files.length, others], [3, []])
  assert.deepEqual(
    again.map(({ path, failures }) => [basename(path), failures]),
    [['once.mjs', []]],
  )
})

test('a file whose process dies has failed with the test that ran, and the files after it run', async () => {
  const { counts, files, others } = await run({
    '1.mjs': "test('one', () => {})",
    '2.mjs': "test('two', () => { process.kill(process.pid, 'SIGKILL') })",
    '3.mjs': "test('three', () => {})",
  })
  assert.deepEqual(counts, ['1.mjs 1 0', '2.mjs 0 1', '3.mjs 1 0'])
  assert.deepEqual([files.flatMap((file) => file.failures), others], [['its process ended during: two'], []])
})

test('an error that no test awaits is a failure', async () => {
  const late = "setTimeout(() => { throw new Error('late') }); await new Promise((end) => setTimeout(end, 50))"
  const { others, counts } = await run({ 'late.mjs': `test('x', async () => { ${late} })` })
  assert.deepEqual([counts, others], [['late.mjs 1 0'], ['late']])
})

test('a process that tests leave behind is named with its file and ended', leftOut(notLinux), async () => {
  const start = "spawn('sleep', ['1000'], { detached: true })"
  const { left_behind } = await run({
    'leaves.mjs': `import { spawn } from 'node:child_process'\ntest('x', () => { ${start} })`,
  })
  assert.equal(left_behind.length, 1)
  assert.match(left_behind[0] ?? '', /leaves\.mjs: process \d+: sleep 1000$/)
})

test(
  'where no test ends, what runs is ended and says what it held, and nothing else runs',
  leftOut(notLinux),
  async () => {
    const stuck_seconds = limitSeconds(0.5)
    const waiting = "spawn('sleep', ['1000']); await new Promise((end) => setTimeout(end, 1e8))"
    const { printed, counts, others, again } = await run(
      {
        '1-waits.mjs': `import { spawn } from 'node:child_process'\ntest('x', async () => { ${waiting} })`,
        '2-blocks.mjs': "test('y', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))",
        '3-later.mjs': "test('z', () => {})",
      },
      { stuck_seconds },
    )
    assert.deepEqual(counts, ['1-waits.mjs 0 1', '2-blocks.mjs 0 1', '3-later.mjs 0 1'])
    assert.deepEqual([others, again], [['no test ended for too long'], []])
    assert.match(
      printed,
      /No test has ended for \d+ s.*process \d+: vitest .*1-waits\.mjs\n.*timer \{.*process \d+: sleep 1000/s,
    )
    assert.match(printed, /process \d+: vitest .*2-blocks\.mjs\n *It does not answer/)
  },
)

test('a test that is a run may take longer than others, since that has a watchdog of its own', async () => {
  const stuck_seconds = limitSeconds(0.5)
  const long = `test('x', () => new Promise((end) => setTimeout(end, ${stuck_seconds * 1500})))`
  const { counts, others } = await run({ 'long.mjs': long }, { stuck_seconds, name: 'dates' })
  assert.deepEqual([counts, others], [['long.mjs 1 0'], []])
})
