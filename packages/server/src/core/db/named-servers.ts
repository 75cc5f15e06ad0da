/**
 * The servers that the URL of the database names. Whenever a connection is made, all of them are asked which history
 * they have, and only the one with the newest is used. Others that accept writes get a record of their successor, so
 * that programs that know nothing of it refuse them too (docs/decisions/106-replaced-primaries.md).
 * Not this file's work: the choice (server-choice.rules.ts), lost commits (history.ts).
 */
import pg from 'pg'
import { atMostEvery } from '../base/at-most-every.ts'
import { every, monotonicMilliseconds, wallMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseAddresses } from './addresses.ts'
import type { DatabaseTarget } from './database-target.ts'
import { replacedError, standbyError } from './history.ts'
import type { SeenServers } from './seen-server.ts'
import {
  type AskedServer,
  chooseServer,
  mustLeave,
  type PreparedServer,
  type ServerChoice,
  type ServerState,
} from './server-choice.rules.ts'

/** The servers of one database, as one program sees them. */
type NamedServers = {
  /**
   * Chooses a server for a new connection to the one at a place of the list. Asks the others at most twice a second.
   */
  chooseFor(place: number, client: pg.ClientBase): Promise<ServerChoice>
  /** Chooses a server for a program without connections. */
  choose(): Promise<ServerChoice>
}

/** What to ask, and what is known. */
type NamedServersOptions = {
  readonly target: DatabaseTarget
  readonly seen: SeenServers
  readonly log?: Log | undefined
}

type ServerAddress = Pick<DatabaseTarget, 'host' | 'port'>

const sharedMilliseconds = 500
const watchMilliseconds = 5_000
/** A replaced server that takes no record may hold up a new connection for a second, so not each one tries. */
const fenceMilliseconds = 5_000
/** A server that is down drops packets, and each new connection would wait for it. */
const downMilliseconds = 250
const usualMilliseconds = 1_000
/** Where nothing is known, the answer of each server counts. */
const unknownMilliseconds = 5_000
const schemaIsOlder = ['42P01', '42501']

// A standby knows the timeline that it follows by the log that it has replayed.
const selectServer = `
  select
    r.in_recovery,
    c.system_identifier::text as system_identifier,
    case
      when r.in_recovery then greatest(k.timeline_id, v.min_recovery_end_timeline)
      else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
    end as timeline
  from pg_control_system() c, pg_control_checkpoint() k, pg_control_recovery() v,
    (select pg_is_in_recovery() as in_recovery) r`
const selectNumber = 'select coalesce(max(number), 0) as value from histories'
const selectFence = `
  select coalesce(max(timeline), 0)::int as value
  from fences
  where system_identifier = (
    select system_identifier::text
    from pg_control_system()
  )`
// The standby of a replaced primary follows the successor, so nobody would confirm the commit.
const commitLocally = 'set synchronous_commit = local'
const insertFenceRow = `
  insert into fences (system_identifier, timeline, recorded_at)
  values ($1, $2, $3)
  on conflict do nothing`

/** Opens them. Nothing is asked yet. */
export function openNamedServers(options: NamedServersOptions): NamedServers {
  const { target, seen } = options
  const addresses = addressesOf(target)
  const names = addresses.map(nameOf)
  const silent = new Set<number>()
  const fence = createFencing(options, addresses)
  const ask = async (downLimit: number): Promise<AskedServer[]> => {
    const usual = seen.newest() === undefined ? unknownMilliseconds : usualMilliseconds
    const answers = await Promise.all(
      addresses.map((address, at) => askServer(target, address, silent.has(at) ? downLimit : usual)),
    )
    silent.clear()
    for (const [at, answer] of answers.entries()) if (typeof answer === 'string') silent.add(at)
    return answers.map((answer, at) => ({ name: names[at] as string, answer }))
  }
  const choose = async (asked: readonly AskedServer[]): Promise<ServerChoice> => {
    const choice = chooseServer(asked, seen.newest())
    for (const { at, by_timeline } of choice.replaced) {
      await fence({ at, by_timeline, server: asked[at] as AskedServer, reasons: choice.reasons })
    }
    return choice
  }
  const shared = atMostEvery(sharedMilliseconds, () => ask(downMilliseconds))
  const unasked = names.map((name): AskedServer => ({ name, answer: 'not asked' }))
  return {
    choose: async () => choose(await ask(usualMilliseconds)),
    chooseFor: async (place, client) => {
      const asked = addresses.length === 1 ? unasked : await shared()
      // A server that is too busy to answer another connection in time has answered this one.
      if (typeof asked[place]?.answer !== 'string') return await choose(asked)
      return await choose(asked.with(place, { name: names[place] as string, answer: await readState(client) }))
    },
  }
}

type ReplacedServer = {
  readonly at: number
  readonly by_timeline: number
  readonly server: AskedServer
  readonly reasons: readonly string[]
}

