/** Child processes of a benchmark, each pinned to a core where the system supports it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program that is ready. It reads and writes lines of JSON. */
export type Child<Ready = unknown, Answer = unknown> = AsyncDisposable & {
  readonly pid: number
  /** Its first line. */
  readonly ready: Ready
  /** Sends a line and returns the response line. */
  ask(question: unknown): Promise<Answer>
}

/**
 * A server program. Its first line has its port, and its processes if there are several; each response has its resident
 * memory in bytes.
 */
export type ServerChild = Child<{ readonly port: number; readonly pids?: readonly number[] }, { readonly rss: number }>

export const serverCore = 0
export const loadCore = 1

/** Starts a program of this folder with its options as one JSON argument, pinned to `core` if given. */
export async function startChild<Ready, Answer>(
  program: string,
  options: unknown,
  core?: number | string,
): Promise<Child<Ready, Answer>> {
  const path = join(import.meta.dirname, program)
  const child = spawn(process.execPath, [...process.execArgv, path, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (core !== undefined) pin(child.pid as number, core)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async <T>() => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ended before it printed a line.`)
    return JSON.parse(value) as T
  }
  return {
    pid: child.pid as number,
    ready: await next<Ready>(),
    ask: (question) => {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      return next<Answer>()
    },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

/** Pins a process and its later children to a core, or to a list of cores, if `taskset` is available. */
export function pin(pid: number, core: number | string): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    // Systems other than Linux have no taskset. The scheduler of the system then chooses the core.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}
