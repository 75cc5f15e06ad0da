import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FileResult } from './file-result.ts'

/** Files that run in the same way. */
export type Queue = {
  files: string[]
  /** Whether its files may run one after the other in one process. */
  is_shared: boolean
}

/** Runs one process at a time. It takes files from the first of these queues that is not empty. */
export type Worker = { takes_from: string[] }

/** The files to run, and the workers. */
export type WorkPlan = { queues: Record<string, Queue>; workers: readonly Worker[] }

/** When a run gives up waiting. */
export type WaitLimits = {
  /** How long no file may end. Then all processes are ended. */
  stuck_seconds: number
  /** How long a process may take to exit after its last file. A longer one has an open handle. */
  exit_seconds: number
}

/** What a process gets that runs files. */
export type FilesOrder = WorkPlan & WaitLimits

/** Even on a slow machine the longest file takes less than half of the first, and an exit a tenth of the second. */
const usualLimits: WaitLimits = { stuck_seconds: 600, exit_seconds: 60 }

/** Sent after each file, so that an aborted run has the results of the finished files. */
export type FilesMessage = { result: FileResult }

/** The results of all files, and whether tests left processes behind. */
export type RunResult = { files: FileResult[]; failed: number; left_behind: boolean }

/** All test processes load the same thousand modules. With a compile cache each one takes half a second less. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/**
 * Runs test files in workers, and calls `show` with each result. On abort and at the end, kills every process that the
 * tests have left.
 */
export async function runFiles(
  plan: WorkPlan,
  { signal, show, limits = usualLimits }: { signal: AbortSignal; show(result: FileResult): void; limits?: WaitLimits },
): Promise<RunResult> {
  const wanted = Object.values(plan.queues).flatMap(({ files }) => files)
  const results: FileResult[] = []
  // A new process group, so that processes whose parent has exited can also be killed.
  const child = spawn(process.execPath, [join(import.meta.dirname, 'files-process.ts')], {
    detached: true,
    // If `node --test` runs this, its variable for child processes must not reach these ones.
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
  child.send({ ...plan, ...limits } satisfies FilesOrder)
  // Results may still arrive after the process has exited. The channel closes after the last one.
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  signal.removeEventListener('abort', kill)
  const left_behind = !signal.aborted && (await outlives(group))
  kill()
  const done = new Set(results.map(({ path }) => path))
  const cut_off = wanted.filter((path) => !done.has(path)).length
  const failed = results.reduce((total, result) => total + result.failed, cut_off)
  return { files: results, failed, left_behind }
}

/** Whether a process group still has members a second after its leader exited. */
async function outlives(group: number): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (!signalGroup(group, 0)) return false
    await setTimeout(50)
  }
  return true
}

/** Sends a signal to a process group. False if the group has no member. */
function signalGroup(group: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}
