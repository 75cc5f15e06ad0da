/**
 * The only access to PostgreSQL: a few shared, pipelined connections for reads, those of accounts apart from the
 * program's own, and a bounded pool for transactions.
 * Every connection starts with the run-time role and with time limits, so PostgreSQL cancels slow statements.
 * Not this file's work: transactions of commands (command.ts), starting a database (bundled-postgres.ts).
 */
import pg from 'pg'
import { monotonicMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { createCryptoRandom } from '../base/random.ts'
import { Refusal } from '../base/refusal.ts'
import { startProblem } from '../base/start-problem.ts'
import { atAnyAddress, createAddresses, type DatabaseAddresses } from './addresses.ts'
import { connectionShare } from './connection-share.rules.ts'
import type { DatabaseTarget } from './database-target.ts'
import { describeFailure, failureCause } from './failure-causes.ts'
import type { RecordHistory } from './history.store.ts'
import { createHistory, type History, isReplacedError } from './history.ts'
import { type LivenessMonitor, type MonitoredConnection, monitorLiveness } from './liveness.ts'
import { openNamedServers, refuseOthers, type WatchedServers, watchServers } from './named-servers.ts'
import { brokenConnection, corkUntilNextTick, flush, pipelineOf, recordEnding, submit, typeParser } from './pipeline.ts'
import { openSeenServers, type SeenServers } from './seen-server.ts'
import { openReaders, type ReaderSource, type Readers } from './shared-readers.ts'
import { type Db, type Statement, statement } from './statement.ts'

export { type Db, type Statement, statement }

/** A connection of one transaction. */
export type Session = Db & {
  command(text: string): Promise<string>
  release(broken?: Error): void
  /** Set where the caller has given up on a COMMIT that is still running. The connection is released after it. */
  unfinished?: Promise<unknown>
}

/** The connections of the program to its database. */
export type Database = AsyncDisposable & {
  /** For reads that belong to no account. No account can delay them. */
  readonly reader: Db
  /** For the reads of one account. A slow one delays only this account. */
  readerOf(accountId: string): Db
  /**
   * Takes a connection for a transaction; refuses with 503 where none becomes free in time. Set
   * `allowsLongStatements` for statements that may take longer than a request.
   */
  session(options?: { allows_long_statements?: boolean }): Promise<Session>
  /** A short-lived connection as the owner of the tables, for what the run-time role may not do (partitions, reset). */
  asOwner<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The history of the database, and everything that this process remembers of it. */
  readonly history: History
  /** Begins a new history, because commits are missing. `evidence` is a sentence that says what proves it. */
  recordLoss(evidence: string): Promise<void>
  /** The connections for transactions, the transactions that wait for one, the reads of accounts, and round trips. */
  load(): DatabaseLoad
}

/** What a process asks of its database at the moment, and has asked since its start. */
type DatabaseLoad = {
  readonly total: number
  readonly idle: number
  readonly waiting: number
  /** Connections that transactions were given since the start, and the milliseconds that they waited for them. */
  readonly given: number
  readonly waited_milliseconds: number
  /** Round trips since the start, of all connections. */
  readonly round_trips: number
  readonly reads: ReturnType<Readers['readsLoad']>
}

/** The role that the program runs as. It is no superuser and owns nothing. migrate.ts creates it. */
export const runtimeRole = 'bourse_app'

const invalidParameter = '22023'

/**
 * A replica that is paused (a stopped process, a virtual machine that migrates) keeps the locks of its transaction.
 * This is half of the lock timeout, so that the others only wait: one that gets its lock late still has to wait for
 * those before it. The paused one runs its transaction again.
 */
const idleMilliseconds = 1_000
const lockMilliseconds = 2_000
const limitsOf = ({ idle_milliseconds = idleMilliseconds, lock_milliseconds = lockMilliseconds }: Limits) => ({
  idle_in_transaction_session_timeout: `${idle_milliseconds}`,
  lock_timeout: `${lock_milliseconds}`,
  statement_timeout: `${lock_milliseconds + 1_000}`,
  transaction_timeout: '10000',
  // Before PostgreSQL 18 a sequential scan under enable_seqscan=off has a huge cost, which triggers JIT compilation:
  // 80 to 1,400 ms for a statement that runs for 0.01 ms.
  jit: 'off',
})
// Statements of commands find rows by key, so one generic plan fits every call. With the default settings PostgreSQL
// plans statements with arrays again on each call. It also scans whole tables for as long as its statistics show them
// as small: the update of a dozen orders hashed the whole table.
const plansByKey = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  random_page_cost: '1.1',
} as const
/** The defaults of these settings, for work that reads whole tables. */
export const freePlans: Readonly<Record<keyof typeof plansByKey, string>> = {
  plan_cache_mode: 'auto',
  enable_seqscan: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  random_page_cost: '4',
}
/** The planner settings of reads. */
export const readerPlans = {
  // Planning a read of the partitioned log for each set of values costs five times the read.
  plan_cache_mode: 'force_generic_plan',
  // A generic plan expects an account of average size. Instead of a part of an index in its order, it may read all rows
  // of the account through a bitmap, or the table, and sort them, which takes long for an account that is larger.
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
} as const
const optionsOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
const checkoutMilliseconds = 2_500