/** Makes the function that leaves a record of its successor in a replaced server, and tries again until it has one. */
function createFencing({ target, log }: NamedServersOptions, addresses: readonly ServerAddress[]) {
  const tried = new Map<string, number>()
  return async ({ at, by_timeline, server: { name, answer }, reasons }: ReplacedServer): Promise<void> => {
    if (typeof answer === 'string') return
    const triedAt = tried.get(`${name} ${by_timeline}`)
    const isFirst = triedAt === undefined
    const now = monotonicMilliseconds()
    if (!isFirst && now - triedAt < fenceMilliseconds) return
    tried.set(`${name} ${by_timeline}`, now)
    if (isFirst) {
      const message =
        `${name} was replaced and accepts writes. Stop it, or make it a standby of its successor. If the database ` +
        'was restored to it, docs/guides/failover.md says what to do.'
      log?.error({ reasons }, message)
    }
    if (answer.fenced_by >= by_timeline) return
    const address = addresses[at] as ServerAddress
    await insertFence(target, { address, system_identifier: answer.system_identifier, by_timeline }).catch((err) => {
      if (isFirst) log?.warn({ err }, `${name} took no record of its successor. Further failures are not logged.`)
    })
  }
}

/** The addresses of a target, in the order of the URL. */
export function addressesOf({ host, port, others = [] }: DatabaseTarget): readonly ServerAddress[] {
  return [{ host, port }, ...others]
}

/** A sentence about servers none of which may be used. */
export function describeRefusedServers({ reasons }: ServerChoice): string {
  return `No server of the database can be used: ${reasons.join('; ')}.`
}

/** The servers of a database, and which of them connections go to. */
export type WatchedServers = {
  readonly servers: NamedServers
  readonly addresses: DatabaseAddresses
  /** Set whenever a connection is prepared. */
  prepared: PreparedServer | undefined
}

/** Looks for a newer server than the one in use, which may respond only after connections were made. */
export function watchServers(watched: WatchedServers, whenReplaced: () => void): () => void {
  const { servers, addresses } = watched
  if (addresses.count === 1) return () => {}
  return every(watchMilliseconds, () => {
    void servers.choose().then((choice) => {
      if (choice.use !== undefined) addresses.use(choice.use)
      if (mustLeave(watched.prepared, choice)) whenReplaced()
    })
  })
}

/**
 * Refuses a connection to another server than the one with the newest history, and uses that one from then on. Returns
 * the server of the connection; undefined for a standby that is the only one.
 */
export async function refuseOthers(
  client: pg.ClientBase,
  { servers, addresses }: WatchedServers,
): Promise<PreparedServer | undefined> {
  const { host, port } = client as pg.Client
  const place = addresses.placeOf({ host, port })
  const choice = await servers.chooseFor(place, client)
  if (choice.used && choice.use === place) return { ...choice.used, at: place }
  const isReplaced = choice.replaced.some(({ at }) => at === place)
  // Tools may read a standby that is the only server they are given.
  if (addresses.count === 1 && !isReplaced) return undefined
  if (choice.use !== undefined) addresses.use(choice.use)
  const message = choice.use === undefined ? describeRefusedServers(choice) : choice.reasons.join('; ')
  throw isReplaced ? replacedError(message) : standbyError(message)
}

/** The address of a server as messages name it. */
function nameOf({ host, port }: ServerAddress): string {
  return host.startsWith('/') ? `socket ${host}` : `${host}:${port}`
}

async function askServer(target: DatabaseTarget, address: ServerAddress, limit: number): Promise<ServerState | string> {
  try {
    return await withClient(target, address, limit, readState)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return message === '' ? (code ?? 'no reason') : message
  }
}

async function withClient<T>(
  target: DatabaseTarget,
  address: ServerAddress,
  limit: number,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { others: _, ...one } = target
  const limits = { connectionTimeoutMillis: limit, query_timeout: limit, pipeline: true }
  const client = new pg.Client({ ...one, ...address, ...limits, application_name: 'bourse survey' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    // Waiting for a server that does not respond would hold up the others.
    void client.end().catch(() => {})
  }
}

async function readState(client: pg.ClientBase): Promise<ServerState> {
  const [server, number, fenced_by] = await Promise.all([
    client.query<Pick<ServerState, 'in_recovery' | 'system_identifier' | 'timeline'>>(selectServer),
    readValue(client, selectNumber),
    readValue(client, selectFence),
  ])
  const [state] = server.rows
  if (!state) throw new Error('The server did not identify itself.')
  return { ...state, number, fenced_by }
}

/** A number, or 0 where the schema of the server lacks the table. */
async function readValue(client: pg.ClientBase, text: string): Promise<number> {
  try {
    return (await client.query<{ value: number }>(text)).rows[0]?.value ?? 0
  } catch (error) {
    if (schemaIsOlder.includes((error as { code?: string }).code ?? '')) return 0
    throw error
  }
}

type Fence = { readonly address: ServerAddress; readonly system_identifier: string; readonly by_timeline: number }

async function insertFence(target: DatabaseTarget, fence: Fence): Promise<void> {
  const recordedAt = Math.floor(wallMilliseconds() / 1000)
  await withClient(target, fence.address, usualMilliseconds, async (client) => {
    await client.query(commitLocally)
    await client.query(insertFenceRow, [fence.system_identifier, fence.by_timeline, recordedAt])
  })
}
