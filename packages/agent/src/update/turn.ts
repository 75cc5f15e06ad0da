/** One updater of a host at a time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hostProblem } from '../problems.ts'
import { programPath } from '../program-path.ts'

/** The right to update. It ends with the process that has it, however that ends. */
type UpdateTurn = { readonly close: () => Promise<void> }

const lockFile = 'update.lock'
const takenStatus = 1
const flockMilliseconds = 20_000

/**
 * Takes the lock of a folder of versions; undefined if another updater has it. Whoever can open a file can lock it, so
 * nobody else may open this one.
 */
export async function takeTurn(root: string): Promise<UpdateTurn | undefined> {
  const file = await open(join(root, lockFile), 'a', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // Without the folder there are no versions to switch: the updater only reports.
  if (!file) return { close: async () => {} }
  try {
    await file.chmod(0o600)
    if (await lock(file.fd)) return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

/** Node.js cannot lock files. The program locks the open file that it shares with this process, which keeps it. */
async function lock(fd: number): Promise<boolean> {
  const child = spawn('flock', ['-n', '3'], {
    env: { PATH: programPath },
    stdio: ['ignore', 'ignore', 'pipe', fd],
    timeout: flockMilliseconds,
    killSignal: 'SIGKILL',
  })
  const [[status], said] = await Promise.all([once(child, 'close'), text(child.stderr as NodeJS.ReadableStream)]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw hostProblem('The program flock is missing. Install the package util-linux.')
      throw error
    },
  )
  if (status !== 0 && status !== takenStatus) throw new Error(`flock ended with ${status}: ${said.trim()}`)
  return status === 0
}