type ConnectionTarget = { readonly target: DatabaseTarget; readonly addresses: DatabaseAddresses }

/** The configuration of a connection. Its address is the one in use when the connection is opened. */
function clientConfig({ target, addresses }: ConnectionTarget, options: string): pg.ClientConfig {
  const { others: _, ...rest } = target
  return {
    ...rest,
    get host() {
      return addresses.current().host
    },
    get port() {
      return addresses.current().port
    },
    options,
    pipeline: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    connectionTimeoutMillis: checkoutMilliseconds,
    application_name: 'bourse',
    keepAlive: true,
  }
}

function dbOf(client: pg.ClientBase, connection: MonitoredConnection): Db {
  const send = (statement: Statement<unknown>, params: readonly unknown[] = []) => {
    connection.expectAnswer()
    return submit(pipelineOf(client), statement, params)
  }
  return {
    rows: async <R>(statement: Statement<R>, params?: readonly unknown[]) =>
      (await send(statement, params)).rows as R[],
    row: async <R>(statement: Statement<R>, params?: readonly unknown[]) =>
      (await send(statement, params)).rows[0] as R | undefined,
    run: async (statement, params) => (await send(statement, params)).rowCount ?? 0,
  }
}

/** Whether an error means that the database cannot be reached or accepts no work now. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? ''
  if (/^(08|53|57P0)/.test(code) || ['25006', '57014', '55P03', '25P03', '25P04'].includes(code)) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'].includes(code))
    return true
  const message = error instanceof Error ? error.message : ''
  return brokenConnection.test(message)
}

/** The failures of a new connection. */
export const connectionFailures = {
  isUnavailable,
  isFull: (error: unknown) => failureCause(error) === 'no_free_connection',
  isReplaced: isReplacedError,
  explain: explainMissingRole,
}

/** Roles belong to the server, so the backup of a database does not have them. */
function explainMissingRole(error: unknown): unknown {
  const { code, message = '' } = error as { code?: string; message?: string }
  if (code !== invalidParameter || !message.includes(`"${runtimeRole}"`)) return error
  return startProblem(
    'role_missing',
    `The role ${runtimeRole}, which the program runs as, does not exist on the server of the database. \`bourse ` +
      `migrate\` creates it. A backup that was restored without the role lacks its rights: run \`create role ` +
      `${runtimeRole} nologin\` and restore it again.`,
    error,
  )
}

/** The refusal of a request while the database is unavailable. It keeps the error that caused it. */
export function unavailable(cause?: unknown): Refusal {
  const message = `${describeFailure(cause)} Try again shortly.`
  return new Refusal({ code: 'unavailable', message, retry_after_seconds: 1 }, cause)
}

