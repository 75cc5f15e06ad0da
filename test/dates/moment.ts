import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { clusterVariable } from '../../packages/server/test/support/cluster.ts'
import { atEnd } from '../at-end.ts'
import { leftOut } from '../left-out.ts'
import { buildMovedTime } from './moved-time.ts'

const run = promisify(execFile)
const cwd = join(import.meta.dirname, '../..')
/** The levels whose tests pass on any day and at any hour. Those of the command line are in api. */
const levels = ['unit', 'contract', 'api', 'events', 'market']

const hourMilliseconds = 3_600_000

const isThere = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
const isRequired = process.env.BOURSE_REQUIRE_COMPILER === '1'
const remedy = 'install one, on Debian by `apt-get install gcc libc6-dev`'
const skip = isThere || isRequired ? false : `no C compiler on Linux: ${remedy}`

/**
 * Tests the files of levels that name parts of the calendar, at a moment of it. `everything`: all files that `npm test`
 * runs.
 */
export function testAt(moment: string, { zone = 'UTC', everything = false } = {}): void {
  const title = `${everything ? 'everything' : 'what names the calendar'} at ${moment} in ${zone}`
  test(title, leftOut(skip), async () => {
    const library = await makeMovedTime(Math.round((Date.parse(moment) - Date.now()) / 1000))
    const moved = { LD_PRELOAD: library, TZ: zone, BOURSE_TEST_SIZE: 'small', [clusterVariable]: undefined }
    const words = ['scripts/test.ts', everything ? 'test' : 'calendar', ...levels]
    const options = { cwd, env: { ...process.env, ...moved }, maxBuffer: 2 ** 26 }
    const shown = await run(process.execPath, ['-p', 'Date.now()'], options)
    assert.ok(Math.abs(Number(shown.stdout) - Date.parse(moment)) < hourMilliseconds, shown.stderr)
    const { stdout } = await run(process.execPath, words, options).catch((error) => {
      throw new Error(`${title}:\n${String(error.stdout)}${String(error.stderr)}`)
    })
    console.log(`${title}:\n${stdout.trim().split('\n\n').at(-1)}`)
  })
}

/** A directory with a library that moves the calendar. Returns the path of the library. */
async function makeMovedTime(seconds: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-dates-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  // PostgreSQL runs as a user of its own if the tests run as root.
  await chmod(directory, 0o755)
  return buildMovedTime(seconds, directory)
}
