import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'

const cwd = join(import.meta.dirname, '../..')

/** A test that passes if Node.js runs a script to its end without an error. Its path is that from the root. */
export function testScript(title: string, ...words: readonly string[]): void {
  test(title, async () => {
    await promisify(execFile)(process.execPath, words, { cwd, maxBuffer: 2 ** 26 }).catch(({ stdout, stderr }) => {
      throw new Error(`node ${words.join(' ')}\n${stdout}${stderr}`)
    })
  })
}