type Limits = {
  /** The longest time between two statements of a transaction. */
  readonly idle_milliseconds?: number
  /** The longest wait for a lock. At most 9,000, since transactions end after ten seconds. */
  readonly lock_milliseconds?: number
}

/** Options of {@link openDatabase}. */
type DatabaseOptions = Limits & {
  readonly connections_max?: number
  /** Connections for the reads of accounts. */
  readonly account_readers_max?: number
  /** Runs on each new connection for transactions before its first use, and may throw to refuse it. */
  readonly verify?: (db: Db) => Promise<void>
  /** What the areas record with a new history. Without it, connections do not learn the history: for tools. */
  readonly record_history?: RecordHistory
  /** What the program knows of servers that it has used. The default is nothing. */
  readonly seen?: SeenServers
  readonly log?: Log
}

/** Opens the database. */
export function openDatabase(target: DatabaseTarget, options: DatabaseOptions = {}): Database {
  const { transactions, account_reads } = connectionShare(1)
  const { connections_max = transactions, account_readers_max = account_reads, verify, record_history } = options
  const { seen = openSeenServers(), log, ...limits } = options
  // Distinguishes the connections of this process from those of other processes on the same database.
  const processSetting = `-c bourse.process=${createCryptoRandom().bytes(12).toString('hex')}`
  const runtimeOptions = `-c role=${runtimeRole} ${processSetting} ${optionsOf(limitsOf(limits))}`
  const addresses = createAddresses(target)
  const place: ConnectionTarget = { target, addresses }
  const monitor = monitorLiveness(clientConfig(place, runtimeOptions), () => addresses.skip(addresses.current()))
  const history = createHistory({ log, record: record_history, reader: () => reader })
  const servers = openNamedServers({ target, seen, log })
  const watched: WatchedServers = { servers, addresses, prepared: undefined }
  const stopWatching = watchServers(watched, () => monitor.breakPrepared())
  const prepare = preparer({ monitor, history, seen, watched })
  const pool = openPool(
    {
      ...clientConfig(place, `${runtimeOptions} ${optionsOf(plansByKey)}`),
      max: connections_max,
      idleTimeoutMillis: 30_000,
      onConnect: async (client: pg.ClientBase) => {
        const db = await prepare(client)
        await verify?.(db)
      },
    } as pg.PoolConfig,
    addresses,
  )
  const config = clientConfig(place, `${runtimeOptions} ${optionsOf(readerPlans)}`)
  const readers = readersOf({ config, addresses, monitor, prepare }, account_readers_max)
  const { reader } = readers
  const taken = { given: 0, waited_milliseconds: 0 }
  const openSession = async (allowsLongStatements: boolean): Promise<Session> => {
    const began = monotonicMilliseconds()
    const connect = () =>
      monitor.whileResponsive(
        () => pool.connect(),
        (late) => late.release(),
      )
    const client = await atAnyAddress(addresses, connect, connectionFailures)
    taken.given += 1
    taken.waited_milliseconds += monotonicMilliseconds() - began
    return sessionOf(client, monitor.monitor(client), allowsLongStatements)
  }
  return {
    reader,
    readerOf: readers.readerOf,
    history,
    recordLoss: async (evidence) => withSession(await openSession(true), (db) => history.recordLoss(db, evidence)),
    session: ({ allows_long_statements = false } = {}) => openSession(allows_long_statements),
    asOwner: (work) => {
      const config = clientConfig(place, `${processSetting} -c lock_timeout=10000`)
      return withOwner({ config, addresses, monitor, prepare }, work)
    },
    load: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      ...taken,
      round_trips: monitor.roundTrips(),
      reads: readers.readsLoad(),
    }),
    [Symbol.asyncDispose]: async () => {
      stopWatching()
      await monitor.close(Promise.all([pool.end(), readers.close()]))
    },
  }
}

