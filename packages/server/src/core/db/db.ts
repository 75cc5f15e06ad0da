/**
 * The only access to PostgreSQL: a few shared, pipelined connections for reads and a bounded pool for transactions.
 * Every connection starts with the run-time role and with time limits, so PostgreSQL cancels slow statements.
 * Not this file's work: transactions of commands (command.ts), starting a database (bundled-postgres.ts).
 */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { createCryptoRandom } from '../base/random.ts'
import { Refusal } from '../base/refusal.ts'
import type { DatabaseTarget } from './database-target.ts'
import { type LivenessMonitor, type MonitoredConnection, monitorLiveness } from './liveness.ts'
import {
  type Callback,
  type Columns,
  createStatementBatch,
  prepareRun,
  type Result,
  type StatementRun,
} from './prepared.ts'

/** A statement and the type of its rows. A statement with a name is prepared once on each connection. */
export type Statement<R> = { readonly name: string | undefined; readonly text: string; readonly row?: R }

/** Runs statements. Calls without an await between them are sent together. */
export type Db = {
  rows<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]>
  /** The only row, or undefined. */
  row<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R | undefined>
  /** Returns the number of changed rows. */
  run(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number>
}

/** A connection of one transaction. */
export type Session = Db & { command(text: string): Promise<string>; release(broken?: Error): void }

/** The connections of the program to its database. */
export type Database = AsyncDisposable & {
  readonly reader: Db
  /**
   * Takes a connection for a transaction; refuses with 503 where none becomes free in time. Set
   * `allows_long_statements` for statements that may take longer than a request.
   */
  session(options?: { allows_long_statements?: boolean }): Promise<Session>
  /** A short-lived connection as the owner of the tables, for what the run-time role may not do (partitions, reset). */
  asOwner<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Connections in use, for metrics and readiness. */
  load(): { total: number; idle: number; waiting: number }
}

/** The role that the program runs as. It is no superuser and owns nothing. migrate.ts creates it. */
export const runtimeRole = 'bourse_app'

const limits = [
  'lock_timeout=2000',
  'statement_timeout=3000',
  'idle_in_transaction_session_timeout=10000',
  'transaction_timeout=10000',
  // Before PostgreSQL 18 a sequential scan under enable_seqscan=off has a huge cost, which triggers JIT compilation:
  // 80 to 1,400 ms for a statement that runs for 0.01 ms.
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')
// pg sets no code on these errors.
const brokenConnection =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Client was closed/
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
const plans = Object.entries(plansByKey)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')
const checkoutMilliseconds = 2_500
const readersCount = 2

/** Defines a statement. Give it a name unless its text differs between calls. */
export function statement<R>(name: string | null, text: string): Statement<R> {
  return { name: name ?? undefined, text }
}

/** Parses int8 to a number (throws where it does not fit) and numeric (sums, money read with a cast) to a bigint. */
function typeParser(oid: number): (text: string) => unknown {
  if (oid === 20) return safeInteger
  if (oid === 1700) return BigInt
  return pg.types.getTypeParser(oid, 'text')
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`A bigint column holds ${text}; read it with a cast to numeric.`)
  return value
}

