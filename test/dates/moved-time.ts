import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Builds a library in a directory that moves the calendar of the processes that load it, and returns its path. It needs
 * a C compiler.
 */
export async function buildMovedTime(seconds: number, directory: string): Promise<string> {
  const library = join(directory, `moved-time${seconds}.so`)
  const source = join(import.meta.dirname, 'moved-time.c')
  await run('cc', ['-shared', '-fPIC', '-O2', `-DMOVED_BY_SECONDS=(${seconds})`, '-o', library, source, '-ldl'])
  return library
}