type Preparing = {
  readonly watched: WatchedServers
  readonly monitor: LivenessMonitor
  readonly history: History
  readonly seen: SeenServers
}

/** Makes the function that checks the server of a new connection before its first use. */
function preparer({ monitor, history, seen, watched }: Preparing): Connector['prepare'] {
  return async (client) => {
    const connection = monitor.monitor(client)
    const db = dbOf(client, connection)
    const server = await refuseOthers(client, watched)
    // Recording a history takes longer than a request.
    connection.allowsLongStatements = true
    await history.learn(db, () => monitor.breakPrepared())
    const used = history.server()
    if (used) seen.note(used)
    connection.allowsLongStatements = false
    connection.isPrepared = true
    watched.prepared = server
    return db
  }
}

type Connector = {
  readonly config: pg.ClientConfig
  readonly addresses: DatabaseAddresses
  readonly monitor: LivenessMonitor
  readonly prepare: (client: pg.ClientBase) => Promise<Db>
}

function readersOf({ config, addresses, monitor, prepare }: Connector, accountReadersMax: number): Readers {
  const source: ReaderSource = {
    connect: (whenEnded) => {
      const connect = () =>
        monitor.whileResponsive(
          () => openClient(config, prepare, whenEnded),
          (late) => void late.end(),
        )
      return atAnyAddress(addresses, connect, connectionFailures)
    },
    dbOf: (client) => dbOf(client, monitor.monitor(client)),
    unavailable,
  }
  return openReaders(source, accountReadersMax)
}

async function withOwner<T>(
  { config, addresses, monitor, prepare }: Connector,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await atAnyAddress(addresses, () => openClient(config, prepare), connectionFailures)
  monitor.monitor(client).allowsLongStatements = true
  try {
    return await work(dbOf(client, monitor.monitor(client)))
  } finally {
    await client.end()
  }
}

async function withSession(session: Session, work: (db: Db) => Promise<void>): Promise<void> {
  try {
    await work(session)
    session.release()
  } catch (error) {
    session.release(error as Error)
    throw error
  }
}

/** Opens a pool whose new connections go to the address in use. */
function openPool(config: pg.PoolConfig, addresses: DatabaseAddresses): pg.Pool {
  const pool = new pg.Pool(config)
  // The pool copies its options, and opens each connection with the copy.
  Object.defineProperties(pool.options, {
    host: { get: () => addresses.current().host },
    port: { get: () => addresses.current().port },
  })
  // The pool replaces a broken idle connection at the next checkout. An error without a listener would end the process.
  pool.on('error', () => {})
  return pool
}

/** Opens a connection and prepares it. Closes it where that fails. `whenEnded` is called as soon as it has ended. */
async function openClient(
  config: pg.ClientConfig,
  prepare: (client: pg.Client) => Promise<Db>,
  whenEnded: (client: pg.Client) => void = () => {},
): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => whenEnded(client))
  client.on('end', () => whenEnded(client))
  try {
    await client.connect()
    await prepare(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

function sessionOf(client: pg.PoolClient, connection: MonitoredConnection, allowsLongStatements: boolean): Session {
  // Where the connection breaks, the running statement fails with the error. The event tells more only in between.
  const keep = (error: Error) => recordEnding(client, error)
  client.on('error', keep)
  connection.allowsLongStatements = allowsLongStatements
  const pipeline = pipelineOf(client)
  return {
    ...dbOf(client, connection),
    command: async (text) => {
      connection.expectAnswer()
      if (text === 'begin') pipeline.isInTransaction = true
      corkUntilNextTick(pipeline)
      flush(pipeline)
      const sent = client.query(text)
      if (text === 'commit' || text === 'rollback') pipeline.isInTransaction = false
      return (await sent).command
    },
    release: (broken) => {
      pipeline.isInTransaction = false
      client.off('error', keep)
      client.release(broken)
    },
  }
}
