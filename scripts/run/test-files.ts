import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FileResult } from './file-result.ts'

/** Files that are run in the same way. */
export type Queue = {
  files: string[]
  /** Whether its files may run one after the other in one process. */
  is_shared: boolean
}

/** One process at a time. It takes files from these queues, from the first as long as there are any. */
export type Worker = { takes_from: string[] }

/** What is to be run, in how many workers. */
export type FilesOrder = { queues: Record<string, Queue>; workers: readonly Worker[] }

/** Sent after each file, so that a run that is ended early tells of those that were done. */
export type FilesMessage = { result: FileResult }

/** What came of all files, and whether processes were left behind. */
export type RunResult = { files: FileResult[]; failed: number; left_behind: boolean }

/** Processes that load the same thousand modules: compiled once they take half a second less. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/**
 * Runs test files in workers; gives each result to `show` as it comes. When the signal fires, and at the end, every
 * process is killed that the tests have left.
 */
export async function runFiles(
  order: FilesOrder,
  { signal, show }: { signal: AbortSignal; show: (result: FileResult) => void },
): Promise<RunResult> {
  const wanted = Object.values(order.queues).flatMap(({ files }) => files)
  const results: FileResult[] = []
  // A process group of its own, so that also processes whose parent is gone can be found and ended.
  const child = spawn(process.execPath, [join(import.meta.dirname, 'files-process.ts')], {
    detached: true,
    // Where `node --test` runs this, what it tells its own children is not for ours.
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const group = child.pid as number
  const kill = () => signalGroup(group, 'SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  child.on('message', ({ result }: FilesMessage) => {
    results.push(result)
    show(result)
  })
  child.send(order)
  // Results may still be on their way when the process is gone; the channel closes behind them.
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  signal.removeEventListener('abort', kill)
  const left_behind = !signal.aborted && (await outlives(group))
  kill()
  const done = new Set(results.map(({ path }) => path))
  const cut_off = wanted.filter((path) => !done.has(path)).length
  const failed = results.reduce((total, result) => total + result.failed, cut_off)
  return { files: results, failed, left_behind }
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
