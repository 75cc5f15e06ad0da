/** The server under test of the kill loop: a process and its PostgreSQL. Both are killed and restarted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { waitFor } from '../../../src/core/base/wait.ts'
import type { Order, Ready } from './server-process.ts'

/** The killed process: the server, the postmaster with or without its children, or a backend. */
export type Victim = 'server' | 'postgres' | 'postgres with its children' | 'backend'

/** The result of one kill. */
export type Kill = {
  readonly victim: Victim
  /** Whether a COMMIT was under way just before the kill. */
  readonly isAtCommit: boolean
  /** The time until the server was ready again, without the time that it waited for a core. */
  readonly recovery_milliseconds: number
}

export type KilledServer = AsyncDisposable & {
  readonly ready: Ready
  readonly data_directory: string
  /** Makes all data durable, whatever the settings. */
  checkpoint(): Promise<void>
  /** Kills, and waits until the server is ready again. Calls `onKilled` at the moment of the kill. */
  kill(victim: Victim, onKilled: () => void): Promise<Kill>
}

/** A server that is not ready again after this time has not recovered. The slowest machine took a tenth of it. */
const readyMillisecondsMax = 300_000

const commitWindowMilliseconds = 400
const program = join(import.meta.dirname, 'server-process.ts')
const findCommitting = `select pid, query ilike 'commit%' as committing from pg_stat_activity
  where backend_type = 'client backend' and application_name = 'bourse'
  order by state = 'active' and query ilike 'commit%' desc`

type State = { readonly order: Order; child: ChildProcess; ready: Ready; watch: pg.Client }

/** Starts the server in a new directory. */
export async function startKilledServer(settings: Record<string, string> = {}): Promise<KilledServer> {
  const data_directory = await mkdtemp(join(tmpdir(), 'bourse-kill-'))
  const requires_safe_database = Object.keys(settings).length === 0
  const order: Order = { data_directory, port: await freePort(), settings, requires_safe_database }
  const { child, ready } = await launch(order)
  const state: State = { order, child, ready, watch: await watchOf(ready) }
  return {
    ready,
    data_directory,
    checkpoint: async () => void (await state.watch.query('checkpoint')),
    kill: (victim, onKilled) => kill(state, victim, onKilled),
    [Symbol.asyncDispose]: async () => {
      await state.watch.end().catch(() => {})
      const ended = once(state.child, 'exit')
      state.child.kill('SIGTERM')
      await ended
      await rm(data_directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function launch(order: Order): Promise<{ child: ChildProcess; ready: Ready }> {
  // Without a compile cache each start compiles the whole program again, unlike an installed one.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'bourse-kill-cache') }
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const output = once(lines, 'line')
  const first = await Promise.race([output, once(child, 'exit')])
  if (typeof first[0] !== 'string') throw new Error(`The server exited with ${first[0] ?? first[1]} during its start.`)
  return { child, ready: JSON.parse(first[0]) as Ready }
}

async function watchOf({ socket_directory }: Ready): Promise<pg.Client> {
  const client = new pg.Client({
    host: socket_directory,
    user: 'bourse',
    database: 'bourse',
    application_name: 'watch',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function kill(state: State, victim: Victim, onKilled: () => void): Promise<Kill> {
  const { watch, ready } = state
  const postmaster = Number((await readFile(join(ready.directory, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const others = await watch.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  const { pid, isAtCommit } = await commit_window(watch)
  const began = performance.now()
  const waitedBefore = victim === 'server' ? 0 : waitedForCore(state.child)
  onKilled()
  if (victim === 'server') await restartServer(state)
  else {
    const broken = new Promise<void>((resolve) => {
      watch.once('end', () => resolve())
    })
    if (victim !== 'backend') sendKill(postmaster)
    if (victim === 'backend') sendKill(pid)
    if (victim === 'postgres with its children') for (const child of others.rows) sendKill(child.pid)
    await broken
    state.watch = await reconnect(ready)
  }
  const isReady = async () => (await fetch(`${ready.url}/readyz`).catch(() => undefined))?.ok
  if (!(await waitFor(isReady, { at_most_milliseconds: readyMillisecondsMax })))
    throw new Error(`The server was not ready again after the kill of ${victim}.`)
  const waited = waitedForCore(state.child) - waitedBefore
  return { victim, isAtCommit, recovery_milliseconds: performance.now() - began - waited }
}

/** Waits briefly for a COMMIT. Returns its backend, or otherwise any backend. */
async function commit_window(watch: pg.Client): Promise<{ pid: number; isAtCommit: boolean }> {
  const end = performance.now() + commitWindowMilliseconds
  for (;;) {
    const { rows } = await watch.query<{ pid: number; committing: boolean }>(findCommitting)
    const [first] = rows
    if (first && (first.committing || performance.now() > end)) return { pid: first.pid, isAtCommit: first.committing }
  }
}

/** How long a process waited for a core, from /proc. A restart is not slow only because the machine is busy. */
function waitedForCore({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0
}

/** Kills a process. It may have exited already. */
function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function restartServer(state: State): Promise<void> {
  const ended = once(state.child, 'exit')
  state.child.kill('SIGKILL')
  await ended
  const { child, ready } = await launch(state.order)
  state.child = child
  state.ready = ready
}

async function reconnect(ready: Ready): Promise<pg.Client> {
  const client = await waitFor(() => watchOf(ready).catch(() => undefined), {
    at_most_milliseconds: readyMillisecondsMax,
  })
  if (!client) throw new Error('PostgreSQL did not restart.')
  return client
}
