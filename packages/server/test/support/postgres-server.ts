import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'

/** The output of a started server about its database. */
export type Started = {
  server: number
  pid: number
  adopted: boolean
  directory: string
  host: string
  said: string[]
}

export type FailedStart = { problem: string; message: string; said: string[] }

export type PostgresServer = AsyncDisposable & {
  readonly process: ChildProcess
  readonly response: Started | FailedStart
  /** The next line of its output, parsed. */
  next(): Promise<Record<string, unknown>>
  kill(): Promise<void>
}

export type Who = { uid: number; gid: number }

/** An ordinary user for tests that run as root. Undefined if the test itself runs as an ordinary user. */
export const somebody: Who | undefined = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

/** Why tests of an ordinary user cannot run here, or false. */
export const noSomebody =
  somebody && spawnSync(process.execPath, ['--version'], { ...somebody, cwd: '/' }).status !== 0
    ? 'ordinary users cannot execute node here'
    : false

/** Why tests of root cannot run here, or false. */
export const noRoot = process.getuid?.() === 0 ? false : 'needs root'

/** Runs postgres-process.ts and waits for its first line. Dispose stops its PostgreSQL. */
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
  const response = (await next()) as Started | FailedStart
  return {
    process: child,
    response,
    next,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    [Symbol.asyncDispose]: async () => {
      // A killed process has closed its input.
      child.stdin.on('error', () => {}).end()
      await ended
    },
  }
}

function nextLine(lines: Interface): () => Promise<Record<string, unknown>> {
  const iterator = lines[Symbol.asyncIterator]()
  return async () => JSON.parse((await iterator.next()).value ?? '{"problem":"none","message":"no output"}')
}

/** The output of a started server. Fails the test with the output if the server did not start. */
export function started(server: PostgresServer): Started {
  if ('problem' in server.response) throw new Error(`${server.response.problem}: ${server.response.message}`)
  return server.response
}

/** The output of a server that did not start. */
export function failed(server: PostgresServer): FailedStart {
  if ('problem' in server.response) return server.response
  throw new Error(`The server started: ${JSON.stringify(server.response)}`)
}
