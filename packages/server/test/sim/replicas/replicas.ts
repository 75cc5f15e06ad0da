/**
 * The replicas of a run: servers on one database. Faults are injected at the failpoints of their commands, and killed
 * servers are started again. One command is under way at a time, unless another one is paused.
 */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../../test/eventually.ts'
import type { Log } from '../../../src/core/base/log.ts'
import { createSeededRandom } from '../../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'
import { type Database, statement } from '../../../src/core/db/db.ts'
import { doubtSeconds } from '../../../src/core/db/outcome.ts'
import type { Keys } from '../../../src/core/keys/keys.ts'
import type { Failpoint } from '../../../src/core/work/runtime.ts'
import { type Server, startServer } from '../../../src/server.ts'
import { openClient, type ReplicaClient } from './client.ts'
import { openSockets, type Sockets } from './sockets.ts'
import { openTimers, type Timers } from './timers.ts'

/**
 * Kinds of fault: the replica is killed, its connections are cut, the backend of its transaction is terminated, the
 * response to its COMMIT is lost, or the command is paused.
 */
export const faultKinds = ['kill', 'cut', 'terminate', 'lost_commit', 'pause'] as const
export type ReplicaFault = { readonly kind: (typeof faultKinds)[number]; readonly at: Failpoint }

/** The fault that is armed for a command, by the id of its request. */
export type ArmedFault = ReplicaFault & { readonly meets: (request_id: string) => boolean }

export type SimReplica = {
  readonly index: number
  server: Server
  client: ReplicaClient
  sockets: Sockets
  timers: Timers
  /** Number of starts. */
  starts: number
  armed: (ArmedFault & { readonly onInjected: (how: Injection) => void }) | undefined
  /** Holds its commands back: commands that have not begun, or all of them at their next failpoint. */
  gate: RequestGate | undefined
  /** Called at its next commit. */
  onCommit: (() => void) | undefined
  /** Rejects what a killed server had under way. */
  abort: (() => void) | undefined
}

/** A run waits for the database thousands of times. */
const patience = { every_milliseconds: 1 }

export type RequestGate = { readonly until: Promise<unknown>; readonly holds: 'those to come' | 'all' }

/** An injected fault. `resume` continues a paused command. */
export type Injection = { readonly resume?: () => void }

export type SimReplicas = AsyncDisposable & {
  readonly all: readonly SimReplica[]
  /** The replicas' own time in milliseconds, which the run moves. */
  readonly time: { milliseconds: number }
  /** Advances that time, and runs the timers of replicas that are not paused. */
  pass(milliseconds: number, but?: SimReplica): Promise<void>
  /** Injected faults by `<kind> <failpoint>`. */
  readonly injected: Map<string, number>
  /** Number of commits of commands. */
  commits: number
  /** Committed reconciler steps by kind and key, since the list was emptied. */
  readonly steps: string[]
  /** Errors that living replicas logged: no injected fault excuses one. */
  readonly errors: string[]
  /** Terminates the PostgreSQL backend that works on a transaction, and waits until it has ended. */
  terminate(): Promise<void>
  /** Starts a new server in place of a killed one. */
  revive(replica: SimReplica): Promise<void>
  /** Waits until no transaction is under way, except in a paused replica. */
  untilIdle(but?: SimReplica): Promise<void>
  /** The backend of a paused command's transaction, if it has begun. */
  working(): Promise<number | undefined>
  /** Whether a command waits for a lock of a backend. */
  isBlockedBy(pid: number): Promise<boolean>
  /** Waits until PostgreSQL has run long enough that the outcome of a commit is not in doubt. */
  outlastDoubt(): Promise<void>
}

/** The options that all replicas of a run share. */
export type ReplicaOptions = {
  readonly target: DatabaseTarget
  readonly keys: Keys
  readonly schema_version: number
  readonly seed: string
  readonly count: number
  /** The directory of image bytes. */
  readonly image_directory: string
}

