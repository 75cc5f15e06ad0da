import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { limitSeconds } from '../../../../test/eventually.ts'

/** A program that responds to each line of JSON with a line of JSON, in order. */
export type Conversation = {
  ask(operation: string, ...given: unknown[]): Promise<any>
  end(): Promise<void>
}

const endMilliseconds = limitSeconds(2) * 1000

/** Starts a program of this folder inside of a network namespace. */
export async function converse(namespace: string, program: string, words: readonly string[]): Promise<Conversation> {
  const path = `${import.meta.dirname}/${program}`
  const command = [`--net=/run/netns/${namespace}`, process.execPath, path, ...words]
  const child = spawn('nsenter', command, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  lines.on('line', (line) => {
    const { value, error } = JSON.parse(line) as { value?: unknown; error?: string }
    const waiter = waiting.shift()
    if (error === undefined) waiter?.resolve(value)
    else waiter?.reject(new Error(error))
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${program} exited with ${code}.`))
  })
  await ready
  return {
    ask: (operation, ...given) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${JSON.stringify([operation, ...given])}\n`)
      }),
    end: () => ended(child),
  }
}

/** Reports that it is ready, then runs an operation per line of standard input and writes its result, in order. */
export async function answerLines(operations: Record<string, (...given: any[]) => unknown>): Promise<void> {
  const send = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`)
  send({ value: null })
  let last: Promise<unknown> = Promise.resolve()
  for await (const line of createInterface({ input: process.stdin })) {
    const [operation, ...given] = JSON.parse(line) as [string, ...unknown[]]
    const answer = (async () => operations[operation]?.(...given))().then(
      (value) => ({ value: value ?? null }),
      (error: Error) => ({ error: error.message }),
    )
    last = Promise.all([answer, last]).then(([output]) => send(output))
  }
  await last
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(endMilliseconds) })
  child.stdin?.end()
  await exit.catch(() => child.kill('SIGKILL'))
}
