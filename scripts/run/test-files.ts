import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** What came of one test file, and how long it took. */
export type FileResult = { path: string; passed: number; failed: number; seconds: number }

/** What the test runner counted. */
export type Counts = {
  passed: number
  failed: number
  /** Names of tests that did not run, with their reason. */
  left_out: string[]
  /** Each test that failed: its file and name, and below them why. */
  failures: string[]
  /** The files that were run to their end. */
  files: FileResult[]
  /** Whether all were. */
  is_whole: boolean
}

export type RunResult = Counts & { left_behind: boolean }

/** Each file is a process that loads the same thousand modules: compiled once they take half a second less. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/**
 * Runs test files, each in a process of its own, as many at a time as there are lanes; shows each test. When the signal
 * fires, and at the end, every process is killed that the tests have left.
 */
export async function runFiles(files: readonly string[], lanes: number, signal: AbortSignal): Promise<RunResult> {
  let counts: Counts = { passed: 0, failed: 0, left_out: [], failures: [], files: [], is_whole: false }
  const program = join(import.meta.dirname, 'files-process.ts')
  // A process group of its own, so that also processes whose parent is gone can be found and ended.
  const child = spawn(process.execPath, [program, String(lanes), ...files], {
    detached: true,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const group = child.pid as number
  const kill = () => signalGroup(group, 'SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  child.on('message', (message) => {
    counts = message as Counts
  })
  // The counts may still be on their way when the process is gone; the channel closes behind them.
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  signal.removeEventListener('abort', kill)
  const left_behind = !signal.aborted && (await outlives(group))
  kill()
  // A file that was cut off has no result of its own.
  const failed = counts.is_whole ? counts.failed : counts.failed + Math.max(1, files.length - counts.files.length)
  return { ...counts, failed, left_behind }
}

/** Whether members of a process group are still there a second after its leader ended. */
async function outlives(group: number): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (!signalGroup(group, 0)) return false
    await setTimeout(50)
  }
  return true
}

/** Sends a signal to a process group; whether it has a member. */
function signalGroup(group: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}
