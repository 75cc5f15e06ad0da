/**
 * The replicas of a run: servers on one database that are killed, cut off and paused at the failpoints of their
 * commands, and started anew. One command is under way at a time, unless another one is paused.
 */
import { pause } from '../../../src/core/base/clock.ts'
import type { Log } from '../../../src/core/base/log.ts'
import { createSeededRandom } from '../../../src/core/base/random.ts'
import { waitFor } from '../../../src/core/base/wait.ts'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'
import { type Database, statement } from '../../../src/core/db/db.ts'
import { doubtSeconds } from '../../../src/core/db/outcome.ts'
import type { Keys } from '../../../src/core/keys/keys.ts'
import type { Failpoint } from '../../../src/core/work/runtime.ts'
import { type Server, startServer } from '../../../src/server.ts'
import { type Client, openClient } from './client.ts'
import { openSockets, type Sockets } from './sockets.ts'
import { openTimers, type Timers } from './timers.ts'

/**
 * What befalls a replica: it dies, its connections break, the database ends the one that works for it, the answer to
 * its COMMIT is lost, or it stands still.
 */
export const faults = ['kill', 'cut', 'terminate', 'lost_commit', 'pause'] as const
export type Fault = { readonly kind: (typeof faults)[number]; readonly at: Failpoint }

/** A command that the next fault is meant for, by the id of its request. */
export type ArmedFault = Fault & { readonly meets: (request_id: string) => boolean }

export type Replica = {
  readonly index: number
  server: Server
  client: Client
  sockets: Sockets
  timers: Timers
  /** How often it was started. */
  lives: number
  armed: (ArmedFault & { readonly onInjected: (how: Injection) => void }) | undefined
  /** What its commands wait for: those that have yet to begin, or all of them at their next failpoint. */
  gate: Gate | undefined
  /** Told of its next commit. */
  onCommit: (() => void) | undefined
  /** Lets go of what a dead life of it had under way. */
  abort: (() => void) | undefined
}

export type Gate = { readonly until: Promise<unknown>; readonly holds: 'those to come' | 'all' }

/** That the fault struck; a paused command goes on when it is told to. */
export type Injection = { readonly resume?: () => void }

export type Replicas = AsyncDisposable & {
  readonly all: readonly Replica[]
  /** Milliseconds of every replica's own time; the run moves it. */
  readonly time: { milliseconds: number }
  /** Lets that time pass, and runs what waits for it in those that do not stand still. */
  pass(milliseconds: number, but?: Replica): Promise<void>
  /** How often each failpoint let a fault through, by `<kind> <failpoint>`. */
  readonly injected: Map<string, number>
  /** Commits of commands. */
  commits: number
  /** Reconciler steps that were committed since this was emptied, by kind and key. */
  readonly steps: string[]
  /** What living replicas logged as errors: no fault of a run excuses one. */
  readonly errors: string[]
  /** Ends the process of the database that works on a transaction, and waits until it is gone. */
  terminate(): Promise<void>
  /** A new process in the place of a dead one. */
  revive(replica: Replica): Promise<void>
  /** Waits until nothing runs beside the request that was answered, but in a replica that stands still. */
  untilIdle(but?: Replica): Promise<void>
  /** The process of the database that works on the transaction of a command that stands still, if it has begun. */
  working(): Promise<number | undefined>
  /** Whether a command waits for a lock that a process of the database has. */
  isBlockedBy(pid: number): Promise<boolean>
  /** Waits until the database has run for so long that what became of a commit is not in doubt. */
  outlastDoubt(): Promise<void>
}

/** What replicas of one run share. */
export type ReplicaOptions = {
  readonly target: DatabaseTarget
  readonly keys: Keys
  readonly schema_version: number
  readonly seed: string
  readonly count: number
  /** Where the bytes of images lie. */
  readonly image_directory: string
}

// What pg_stat_activity says of others, beyond their database and name, is for their owner only.
const countBackends = statement<{ count: number }>(
  'sim.count_backends',
  'select count(*) as count from pg_stat_activity where datname = current_database() and usename is not null',
)
const findWorking = statement<{ pid: number }>(
  'sim.find_working',
  `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
   where l.granted and l.locktype = 'transactionid'`,
)
// Asked again and again.
const countBlocked = statement<{ count: number }>(
  'sim.count_blocked',
  'select count(*) as count from pg_locks l where not l.granted and $1 = any(pg_blocking_pids(l.pid))',
)
// A database that was made a moment ago looks like one that has just crashed.
const findDoubt = statement<{ milliseconds: number }>(
  'sim.find_doubt',
  `select greatest(0, ceil(1000 * (${doubtSeconds} + 1 + extract(epoch from stats_reset - clock_timestamp()))))::integer
     as milliseconds from pg_stat_bgwriter`,
)

