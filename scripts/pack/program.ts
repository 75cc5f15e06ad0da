import { type ExecFileException, execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

const run = promisify(execFile)

/** A program that takes longer hangs: on the slowest machine seen, the longest takes a fifth of it. */
const timeout = 600_000

/** Runs a program and returns its standard output. Throws with what it printed if it fails or hangs. */
export async function runProgram(
  program: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const bounds = { maxBuffer: 64 * 1024 * 1024, timeout, killSignal: 'SIGKILL' as const }
    const { stdout } = await run(program, words, { ...bounds, ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message, killed } = error as ExecFileException
    const hung = killed && `It had not ended after ${timeout / 1000} s and was killed.`
    throw new Error([message, hung, stdout, stderr].filter(Boolean).join('\n'))
  }
}

/** Makes the modes of files the same, whatever the umask of the person who packs. */
export async function settleModes(folder: string): Promise<void> {
  await runProgram('chmod', ['-R', 'u=rwX,go=rX', folder])
}