// Other columns of pg_stat_activity are visible to their owner only.
const countBackends = statement<{ count: number }>(
  'sim.count_backends',
  'select count(*) as count from pg_stat_activity where datname = current_database() and usename is not null',
)
const findWorking = statement<{ pid: number }>(
  'sim.find_working',
  `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
   where l.granted and l.locktype = 'transactionid'`,
)
// Polled, so it is prepared.
const countBlocked = statement<{ count: number }>(
  'sim.count_blocked',
  'select count(*) as count from pg_locks l where not l.granted and $1 = any(pg_blocking_pids(l.pid))',
)
// A new cluster looks like one that has just crashed.
const findDoubt = statement<{ milliseconds: number }>(
  'sim.find_doubt',
  `select greatest(0, ceil(1000 * (${doubtSeconds} + 1 + extract(epoch from stats_reset - clock_timestamp()))))::integer
     as milliseconds from pg_stat_bgwriter`,
)

// Only one command is under way at this moment.
const terminateWorking = statement<{ pid: number }>(
  null,
  `select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
     and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`,
)
// The timeout argument of pg_terminate_backend polls every tenth of a second, which is slower.
const countLeft = statement<{ count: number }>(
  'sim.count_left',
  'select count(*) as count from pg_stat_activity where pid = any($1)',
)

/** A connection to the database that belongs to no replica. */
export type Monitor = { readonly database: Database; readonly sockets: Sockets }

/** Starts the replicas. */
export async function startReplicas(options: ReplicaOptions, monitor: Monitor): Promise<SimReplicas> {
  const time = { milliseconds: 0 }
  const injected = new Map<string, number>()
  const all: SimReplica[] = []
  let doubtIsOver: Promise<void> | undefined
  const replicas: SimReplicas = {
    all,
    time,
    injected,
    commits: 0,
    errors: [],
    steps: [],
    terminate: () => terminate(monitor),
    pass: async (milliseconds, but) => {
      time.milliseconds += milliseconds
      for (const replica of all) if (replica !== but) await replica.timers.run(time.milliseconds)
    },
    revive: async (replica) => {
      const { server, client } = replica
      client.close()
      await gone(monitor, [monitor, ...all])
      // Otherwise its timers and memory would stay until the end of all seeds.
      replica.abort?.()
      replica.abort = undefined
      await server[Symbol.asyncDispose]()
      // Each start has a random stream of its own, otherwise it would mint the same ids again.
      replica.starts += 1
      Object.assign(replica, await startOne(options, replica, replicas))
    },
    untilIdle: async (but) => {
      for (const replica of all) if (replica !== but) await settleDown(replica.server)
    },
    working: async () => (await monitor.database.reader.row(findWorking))?.pid,
    isBlockedBy: async (pid) => ((await monitor.database.reader.row(countBlocked, [pid]))?.count ?? 0) > 0,
    outlastDoubt: () => {
      doubtIsOver ??= outlastDoubt(monitor)
      return doubtIsOver
    },
    [Symbol.asyncDispose]: async () => {
      for (const { client, server, sockets } of all) {
        client.close()
        // A command that is still paused would keep its server open.
        sockets.die()
        await server[Symbol.asyncDispose]()
      }
    },
  }
  for (let index = 0; index < options.count; index++) {
    const replica = { index, starts: 1 } as SimReplica
    Object.assign(replica, await startOne(options, replica, replicas))
    all.push(replica)
  }
  return replicas
}

async function startOne(options: ReplicaOptions, replica: SimReplica, replicas: SimReplicas) {
  const { target, keys, schema_version, seed } = options
  const sockets = openSockets()
  const timers = openTimers(() => replicas.time.milliseconds)
  const server = await startServer({
    mode: 'sandbox',
    target: sockets.target(target),
    keys,
    log: errorsTo(replicas.errors, sockets),
    host: '127.0.0.1',
    port: 0,
    // Responses contain this URL, and must not depend on the port.
    public_url: 'http://localhost',
    image_store: { kind: 'files', directory: options.image_directory },
    schema_version,
    random: createSeededRandom(`${seed} ${replica.index} ${replica.starts}`),
    monotonic: () => replicas.time.milliseconds,
    later: timers.later,
    failpoint: (name, request_id) => reach(replica, replicas, { sockets, name, request_id }),
    check_responses: true,
    runs_reconcilers: false,
    keeps_partitions: false,
    requires_safe_database: false,
    // A paused replica stays paused until the simulation resumes it.
    idle_milliseconds: 600_000,
    // Above what random operations post.
    dual_control_dollars: 1_000_000_000,
    rate_multiplier: 1_000_000,
  })
  // Deliveries run between steps, so the clock waits for none.
  Object.assign(server.runtime.services.webhook_settings, { holds_clock: false })
  return { server, sockets, timers, client: openClient(server.port) }
}