// Only one command is under way when this is asked for.
const terminateWorking = statement<{ pid: number }>(
  null,
  `select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
     and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`,
)
// To be told by pg_terminate_backend itself takes a tenth of a second.
const countLeft = statement<{ count: number }>(
  'sim.count_left',
  'select count(*) as count from pg_stat_activity where pid = any($1)',
)

/** A way to the database that is no replica's. */
export type Monitor = { readonly database: Database; readonly sockets: Sockets }

/** Starts the replicas. */
export async function startReplicas(options: ReplicaOptions, monitor: Monitor): Promise<Replicas> {
  const time = { milliseconds: 0 }
  const injected = new Map<string, number>()
  const all: Replica[] = []
  let doubtIsOver: Promise<void> | undefined
  const replicas: Replicas = {
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
      // Its timers and all that it knows would stay until the end of many seeds.
      replica.abort?.()
      replica.abort = undefined
      await server[Symbol.asyncDispose]()
      // A new life has a random of its own, or it would make the ids of the last one again.
      replica.lives += 1
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
        // A command that still stands still would keep its server open.
        sockets.die()
        await server[Symbol.asyncDispose]()
      }
    },
  }
  for (let index = 0; index < options.count; index++) {
    const replica = { index, lives: 1 } as Replica
    Object.assign(replica, await startOne(options, replica, replicas))
    all.push(replica)
  }
  return replicas
}

async function startOne(options: ReplicaOptions, replica: Replica, replicas: Replicas) {
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
    // Answers carry it, which tell nothing of ports.
    public_url: 'http://localhost',
    image_store: { kind: 'files', directory: options.image_directory },
    schema_version,
    random: createSeededRandom(`${seed} ${replica.index} ${replica.lives}`),
    monotonic: () => replicas.time.milliseconds,
    later: timers.later,
    failpoint: (name, request_id) => reach(replica, replicas, { sockets, name, request_id }),
    check_answers: true,
    runs_reconcilers: false,
    keeps_partitions: false,
    requires_safe_database: false,
    rate_multiplier: 1_000_000,
  })
  return { server, sockets, timers, client: openClient(server.port) }
}

/** Errors of a replica, as long as it lives. */
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

type Moment = { readonly sockets: Sockets; readonly name: Failpoint; readonly request_id: string }

/** A command passes a failpoint: nothing happens, unless it is the one that a fault is meant for. */
function reach(replica: Replica, replicas: Replicas, moment: Moment): Promise<void> | undefined {
  const { sockets, name, request_id } = moment
  const { armed, gate } = replica
  if (gate && (gate.holds === 'all' || name === 'before_claim')) return passGate(replica, replicas, { gate, moment })
  // What the system does beside requests comes when it comes.
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
    // A dead process does nothing more: what it had under way ends only with all else of it.
    return new Promise((_, reject) => {
      replica.abort = () => reject(new Error('This replica is dead.'))
    })
  }
  return new Promise((resume) => armed.onInjected({ resume }))
}

async function passGate(replica: Replica, replicas: Replicas, { gate, moment }: { gate: Gate; moment: Moment }) {
  await gate.until
  if (replica.gate === gate) replica.gate = undefined
  await reach(replica, replicas, moment)
}

/** What was not answered is rolled back only when the database has noticed that nobody is there any more. */
async function gone({ database }: Monitor, all: readonly { readonly sockets: Sockets }[]): Promise<void> {
  const isGone = async () => {
    const open = all.reduce((sum, { sockets }) => sum + sockets.count(), 0)
    return ((await database.reader.row(countBackends))?.count ?? 0) <= open
  }
  if (!(await waitFor(isGone, { every_milliseconds: 1, at_most_milliseconds: 5_000 }))) {
    throw new Error('The connections of a dead replica are still there.')
  }
}

async function terminate({ database }: Monitor): Promise<void> {
  const pids = (await database.asOwner((db) => db.rows(terminateWorking))).map(({ pid }) => pid)
  const isOver = async () => (await database.reader.row(countLeft, [pids]))?.count === 0
  if (!(await waitFor(isOver, { every_milliseconds: 1, at_most_milliseconds: 5_000 }))) {
    throw new Error('A process of the database that was listeners to end is still there.')
  }
}

async function outlastDoubt({ database }: Monitor): Promise<void> {
  await pause((await database.reader.row(findDoubt))?.milliseconds ?? 0)
}

/** Waits until no transaction of a server is under way. */
export async function settleDown({ runtime }: Server): Promise<void> {
  const isIdle = () => {
    const { total, idle, waiting } = runtime.database.load()
    return total === idle && waiting === 0
  }
  if (isIdle()) return
  await waitFor(isIdle, { every_milliseconds: 1, at_most_milliseconds: 5_000 })
}