function clientConfig(target: DatabaseTarget, options: string): pg.ClientConfig {
  return {
    ...target,
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
    connection.isWaiting = true
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

const failures = new WeakMap<pg.ClientBase, Error>()

/**
 * The cause of a statement's failure. A statement in a failed transaction (25P02) gets the error of the statement that
 * failed first: of statements that were sent together, the caller may await either one first.
 */
function causeOf(client: pg.ClientBase, error: Error): Error {
  if ((error as { code?: string }).code === '25P02') return failures.get(client) ?? error
  failures.set(client, error)
  return error
}

type Query = pg.Submittable & { name: string | undefined }
type Described = Result & { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: (error: Error | null, result: Described) => void,
) => Query

/** The state of a connection, and the statements that are about to be sent on it. */
type Pipeline = {
  readonly client: pg.ClientBase
  /** The statements that are prepared on it. */
  readonly prepared: Map<string, { readonly text: string; readonly columns: Columns }>
  /** Whether a transaction is open. In one, the failure of a statement also fails all later statements. */
  isInTransaction: boolean
  /** The statements of an open transaction that will be sent together. */
  queued: StatementRun[]
  isCorked: boolean
}

const pipelines = new WeakMap<pg.ClientBase, Pipeline>()

function pipelineOf(client: pg.ClientBase): Pipeline {
  const known = pipelines.get(client)
  if (known) return known
  const pipeline: Pipeline = { client, prepared: new Map(), isInTransaction: false, queued: [], isCorked: false }
  pipelines.set(client, pipeline)
  return pipeline
}

/** Sends a statement. Builds the query itself, because the driver would copy a description property by property. */
function submit(pipeline: Pipeline, { name, text }: Statement<unknown>, params: readonly unknown[]): Promise<Result> {
  const { client, prepared } = pipeline
  corkUntilNextTick(pipeline)
  const result = new Promise<Result>((resolve, reject) => {
    const done: Callback = (error, result) => (error ? reject(causeOf(client, error)) : resolve(result))
    const known = name === undefined ? undefined : prepared.get(name)
    if (name !== undefined && known?.text === text) {
      pipeline.queued.push(prepareRun(name, known.columns, params, done))
      if (!pipeline.isInTransaction) flush(pipeline)
      return
    }
    const query = new Query(text, params, (error, result) => {
      if (!error && name !== undefined) prepared.set(name, { text, columns: columnsOf(result) })
      done(error, result)
    })
    query.name = name
    flush(pipeline)
    client.query(query)
  })
  return result.catch((error) => {
    // The stack then shows the caller that sent the statement instead of the socket's event handler.
    Error.captureStackTrace(error)
    throw error
  })
}

function columnsOf({ fields }: Described): Columns {
  return fields.map((field) => ({ name: field.name, parse: typeParser(field.dataTypeID) }))
}

function flush(pipeline: Pipeline): void {
  const { queued, client } = pipeline
  if (queued.length === 0) return
  pipeline.queued = []
  client.query(createStatementBatch(queued))
}

/**
 * Joins everything that is sent in the current turn of the event loop into one write. The driver writes each statement
 * separately, and each write wakes the database's process: with 16 callers that took half of the time of a
 * replacement.
 */
function corkUntilNextTick(pipeline: Pipeline): void {
  if (pipeline.isCorked) return
  pipeline.isCorked = true
  const { stream } = (pipeline.client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => {
    pipeline.isCorked = false
    flush(pipeline)
    stream.uncork()
  })
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

/** The refusal of a request while the database is unavailable. */
export function unavailable(): Refusal {
  return new Refusal({
    code: 'unavailable',
    message: 'The database does not respond. Try again shortly.',
    retry_after_seconds: 1,
  })
}

/** Opens the database. `verify` runs on each new connection before its first use and may throw to refuse it. */
export function openDatabase(
  target: DatabaseTarget,
  { connections_max = 20, verify }: { connections_max?: number; verify?: (db: Db) => Promise<void> } = {},
): Database {
  // Distinguishes the connections of this process from those of other processes on the same database.
  const process_setting = `-c bourse.process=${createCryptoRandom().bytes(12).toString('hex')}`
  const runtimeOptions = `-c role=${runtimeRole} ${process_setting} ${limits}`
  const monitor = monitorLiveness(clientConfig(target, runtimeOptions))
  const pool = new pg.Pool({
    ...clientConfig(target, `${runtimeOptions} ${plans}`),
    max: connections_max,
    idleTimeoutMillis: 30_000,
    onConnect: async (client: pg.ClientBase) => verify?.(dbOf(client, monitor.monitor(client))),
  } as pg.PoolConfig)
  // The pool replaces a broken idle connection at the next checkout. An error without a listener would end the process.
  pool.on('error', () => {})
  // Planning a read of the partitioned log for each set of values costs five times the read, so generic plans are used.
  const readerOptions = `${runtimeOptions} -c plan_cache_mode=force_generic_plan`
  const readers = Array.from({ length: readersCount }, () => sharedReader(clientConfig(target, readerOptions), monitor))
  return {
    reader: {
      rows: (s, p) => byLeastBusy(readers, (db) => db.rows(s, p)),
      row: (s, p) => byLeastBusy(readers, (db) => db.row(s, p)),
      run: (s, p) => byLeastBusy(readers, (db) => db.run(s, p)),
    },
    session: async ({ allows_long_statements = false } = {}) => {
      const client = await monitor.whileResponsive(
        () => pool.connect(),
        (late) => late.release(),
      )
      return sessionOf(client, monitor.monitor(client), allows_long_statements)
    },
    asOwner: async (work) => {
      const client = new pg.Client(clientConfig(target, `${process_setting} -c lock_timeout=10000`))
      client.on('error', () => {})
      await client.connect()
      const connection = monitor.monitor(client)
      connection.allowsLongStatements = true
      try {
        return await work(dbOf(client, connection))
      } finally {
        await client.end()
      }
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    [Symbol.asyncDispose]: async () => {
      await monitor.close(Promise.all([pool.end(), ...readers.map((reader) => reader.close())]))
    },
  }
}

function sessionOf(client: pg.PoolClient, connection: MonitoredConnection, allows_long_statements: boolean): Session {
  // Where the connection breaks, the running statement fails with the error. The event adds nothing.
  const ignore = () => {}
  client.on('error', ignore)
  connection.allowsLongStatements = allows_long_statements
  const pipeline = pipelineOf(client)
  return {
    ...dbOf(client, connection),
    command: async (text) => {
      connection.isWaiting = true
      if (text === 'begin') pipeline.isInTransaction = true
      corkUntilNextTick(pipeline)
      flush(pipeline)
      const sent = client.query(text)
      if (text === 'commit' || text === 'rollback') pipeline.isInTransaction = false
      return (await sent).command
    },
    release: (broken) => {
      pipeline.isInTransaction = false
      client.off('error', ignore)
      client.release(broken)
    },
  }
}

type SharedReader = { db(): Promise<Db>; close(): Promise<void>; in_flight: number }

/**
 * Uses the reader with the fewest running statements, the first of equals. Where callers read one after another, they
 * all use one connection, which plans each statement once, and the others stay closed.
 */
async function byLeastBusy<T>(readers: readonly SharedReader[], ask: (db: Db) => Promise<T>): Promise<T> {
  const reader = readers.reduce((least, one) => (one.in_flight < least.in_flight ? one : least))
  reader.in_flight += 1
  try {
    return await ask(await reader.db())
  } finally {
    reader.in_flight -= 1
  }
}

/** One connection that many callers share. The next caller replaces a broken one. */
function sharedReader(config: pg.ClientConfig, monitor: LivenessMonitor): SharedReader {
  let current: { client: pg.Client; ready: Promise<Db> } | undefined
  let isClosed = false
  const open = () => {
    const client = new pg.Client(config)
    const forget = () => {
      if (current?.client === client) current = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    const connected = monitor.whileResponsive(
      () => client.connect(),
      () => void client.end(),
    )
    const ready = connected.then(() => dbOf(client, monitor.monitor(client)))
    ready.catch(forget)
    return { client, ready }
  }
  return {
    in_flight: 0,
    db: async () => {
      // A read after the close must not open a new connection.
      if (isClosed) throw unavailable()
      current ??= open()
      return current.ready
    },
    close: async () => {
      isClosed = true
      const last = current
      current = undefined
      if (last) await last.client.end().catch(() => {})
    },
  }
}
