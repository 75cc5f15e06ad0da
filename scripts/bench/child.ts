/** Programs that a benchmark starts beside itself, each on a core of its own where the machine lets us choose. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program that said that it is ready. It speaks in lines of JSON. */
export type Child<Ready = unknown, Answer = unknown> = AsyncDisposable & {
  readonly pid: number
  /** Its first line. */
  readonly ready: Ready
  /** Sends a line and waits for the answer. */
  ask(question: unknown): Promise<Answer>
}

/** A server that listens on this port. */
export type ServerChild = Child<{ readonly port: number }, { readonly rss: number }>

export const serverCore = 0
export const loadCore = 1

/** Starts a program of this folder with one argument, a JSON text; on whatever core where none is named. */
export async function startChild<Ready, Answer>(
  program: string,
  options: unknown,
  core?: number,
): Promise<Child<Ready, Answer>> {
  const path = join(import.meta.dirname, program)
  const child = spawn(process.execPath, [...process.execArgv, path, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (core !== undefined) pin(child.pid as number, core)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async <T>() => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ended early.`)
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

/** Keeps a process and what it starts on one core, where there is a program for that. */
export function pin(pid: number, core: number): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    // Elsewhere than on Linux the system's choice has to do.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.stdin?.end()
  await gone
}
