import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { readReport } from '../../scripts/bench/report.ts'

const program = join(import.meta.dirname, '../../scripts/bench/main.ts')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bourse-bench-main-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

function bench(...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

test('a run of all groups writes one file, which compares with itself as unmoved', async () => {
  const output = join(folder, 'report.json')
  const ran = await bench('--all', 'engine_plain', 'fold_rows', '--tiny', '--json', '--output', output)
  assert.equal(ran.code, 0, ran.stderr)
  const report = readReport(await readFile(output, 'utf8'), output)
  assert.deepEqual(
    report.rows.map(({ group, name }) => `${group} ${name}`),
    ['market engine_plain', 'money fold_rows'],
  )
  assert.deepEqual(report.not_measured, [])
  for (const speed of ['loop_ms', 'round_trips_ms', 'fsync_ms'] as const) assert.ok(report.machine[speed] > 0, speed)
  const compared = await bench('--compare', output, output)
  assert.equal(compared.code, 0, compared.stderr)
  assert.match(compared.stdout, /^0 rows moved, 2 did not\.$/m)
  const recorded = await bench('--record', output)
  assert.equal(recorded.code, 2)
  assert.match(recorded.stderr, /is not recorded\. It has figures of the tiny size/)
})

test.each([
  [['nothing'], /^Unknown group nothing\. The groups are http, /],
  [['market', 'nothing'], /^The group market has no row nothing\. Its rows are /],
  [['--all', 'nothing'], /^No group has a row nothing\. The rows are /],
  [['--all', '--compare'], /^--all, --record and --compare exclude each other\./],
  [['--compare', 'one'], /^--compare takes two files, or none\./],
  [['--record', 'no-such-file'], /^There is no report no-such-file\. Write one with npm run bench -- --all --json\./],
  [['--fast'], /Unknown option '--fast'/],
])('wrong words are refused: %j', async (words, message) => {
  const { code, stdout, stderr } = await bench(...words)
  assert.equal(code, 2)
  assert.match(stderr, message)
  assert.equal(stdout, '')
})

test('a file that is no report is refused', async () => {
  const path = join(folder, 'goals.json')
  await writeFile(path, '{"goals":[]}')
  const { code, stderr } = await bench('--compare', path, path)
  assert.equal(code, 2)
  assert.match(stderr, /goals\.json is no report of npm run bench: /)
})
