import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'

/** What a server said about its database when it had started. */
export type Started = {
  server: number
  pid: number
  adopted: boolean
  directory: string
  host: string
  said: string[]
}

export type Failed = { problem: string; message: string; said: string[] }

export type PostgresServer = AsyncDisposable & {
  readonly process: ChildProcess
  readonly answer: Started | Failed
  /** The next line that it prints, parsed. */
  next(): Promise<Record<string, unknown>>
  kill(): Promise<void>
}

export type Who = { uid: number; gid: number }

/** The ordinary user that a test run by root takes for "somebody"; undefined where the test is somebody itself. */
export const somebody: Who | undefined = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

/** Why tests of an ordinary user cannot run here, or false. */
export const noSomebody =
  somebody && spawnSync(process.execPath, ['--version'], { ...somebody, cwd: '/' }).status !== 0
    ? 'the program node is closed to ordinary users here'
    : false

/** Why tests of root cannot run here, or false. */
export const noRoot = process.getuid?.() === 0 ? false : 'needs root'

/** Runs postgres-process.ts and waits for its first line. Disposed, it stops its PostgreSQL. */
export async function startServer(
  order: { data_directory: string; package_directory?: string; system_directory?: string; exit?: boolean },
  { as, env = {} }: { as?: Who | undefined; env?: Record<string, string> } = {},
): Promise<PostgresServer> {
  const program = join(import.meta.dirname, 'postgres-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...as,
  })
  const ended = once(child, 'exit')
  const next = nextLine(createInterface(child.stdout))
  const answer = (await next()) as Started | Failed
  return {
    process: child,
    answer,
    next,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    [Symbol.asyncDispose]: async () => {
      // A killed one has closed its end.
      child.stdin.on('error', () => {}).end()
      await ended
    },
  }
}

function nextLine(lines: Interface): () => Promise<Record<string, unknown>> {
  const iterator = lines[Symbol.asyncIterator]()
  return async () => JSON.parse((await iterator.next()).value ?? '{"problem":"none","message":"it said nothing"}')
}

/** The answer of a server that started; fails the test with what it said otherwise. */
export function started(server: PostgresServer): Started {
  if ('problem' in server.answer) throw new Error(`${server.answer.problem}: ${server.answer.message}`)
  return server.answer
}

/** The answer of a server that did not start. */
export function failed(server: PostgresServer): Failed {
  if ('problem' in server.answer) return server.answer
  throw new Error(`It started: ${JSON.stringify(server.answer)}`)
}
