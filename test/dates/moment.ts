import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { clusterVariable } from '../../packages/server/test/support/cluster.ts'
import { leftOut } from '../left-out.ts'

const cwd = join(import.meta.dirname, '../..')
/** The levels whose tests pass on any day and at any hour. Those of the command line are in api. */
const levels = ['unit', 'contract', 'api', 'events', 'market']
const program = 'scripts/test.ts'

const isThere = spawnSync('faketime', ['--version']).status === 0
const isRequired = process.env.BOURSE_REQUIRE_FAKETIME === '1'
const skip = isThere || isRequired ? false : 'no faketime: install it, on Debian by `apt-get install faketime`'

/** Tests of whole levels at a moment of the calendar, with a PostgreSQL of their own that has the same time. */
export function testAt(moment: string, TZ = 'UTC'): void {
  for (const level of levels) {
    test(`${level} at ${moment}, ${TZ}`, leftOut(skip), async () => {
      const words = ['-f', `@${moment}`, process.execPath, program, 'test', level]
      const env = { ...process.env, TZ, BOURSE_TEST_SIZE: 'small', [clusterVariable]: undefined }
      await promisify(execFile)('faketime', words, { cwd, env, maxBuffer: 2 ** 26 }).catch(({ stdout, stderr }) => {
        throw new Error(`${words.join(' ')}\n${String(stdout)}${String(stderr)}`)
      })
    })
  }
}
