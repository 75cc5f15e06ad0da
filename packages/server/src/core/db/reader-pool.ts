/**
 * Connections for the reads of accounts, so that a slow read delays only its own account. A connection carries the
 * statements of one account at a time: PostgreSQL runs the statements of a connection one after another. An account
 * that has no connection waits in its own queue, and accounts that wait take turns. Not this file's work: opening
 * connections, and reads that belong to no account (tokens, the clock, snapshots), which have connections of their own.
 */
/** A connection that is opened with its first use. */
type LazyConnection<Db> = { db(): Promise<Db> }

/** The reads of all accounts of one process. */
type ReaderPool<Db> = {
  /** Runs a statement of an account. */
  run<T>(accountId: string, work: (db: Db) => Promise<T>): Promise<T>
  /** The statements that run, and those that wait for a connection. */
  load(): { readonly running: number; readonly waiting: number }
}

/** The limits of an account. */
type ReaderLimits = {
  /** Connections that one account uses at most. It takes a further one only if others stay free for other accounts. */
  readonly connections_max: number
  /** Statements of an account that are sent before one of another account that waits. */
  readonly turn: number
  /** Statements of an account that wait at most. */
  readonly waiting_max: number
  /** The error of a statement beyond that. */
  readonly refusal: () => Error
}

type ReaderLine<Db> = {
  readonly connection: LazyConnection<Db>
  account: ReaderAccount<Db> | undefined
  in_flight: number
}
type ReaderAccount<Db> = {
  readonly id: string
  readonly lines: Set<ReaderLine<Db>>
  /** What sends each of its waiting statements. */
  readonly waiting: ((line: ReaderLine<Db>) => void)[]
}
type Pool<Db> = {
  readonly limits: ReaderLimits
  readonly lines: readonly ReaderLine<Db>[]
  readonly accounts: Map<string, ReaderAccount<Db>>
  /** The accounts that wait for a connection, in the order of their turns. */
  readonly queue: Set<ReaderAccount<Db>>
}

/** Creates the pool over connections, which are used from the first one on. */
export function createReaderPool<Db>(connections: readonly LazyConnection<Db>[], limits: ReaderLimits): ReaderPool<Db> {
  const lines = connections.map((connection) => ({ connection, account: undefined, in_flight: 0 }))
  const pool: Pool<Db> = { limits, lines, accounts: new Map(), queue: new Set() }
  return {
    run: (id, work) => ask(pool, id, work),
    load: () => ({
      running: lines.reduce((sum, { in_flight }) => sum + in_flight, 0),
      waiting: [...pool.queue].reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),
  }
}

async function ask<Db, T>(pool: Pool<Db>, id: string, run: (db: Db) => Promise<T>): Promise<T> {
  const account = accountOf(pool, id)
  const line = lineFor(pool, account) ?? (await wait(pool, account))
  try {
    return await run(await line.connection.db())
  } finally {
    leave(pool, line)
  }
}

function accountOf<Db>({ accounts }: Pool<Db>, id: string): ReaderAccount<Db> {
  const known = accounts.get(id)
  if (known) return known
  const account = { id, lines: new Set<ReaderLine<Db>>(), waiting: [] }
  accounts.set(id, account)
  return account
}

/** A connection for one more statement of an account; undefined if the statement has to wait for its turn. */
function lineFor<Db>({ lines, queue, limits }: Pool<Db>, account: ReaderAccount<Db>): ReaderLine<Db> | undefined {
  // While others wait, an account sends nothing more, so that its connections become free for them.
  if (queue.size > 0) return undefined
  let best: ReaderLine<Db> | undefined
  for (const line of account.lines) if (!best || line.in_flight < best.in_flight) best = line
  if (best && (best.in_flight === 0 || account.lines.size === limits.connections_max)) return enter(best, account)
  const free = lines.filter((line) => line.account === undefined)
  const [first] = free
  const leavesEnough = free.length > limits.connections_max
  if (first && (!best || leavesEnough)) return enter(first, account)
  return best && enter(best, account)
}

function enter<Db>(line: ReaderLine<Db>, account: ReaderAccount<Db>): ReaderLine<Db> {
  line.account = account
  line.in_flight += 1
  account.lines.add(line)
  return line
}

function wait<Db>(pool: Pool<Db>, account: ReaderAccount<Db>): Promise<ReaderLine<Db>> {
  const { limits, queue } = pool
  if (account.waiting.length >= limits.waiting_max) throw limits.refusal()
  queue.add(account)
  return new Promise((resolve) => account.waiting.push(resolve))
}

/** Ends a statement. A connection without statements goes to the account whose turn is next. */
function leave<Db>(pool: Pool<Db>, line: ReaderLine<Db>): void {
  const { queue, accounts, limits } = pool
  line.in_flight -= 1
  if (line.in_flight > 0) return
  const last = line.account as ReaderAccount<Db>
  last.lines.delete(line)
  line.account = undefined
  const [next] = queue
  if (next) {
    queue.delete(next)
    for (const send of next.waiting.splice(0, limits.turn)) send(enter(line, next))
    if (next.waiting.length > 0) queue.add(next)
  }
  if (last.lines.size === 0 && last.waiting.length === 0) accounts.delete(last.id)
}
