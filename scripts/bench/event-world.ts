/** A database full of events, with accounts, tokens and SKUs that the program itself made. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startBundledPostgres } from '../../packages/server/src/core/bundled-postgres.ts'
import { systemCommand } from '../../packages/server/src/core/command.ts'
import type { DatabaseTarget } from '../../packages/server/src/core/database-target.ts'
import { type Db, statement } from '../../packages/server/src/core/db.ts'
import { type EventFilters, eventCursorKey, sealEventCursors } from '../../packages/server/src/core/event-cursor.ts'
import { ensureKeyFiles, readKeyFiles } from '../../packages/server/src/core/key-files.ts'
import { openLog } from '../../packages/server/src/core/log.ts'
import { migrate, readMigrations } from '../../packages/server/src/core/migrate.ts'
import { sortPastDays } from '../../packages/server/src/events/partitions.service.ts'
import { createAdminToken, makeAccount } from '../../packages/server/src/iam/accounts.service.ts'
import { insertSku } from '../../packages/server/src/market/skus.store.ts'
import { type Server, startServer } from '../../packages/server/src/server.ts'
import { loadCore, pin, type ServerChild, serverCore, startChild } from './child.ts'

/** One account of the world. Its events have the positions 1 to `events`. */
export type BenchAccount = {
  readonly id: string
  readonly workspace_id: string
  readonly token: string
  readonly events: number
}

export type World = AsyncDisposable & {
  readonly target: DatabaseTarget
  readonly database_pid: number
  readonly accounts: readonly BenchAccount[]
  /** The second in which an event of an account occurred. */
  moment(account: BenchAccount, position: number): number
  /** A cursor of the program's own making. */
  cursor(account: BenchAccount, position: number, filters?: EventFilters): string
  /** A server process of its own, on its own core. */
  serve(): Promise<ServerChild>
}

const migrationsDirectory = join(import.meta.dirname, '../../migrations')
const week = 7 * 86_400
/** As an operator would size it for such a log, a quarter of the memory; the bundled default is for a laptop. */
const settings = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
}

/** A database of its own with nothing in it, and servers on it. */
export type BenchPlace = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** The first process of the database. */
  postgres_pid(): number
  /** Does something on a server in this process. */
  prepare<T>(work: (server: Server) => Promise<T>): Promise<T>
  /** A server process of its own. */
  serve(): Promise<ServerChild>
}

/** How a place is made. */
export type PlaceOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** False: server and database run on whatever core is free. */
  readonly pinned?: boolean
}

