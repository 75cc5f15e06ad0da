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
import { eventually } from '../../../../../test/eventually.ts'
import type { Ready, ServerProcessOptions } from './server-process.ts'

/** The killed process: the server, the postmaster with or without its children, or a backend. */
export type Victim = 'server' | 'postgres' | 'postgres with its children' | 'backend'

/** When a kill happens. */
export type KillMoment = 'any' | 'commit'

/** The result of one kill. */
export type ServerKill = {
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
  /**
   * Kills, at once or as soon as a COMMIT is under way, and waits until the server is ready again. Calls `onKilled` at
   * the moment of the kill.
   */
  kill(victim: Victim, moment: KillMoment, onKilled: () => void): Promise<ServerKill>
}

/** What a recovery usually takes. */
const recovery = { usual_seconds: 5 }
const program = join(import.meta.dirname, 'server-process.ts')
const findCommitting = `select pid, query ilike 'commit%' as committing from pg_stat_activity
  where backend_type = 'client backend' and application_name = 'bourse'
  order by state = 'active' and query ilike 'commit%' desc`

type KilledServerState = { readonly order: ServerProcessOptions; child: ChildProcess; ready: Ready; watch: pg.Client }

/** Starts the server in a new directory. */
export async function startKilledServer(settings: Record<string, string> = {}): Promise<KilledServer> {
  const data_directory = await mkdtemp(join(tmpdir(), 'bourse-kill-'))
  const requires_safe_database = Object.keys(settings).length === 0
  const order: ServerProcessOptions = { data_directory, port: await freePort(), settings, requires_safe_database }
  const { child, ready } = await launch(order)
  const state: KilledServerState = { order, child, ready, watch: await watchOf(ready) }
  return {
    ready,
    data_directory,
    checkpoint: async () => void (await state.watch.query('checkpoint')),
    kill: (victim, moment, onKilled) => kill(state, { victim, moment, onKilled }),
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

async function launch(order: ServerProcessOptions): Promise<{ child: ChildProcess; ready: Ready }> {
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

type KillRequest = { readonly victim: Victim; readonly moment: KillMoment; readonly onKilled: () => void }

async function kill(state: KilledServerState, { victim, moment, onKilled }: KillRequest): Promise<ServerKill> {
  const { watch, ready } = state
  const postmaster = Number((await readFile(join(ready.directory, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const others = await watch.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  const { pid, isAtCommit } = await findBackend(watch, moment)
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
  await eventually(`the server is ready again after the kill of ${victim}`, isReady, recovery)
  const waited = waitedForCore(state.child) - waitedBefore
  return { victim, isAtCommit, recovery_milliseconds: performance.now() - began - waited }
}

/** A backend of the server; at the moment of a commit, one that is committing. */
function findBackend(watch: pg.Client, moment: KillMoment): Promise<{ pid: number; isAtCommit: boolean }> {
  return eventually(
    'the server has a connection, with a COMMIT under way if one is wanted',
    async () => {
      const { rows } = await watch.query<{ pid: number; committing: boolean }>(findCommitting)
      const [first] = rows
      return first && (first.committing || moment === 'any') && { pid: first.pid, isAtCommit: first.committing }
    },
    { every_milliseconds: 0 },
  )
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

async function restartServer(state: KilledServerState): Promise<void> {
  const ended = once(state.child, 'exit')
  state.child.kill('SIGKILL')
  await ended
  const { child, ready } = await launch(state.order)
  state.child = child
  state.ready = ready
}

function reconnect(ready: Ready): Promise<pg.Client> {
  return eventually('PostgreSQL accepts connections again', () => watchOf(ready).catch(() => undefined), recovery)
}