/** Collects the errors of a replica until it is killed. */
function errorsTo(errors: string[], sockets: Sockets): Log {
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    isLevelEnabled: () => false,
    error: ({ sendInvalid, ...fields }, message) => {
      if (!sockets.isDead())
        errors.push(`${message} ${JSON.stringify(fields)} ${(sendInvalid as Error | undefined)?.stack}`)
    },
  }
}

type FailpointMoment = { readonly sockets: Sockets; readonly name: Failpoint; readonly request_id: string }

/** Called at each failpoint of a command; injects the fault that is armed for it. */
function reach(replica: SimReplica, replicas: SimReplicas, moment: FailpointMoment): Promise<void> | undefined {
  const { sockets, name, request_id } = moment
  const { armed, gate } = replica
  if (gate && (gate.holds === 'all' || name === 'before_claim')) return passGate(replica, replicas, { gate, moment })
  // Background work of the system has no fixed order.
  if (name === 'after_commit' && request_id !== 'system') {
    replicas.commits += 1
    if (request_id.startsWith('step:')) replicas.steps.push(request_id.slice(5))
    replica.onCommit?.()
  }
  if (!armed || armed.at !== name || replica.sockets !== sockets || !armed.meets(request_id)) return undefined
  replica.armed = undefined
  const label = `${armed.kind} ${name}`
  replicas.injected.set(label, (replicas.injected.get(label) ?? 0) + 1)
  if (armed.kind === 'cut') sockets.breakAll()
  if (armed.kind === 'lost_commit') sockets.loseCommit()
  if (armed.kind === 'cut' || armed.kind === 'lost_commit') {
    armed.onInjected({})
    return undefined
  }
  if (armed.kind === 'terminate') {
    armed.onInjected({})
    return replicas.terminate()
  }
  if (armed.kind === 'kill') {
    sockets.die()
    armed.onInjected({})
    // The commands of a killed process never continue. They end when the server is disposed of.
    return new Promise((_, reject) => {
      replica.abort = () => reject(new Error('This replica was killed.'))
    })
  }
  return new Promise((resume) => armed.onInjected({ resume }))
}

async function passGate(
  replica: SimReplica,
  replicas: SimReplicas,
  { gate, moment }: { gate: RequestGate; moment: FailpointMoment },
) {
  await gate.until
  if (replica.gate === gate) replica.gate = undefined
  await reach(replica, replicas, moment)
}

/** Waits until PostgreSQL has detected the closed connections and rolled back. */
async function gone({ database }: Monitor, all: readonly { readonly sockets: Sockets }[]): Promise<void> {
  const isGone = async () => {
    const open = all.reduce((sum, { sockets }) => sum + sockets.count(), 0)
    const backends = (await database.reader.row(countBackends))?.count ?? 0
    assert.ok(backends <= open, `${backends} backends serve ${open} connections.`)
    return true
  }
  await eventually('the connections of a killed replica are closed', isGone, patience)
}

async function terminate({ database }: Monitor): Promise<void> {
  const pids = (await database.asOwner((db) => db.rows(terminateWorking))).map(({ pid }) => pid)
  const isOver = async () => (await database.reader.row(countLeft, [pids]))?.count === 0
  await eventually('the terminated backends have ended', isOver, patience)
}

async function outlastDoubt({ database }: Monitor): Promise<void> {
  await pause((await database.reader.row(findDoubt))?.milliseconds ?? 0)
}

/** Waits until the server has no transaction under way. */
export async function settleDown({ runtime }: Server): Promise<void> {
  const isIdle = () => {
    const { total, idle, waiting } = runtime.database.load()
    return total === idle && waiting === 0
  }
  if (isIdle()) return
  await eventually('the server has no transaction under way', isIdle, patience)
}