/** Makes an empty place, on a PostgreSQL that loses nothing. Pinned, the database shares a core with the load. */
export async function makePlace({ settings = {}, pinned = true }: PlaceOptions = {}): Promise<BenchPlace> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const options = { data_directory: directory, log: () => {}, settings }
  const postgres = stack.use(await startBundledPostgres(options))
  if (pinned) pin(postgres.pid, loadCore)
  const { target } = postgres
  await migrate(target, { directory: migrationsDirectory, log: () => {} })
  const key_paths = await ensureKeyFiles(join(directory, 'keys'))
  const keys = await readKeyFiles(key_paths, { production: false })
  const schema_version = (await readMigrations(migrationsDirectory)).length
  const all = stack.move()
  return {
    target,
    postgres_pid: () => postgres.pid,
    prepare: async (work) => {
      const log = openLog('error')
      const edge = { host: '127.0.0.1', port: 0, rate_multiplier: 1_000_000 }
      await using server = await startServer({ mode: 'sandbox', target, keys, log, schema_version, ...edge })
      return await work(server)
    },
    serve: () => {
      const core = pinned ? serverCore : undefined
      return startChild('server-program.ts', { target, keys: key_paths, schema_version }, core)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/**
 * Makes a world: accounts with equally many events each, spread evenly over the last week, all accounts interleaved.
 */
export async function makeWorld({
  events,
  accounts,
  skus = 0,
}: {
  events: number
  accounts: number
  skus?: number
}): Promise<World> {
  const place = await makePlace({ settings })
  const { made, first, cursors } = await place.prepare(async (server) => {
    const made = await makeAccounts(server, accounts, Math.floor(events / accounts))
    await makeSkus(server, skus)
    const { database } = server.runtime
    const first = await database.asOwner((db) => fillLog(db, made))
    // As the upkeep of a week would have left it.
    await sortPastDays(database)
    return { made, first, cursors: server.runtime.keys.cursors() }
  })
  const moment = ({ events: count }: BenchAccount, position: number) =>
    first + Math.floor(((position - 1) * (week - 3600)) / count)
  return {
    target: place.target,
    database_pid: place.postgres_pid(),
    accounts: made,
    moment,
    cursor: (account, position, filters = {}) => {
      const mark = { position, recorded_at: moment(account, position) }
      const key = eventCursorKey(cursors.current, { account_id: account.id, filters })
      return sealEventCursors(key, [mark])[0] as string
    },
    serve: place.serve,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}

async function makeAccounts({ runtime }: Server, count: number, events: number): Promise<BenchAccount[]> {
  const made: BenchAccount[] = []
  for (let i = 0; i < count; i++) {
    const id = `bench-${i}`
    const account = await systemCommand(runtime, async (ctx) => {
      const { workspace_id } = await makeAccount(ctx, { id, trust_level: 'trusted' })
      const { token } = await createAdminToken(ctx, { account_id: id, workspace_id, name: 'bench' })
      return { id, workspace_id, token, events }
    })
    made.push(account)
  }
  return made
}

async function makeSkus({ runtime }: Server, count: number): Promise<void> {
  await systemCommand(runtime, async (ctx) => {
    for (let i = 0; i < count; i++) {
      const text = (value: string) => ({ value, display_value: value })
      const size = (value: number) => ({ value, display_value: String(value) })
      const properties = {
        region: text('eu-north-1'),
        availability_zone: text(`eu-north-1${'abc'[i % 3]}`),
        accelerator: text('h100-sxm'),
        form_factor: text('sxm5'),
        rdma_type: text('infiniband'),
        infiniband_fabric: `fabric-${i % 5}`,
        num_accelerators: size(8),
        num_vcpus: size(192),
        memory_bytes: size(2 ** 41),
        local_storage_bytes: size(30 * 10 ** 12),
        supports_public_ipv4: { value: true, display_value: 'Yes' },
      }
      const terms = {
        listed: true,
        flat_fee_micros: 0n,
        fee_bps: 0,
        created_at: ctx.now,
        updated_at: ctx.now,
        deleted_at: null,
      }
      await insertSku(ctx.db, { id: ctx.newId('sku'), alias: `h100-${i}`, properties, ...terms } as Parameters<
        typeof insertSku
      >[1])
    }
  })
}

const pastDays = statement<{ sql: string }>(
  null,
  `select string_agg(format('create table if not exists %I partition of events for values from (%L) to (%L)',
     to_char(day, '"events_"YYYYMMDD'), day, day + 1), ';') as sql
   from (select bourse_today() - n as day from generate_series(1, 8) n) d`,
)

/** Fills the log as the program would have in a week; gives the second of the first events. */
async function fillLog(db: Db, accounts: readonly BenchAccount[]): Promise<number> {
  await inTurn(db, (await db.row(pastDays))?.sql ?? '')
  const count = accounts[0]?.events ?? 0
  const { first } = (await db.row(
    statement<{ first: number }>(null, `select bourse_now() - ${week - 1800} as first`),
  )) as { first: number }
  await db.run(
    statement(
      null,
      `create temp table bench_accounts as select * from jsonb_to_recordset($1::jsonb)
       as a(n integer, id text, workspace_id text)`,
    ),
    [JSON.stringify(accounts.map(({ id, workspace_id }, n) => ({ n, id, workspace_id })))],
  )
  const indexes = await db.rows(
    statement<{ name: string; text: string }>(
      null,
      `select indexrelid::regclass::text as name,
    pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'events'::regclass`,
    ),
  )
  // Indexes that are built at the end are as good and take a fifth of the time.
  for (const { name } of indexes) await db.run(statement(null, `drop index ${name}`))
  await db.run(statement(null, fillText(count)), [count, first, accounts.length])
  for (const { text } of indexes) await db.run(statement(null, text.replace(' ON ONLY ', ' ON ')))
  await db.run(
    statement(
      null,
      `update event_counters c set position = $1, occurred_at = $2 from bench_accounts a where a.id = c.account_id`,
    ),
    [count, first + Math.floor(((count - 1) * (week - 3600)) / count)],
  )
  await db.run(statement(null, 'vacuum analyze events'))
  await db.run(statement(null, 'checkpoint'))
  return first
}

function fillText(count: number): string {
  // Most events are about instances; one in 250 about the account itself.
  return `insert into events
      (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, workspace_id, body)
    select e.account_id, e.position, (to_timestamp(e.at) at time zone 'UTC')::date, e.at, e.id, e.action,
      e.type, e.target, e.workspace_id,
      '{"object":"event","id":"' || e.id || '","action":"' || e.action || '","occurred_at":' || e.at
      || ',"actor":{"type":"token","id":"tokn_0123456789abcdefghijk"},"targets":[{"type":"' || e.type
      || '","id":"' || e.target || '"}],"cursor":"'
    from (
      select a.id as account_id, p as position, $2::bigint + (p - 1) * ${week - 3600} / $1 as at,
        'evt_' || lpad((p * $3 + a.n)::text, 21, '0') as id,
        case when p % 250 = 7 then null else a.workspace_id end as workspace_id,
        case when p % 250 = 7 then 'account' else 'instance' end as type,
        case when p % 250 = 7 then a.id else 'inst_' || lpad(((p / 3) * $3 + a.n)::text, 21, '0') end as target,
        case when p % 250 = 7 then 'trust_level.updated'
          else (array['instance.created', 'instance.running', 'instance.terminated'])[p % 3 + 1] end as action
      from generate_series(1, ${count}::bigint) p cross join bench_accounts a order by p, a.n
    ) e`
}

async function inTurn(db: Db, text: string): Promise<void> {
  for (const part of text.split(';')) if (part) await db.run(statement(null, part))
}
