import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

const run = promisify(execFile)

/** Runs a program and returns its standard output. Throws with what it printed if it fails. */
export async function runProgram(
  program: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const { stdout } = await run(program, words, { maxBuffer: 64 * 1024 * 1024, ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'))
  }
}
