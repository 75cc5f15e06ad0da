/**
 * The one way to PostgreSQL: a few shared, pipelined connections for reads and a bounded pool for transactions.
 * Every connection takes the run-time role and the time limits at its start, so a slow statement ends by itself.
 * Not this file's work: what a transaction means (command.ts), starting a database (bundled-postgres.ts).
 */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { createCryptoRandom } from '../base/random.ts'
import { Refusal } from '../base/refusal.ts'
import type { DatabaseTarget } from './database-target.ts'
import { type Columns, type Done, prepareRun, type Result, type Run, sendTogether } from './prepared.ts'
import { type Heard, type Listener, listenTo } from './silence.ts'

/** A statement and the shape of its rows. Named ones are prepared once for each connection. */
export type Statement<R> = { readonly name: string | undefined; readonly text: string; readonly row?: R }

/** Anything that runs statements. Calls that are not awaited in between travel together. */
export type Db = {
  rows<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]>
  /** The only row, or undefined. */
  row<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R | undefined>
  /** The number of rows that were changed. */
  run(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number>
}

/** A connection held by one transaction. */
export type Session = Db & { command(text: string): Promise<string>; release(broken?: Error): void }

/** The database as the program uses it. */
export type Database = AsyncDisposable & {
  readonly reader: Db
  /**
   * Takes a connection for a transaction; refuses with 503 when none gets free in time. A patient one is for statements
   * that may take longer than a request has.
   */
  session(options?: { is_patient?: boolean }): Promise<Session>
  /** A short-lived connection as the tables' owner, for what the run-time role may not do (partitions, reset). */
  asOwner<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Connections in use, for metrics and readiness. */
  load(): { total: number; idle: number; waiting: number }
}

/** The role that the program runs as: no superuser, owner of nothing. Made by migrate.ts. */
export const runtimeRole = 'bourse_app'

const limits = [
  'lock_timeout=2000',
  'statement_timeout=3000',
  'idle_in_transaction_session_timeout=10000',
  'transaction_timeout=10000',
  // A plan that reads a small table whole where that is turned off counts as dear before PostgreSQL 18, and would be
  // compiled for 80 to 1,400 ms before it runs for a hundredth of one.
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')
// pg gives these no code.
const brokenConnection =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Client was closed/
// Statements of commands look rows up by key, so the first plan is the right one for good. Left alone, PostgreSQL plans
// those with arrays afresh each time, and walks through whole tables for as long as it remembers them as small: the
// update of a dozen orders hashed all that there ever were.
const plansByKey = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  random_page_cost: '1.1',
} as const
/** The same settings for work that reads whole tables from end to end, as PostgreSQL has them by itself. */
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

/** Writes a statement down. Give it a name unless its text is made afresh for each call. */
export function statement<R>(name: string | null, text: string): Statement<R> {
  return { name: name ?? undefined, text }
}

/** Parses int8 to a number, loudly where one does not fit, and numeric (sums, money read with a cast) to a bigint. */
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

