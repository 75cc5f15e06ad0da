/**
 * The connections for reads, which many callers share: a few for the program's own, and those of accounts, apart from
 * them, so that no account can delay tokens and the clock. Not this file's work: opening a connection (db.ts), turns of
 * accounts (reader-pool.ts).
 */
import type pg from 'pg'
import { ownReadersMax } from './connection-share.rules.ts'
import { createReaderPool } from './reader-pool.ts'
import type { Db } from './statement.ts'

/** How a reader gets its connection. */
export type ReaderSource = {
  /** Opens one. `whenEnded` is called as soon as it has ended. */
  connect(whenEnded: (client: pg.Client) => void): Promise<pg.Client>
  dbOf(client: pg.Client): Db
  /** The error of a read that cannot be sent. */
  unavailable(): Error
}

/** The connections for reads of one process. */
export type Readers = {
  /** For reads that belong to no account. */
  readonly reader: Db
  /** For the reads of one account. */
  readerOf(accountId: string): Db
  /** The statements of accounts that run, and those that wait for a connection. */
  readsLoad(): { readonly running: number; readonly waiting: number }
  close(): Promise<unknown>
}

/** Creates the readers: our own, and `accountReadersMax` of accounts. Each opens its connection with its first use. */
export function openReaders(source: ReaderSource, accountReadersMax: number): Readers {
  const open = (length: number) => Array.from({ length }, () => sharedReader(source))
  const [readers, accountReaders] = [open(ownReadersMax), open(accountReadersMax)]
  const accountPool = createReaderPool(accountReaders, {
    connections_max: 2,
    turn: 8,
    waiting_max: 1_000,
    refusal: source.unavailable,
  })
  return {
    reader: dbThrough((ask) => byLeastBusy(readers, ask)),
    readerOf: (accountId) => dbThrough((ask) => accountPool.run(accountId, ask)),
    readsLoad: accountPool.load,
    close: () => Promise.all([...readers, ...accountReaders].map((reader) => reader.close())),
  }
}

/** A Db whose statements each get a connection from `withDb`. */
function dbThrough(withDb: <T>(ask: (db: Db) => Promise<T>) => Promise<T>): Db {
  return {
    rows: (statement, params) => withDb((db) => db.rows(statement, params)),
    row: (statement, params) => withDb((db) => db.row(statement, params)),
    run: (statement, params) => withDb((db) => db.run(statement, params)),
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
function sharedReader({ connect, dbOf, unavailable }: ReaderSource): SharedReader {
  let current: Promise<{ client: pg.Client; db: Db }> | undefined
  let isClosed = false
  const open = () => {
    const ended = new Set<pg.Client>()
    let used: pg.Client | undefined
    const forget = () => {
      if (current === opened) current = undefined
    }
    const whenEnded = (client: pg.Client) => {
      ended.add(client)
      if (client === used) forget()
    }
    const opened = connect(whenEnded).then((client) => {
      used = client
      // The connection may have ended before this callback.
      if (ended.has(client)) forget()
      return { client, db: dbOf(client) }
    })
    opened.catch(forget)
    return opened
  }
  return {
    in_flight: 0,
    db: async () => {
      // A read after the close must not open a new connection.
      if (isClosed) throw unavailable()
      current ??= open()
      return (await current).db
    },
    close: async () => {
      isClosed = true
      const last = await current?.catch(() => undefined)
      await last?.client.end().catch(() => {})
    },
  }
}
