/**
 * Sends the statements of one connection: those of one turn of the event loop in one write, and those of an open
 * transaction in one batch. Not this file's work: connections and their limits (db.ts).
 */
import pg from 'pg'
import {
  type Callback,
  type Columns,
  createStatementBatch,
  prepareRun,
  type Result,
  type StatementRun,
} from './prepared.ts'
import type { Statement } from './statement.ts'

/** Parses int8 to a number (throws where it does not fit) and numeric (sums, money read with a cast) to a bigint. */
export function typeParser(oid: number): (text: string) => unknown {
  if (oid === 20) return safeInteger
  if (oid === 1700) return BigInt
  return pg.types.getTypeParser(oid, 'text')
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`A bigint column holds ${text}; read it with a cast to numeric.`)
  return value
}

/** The messages of a broken connection. pg sets no code on these errors. */
export const brokenConnection =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Client was closed/
const failures = new WeakMap<pg.ClientBase, Error>()
/** Why the server closed a connection while no statement ran on it. Later statements only learn that it is closed. */
const endings = new WeakMap<pg.ClientBase, Error>()

/**
 * The cause of a statement's failure. A statement in a failed transaction (25P02) gets the error of the statement that
 * failed first: of statements that were sent together, the caller may await either one first.
 */
function causeOf(client: pg.ClientBase, error: Error): Error {
  if (brokenConnection.test(error.message)) return endings.get(client) ?? error
  if ((error as { code?: string }).code === '25P02') return failures.get(client) ?? error
  failures.set(client, error)
  return error
}

/** Records why the server closed a connection. The first reason counts. */
export function recordEnding(client: pg.ClientBase, error: Error): void {
  if (!endings.has(client)) endings.set(client, error)
}

/** The state of a connection, and the statements that are about to be sent on it. */
type StatementPipeline = {
  readonly client: pg.ClientBase
  /** The statements that are prepared on it. */
  readonly prepared: Map<string, { readonly text: string; readonly columns: Columns }>
  /** Whether a transaction is open. In one, the failure of a statement also fails all later statements. */
  isInTransaction: boolean
  /** The statements of an open transaction that will be sent together. */
  queued: StatementRun[]
  isCorked: boolean
}

const pipelines = new WeakMap<pg.ClientBase, StatementPipeline>()

/** The pipeline of a connection. */
export function pipelineOf(client: pg.ClientBase): StatementPipeline {
  const known = pipelines.get(client)
  if (known) return known
  const pipeline: StatementPipeline = {
    client,
    prepared: new Map(),
    isInTransaction: false,
    queued: [],
    isCorked: false,
  }
  pipelines.set(client, pipeline)
  return pipeline
}

/** Sends a statement. Builds the query itself, because the driver would copy a description property by property. */
export function submit(
  pipeline: StatementPipeline,
  { name, text }: Statement<unknown>,
  params: readonly unknown[],
): Promise<Result> {
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
    const query = new pg.Query({ name, text, values: params as unknown[] }, (error, result) => {
      if (!error && name !== undefined) prepared.set(name, { text, columns: columnsOf(result) })
      done(error ?? null, result)
    })
    flush(pipeline)
    client.query(query)
  })
  return result.catch((error) => {
    // The stack then shows the caller that sent the statement instead of the socket's event handler.
    Error.captureStackTrace(error)
    throw error
  })
}

function columnsOf({ fields }: pg.QueryResult): Columns {
  return fields.map((field) => ({ name: field.name, parse: typeParser(field.dataTypeID) }))
}

/** Sends the statements that a transaction has queued. */
export function flush(pipeline: StatementPipeline): void {
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
export function corkUntilNextTick(pipeline: StatementPipeline): void {
  if (pipeline.isCorked) return
  pipeline.isCorked = true
  const { stream } = (pipeline.client as pg.Client).connection
  stream.cork()
  process.nextTick(() => {
    pipeline.isCorked = false
    flush(pipeline)
    stream.uncork()
  })
}