function dbOf(client: pg.ClientBase, heard: Heard): Db {
  const send = (statement: Statement<unknown>, params: readonly unknown[] = []) => {
    heard.isWaiting = true
    return submit(laneOf(client), statement, params)
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
 * Why a statement failed. One that only follows from another's failure in its transaction (25P02) has that one's
 * reason: of statements that were sent together, whoever waits may hear of either first.
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

/** What is known of a connection, and what is about to be sent on it. */
type Lane = {
  readonly client: pg.ClientBase
  /** The statements that it has run before. */
  readonly prepared: Map<string, { readonly text: string; readonly columns: Columns }>
  /** Whether a transaction is open: then one statement's failure is that of all behind it. */
  isInTransaction: boolean
  /** Of an open transaction: what leaves in one piece. */
  waiting: Run[]
  isGathering: boolean
}

const lanes = new WeakMap<pg.ClientBase, Lane>()

function laneOf(client: pg.ClientBase): Lane {
  const known = lanes.get(client)
  if (known) return known
  const lane: Lane = { client, prepared: new Map(), isInTransaction: false, waiting: [], isGathering: false }
  lanes.set(client, lane)
  return lane
}

/** Sends a statement. Made here, since the driver would copy a description of it property by property. */
function submit(lane: Lane, { name, text }: Statement<unknown>, params: readonly unknown[]): Promise<Result> {
  const { client, prepared } = lane
  gather(lane)
  const result = new Promise<Result>((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(causeOf(client, error)) : resolve(result))
    const known = name === undefined ? undefined : prepared.get(name)
    if (name !== undefined && known?.text === text) {
      lane.waiting.push(prepareRun(name, known.columns, params, done))
      if (!lane.isInTransaction) sendWaiting(lane)
      return
    }
    const query = new Query(text, params, (error, result) => {
      if (!error && name !== undefined) prepared.set(name, { text, columns: columnsOf(result) })
      done(error, result)
    })
    query.name = name
    sendWaiting(lane)
    client.query(query)
  })
  return result.catch((error) => {
    // Leads back to whoever sent it, and not to the socket that the answer came from.
    Error.captureStackTrace(error)
    throw error
  })
}

function columnsOf({ fields }: Described): Columns {
  return fields.map((field) => ({ name: field.name, parse: typeParser(field.dataTypeID) }))
}

function sendWaiting(lane: Lane): void {
  const { waiting, client } = lane
  if (waiting.length === 0) return
  lane.waiting = []
  client.query(sendTogether(waiting))
}

/**
 * Lets whatever is sent before the program waits leave in one write. The driver writes each statement by itself, and
 * each write wakes the database's process: with 16 callers that took half of the time of a replacement.
 */
function gather(lane: Lane): void {
  if (lane.isGathering) return
  lane.isGathering = true
  const { stream } = (lane.client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => {
    lane.isGathering = false
    sendWaiting(lane)
    stream.uncork()
  })
}

/** Whether an error says that the database cannot be reached or does not take work now. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? ''
  if (/^(08|53|57P0)/.test(code) || ['25006', '57014', '55P03', '25P03', '25P04'].includes(code)) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'].includes(code))
    return true
  const message = error instanceof Error ? error.message : ''
  return brokenConnection.test(message)
}

/** The refusal of everything that needs the database while it is away. */
export function unavailable(): Refusal {
  return new Refusal({
    code: 'unavailable',
    message: 'The database does not answer. Try again shortly.',
    retry_after_seconds: 1,
  })
}

/** Opens the database. `verify` runs on each new connection before its first use and may throw to refuse it. */
export function openDatabase(
  target: DatabaseTarget,
  { connections_max = 20, verify }: { connections_max?: number; verify?: (db: Db) => Promise<void> } = {},
): Database {
  // Tells the connections of one process from those of others on the same database.
  const own = `-c bourse.process=${createCryptoRandom().bytes(12).toString('hex')}`
  const runtimeOptions = `-c role=${runtimeRole} ${own} ${limits}`
  const listener = listenTo(clientConfig(target, runtimeOptions))
  const pool = new pg.Pool({
    ...clientConfig(target, `${runtimeOptions} ${plans}`),
    max: connections_max,
    idleTimeoutMillis: 30_000,
    onConnect: async (client: pg.ClientBase) => verify?.(dbOf(client, listener.hear(client))),
  } as pg.PoolConfig)
  // An idle connection that breaks is replaced at the next checkout; without a listener it would end the process.
  pool.on('error', () => {})
  // Planning a read of the partitioned log for its very values costs five times the read, so plans are made once.
  const readerOptions = `${runtimeOptions} -c plan_cache_mode=force_generic_plan`
  const readers = Array.from({ length: readersCount }, () =>
    sharedReader(clientConfig(target, readerOptions), listener),
  )
  return {
    reader: {
      rows: (s, p) => byLeastBusy(readers, (db) => db.rows(s, p)),
      row: (s, p) => byLeastBusy(readers, (db) => db.row(s, p)),
      run: (s, p) => byLeastBusy(readers, (db) => db.run(s, p)),
    },
    session: async ({ is_patient = false } = {}) => {
      const client = await listener.whileSpeaking(
        () => pool.connect(),
        (late) => late.release(),
      )
      return sessionOf(client, listener.hear(client), is_patient)
    },
    asOwner: async (work) => {
      const client = new pg.Client(clientConfig(target, `${own} -c lock_timeout=10000`))
      client.on('error', () => {})
      await client.connect()
      const heard = listener.hear(client)
      heard.isPatient = true
      try {
        return await work(dbOf(client, heard))
      } finally {
        await client.end()
      }
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    [Symbol.asyncDispose]: async () => {
      await listener.close(Promise.all([pool.end(), ...readers.map((reader) => reader.close())]))
    },
  }
}

function sessionOf(client: pg.PoolClient, heard: Heard, is_patient: boolean): Session {
  // A connection that breaks while it is held shows in the statement under way; the event itself says nothing more.
  const ignore = () => {}
  client.on('error', ignore)
  heard.isPatient = is_patient
  const lane = laneOf(client)
  return {
    ...dbOf(client, heard),
    command: async (text) => {
      heard.isWaiting = true
      if (text === 'begin') lane.isInTransaction = true
      gather(lane)
      sendWaiting(lane)
      const sent = client.query(text)
      if (text === 'commit' || text === 'rollback') lane.isInTransaction = false
      return (await sent).command
    },
    release: (broken) => {
      lane.isInTransaction = false
      client.off('error', ignore)
      client.release(broken)
    },
  }
}

type SharedReader = { db(): Promise<Db>; close(): Promise<void>; underWay: number }

/**
 * Asks by the reader that has least to do, the first of equals: where one caller reads after the other, one connection
 * plans each statement once, and the others stay closed.
 */
async function byLeastBusy<T>(readers: readonly SharedReader[], ask: (db: Db) => Promise<T>): Promise<T> {
  const reader = readers.reduce((least, one) => (one.underWay < least.underWay ? one : least))
  reader.underWay += 1
  try {
    return await ask(await reader.db())
  } finally {
    reader.underWay -= 1
  }
}

/** One connection that many callers share; a broken one is opened again by the next caller. */
function sharedReader(config: pg.ClientConfig, listener: Listener): SharedReader {
  let current: { client: pg.Client; ready: Promise<Db> } | undefined
  let isClosed = false
  const open = () => {
    const client = new pg.Client(config)
    const drop = () => {
      if (current?.client === client) current = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    const connected = listener.whileSpeaking(
      () => client.connect(),
      () => void client.end(),
    )
    const ready = connected.then(() => dbOf(client, listener.hear(client)))
    ready.catch(drop)
    return { client, ready }
  }
  return {
    underWay: 0,
    db: async () => {
      // What still comes after the end must open nothing again.
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
