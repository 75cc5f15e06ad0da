/** A database full of events, with accounts, tokens and SKUs that the server itself created. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openLog } from '../../../packages/server/src/core/base/log.ts'
import type { DatabaseTarget } from '../../../packages/server/src/core/db/database-target.ts'
import {
  type EventFilters,
  eventCursorKey,
  sealEventCursors,
} from '../../../packages/server/src/core/keys/event-cursor.ts'
import { ensureKeyFiles, readKeyFiles } from '../../../packages/server/src/core/keys/key-files.ts'
import { migrate } from '../../../packages/server/src/core/migrations/migrate.ts'
import { readMigrations } from '../../../packages/server/src/core/migrations/migration-files.ts'
import { startBundledPostgres } from '../../../packages/server/src/core/postgres/bundled-postgres.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import type { Mode } from '../../../packages/server/src/core/work/runtime.ts'
import { type Server, startServer } from '../../../packages/server/src/server.ts'
import { call } from '../../../packages/server/test/support/big-fleet.ts'
import { loadCore, pin, type ServerChild, serverCore, startChild } from '../child.ts'
import { makeBenchAccount, makeOperator } from './accounts.ts'
import { type BenchAccount, fillLog, momentOf } from './event-filling.ts'

export type EventWorld = AsyncDisposable & {
  readonly target: DatabaseTarget
  readonly database_pid: number
  readonly accounts: readonly BenchAccount[]
  /** The second in which an event of an account occurred. */
  moment(account: BenchAccount, position: number): number
  /** A valid cursor of the server. */
  cursor(account: BenchAccount, position: number, filters?: EventFilters): string
  /** Starts a server process on its own core. */
  readonly serve: BenchPlace['serve']
}

/** The public URL of the servers of all benchmarks. */
export const benchUrl = 'https://bourse.example'

const migrationsDirectory = join(import.meta.dirname, '../../../migrations')
/**
 * The size that an operator would choose for such a log, a quarter of the memory. The bundled default suits a laptop.
 */
const settings = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
  // Otherwise filling the log would write everything twice. The measured load only reads.
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** A new, empty database, and servers on it. */
export type BenchPlace = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** The first process of the database. */
  postgres_pid(): number
  /** The bytes of write-ahead log that the database has written so far. */
  readWal(): Promise<number>
  /** Runs work on a server in this process. */
  prepare<T>(work: (server: Server) => Promise<T>): Promise<T>
  /** Starts a server process: the whole server, unless another program is named, which may have options of its own. */
  serve(program?: string, more?: Readonly<Record<string, unknown>>): Promise<ServerChild>
}

/** The options of {@link makePlace}. */
export type PlaceOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** False: the scheduler of the system chooses the cores of server and database. */
  readonly pinned?: boolean
  /** The default is a sandbox. */
  readonly mode?: Mode
}

/**
 * Creates an empty place, on a PostgreSQL with durable commits. If pinned, the database shares a core with the load
 * from the start of the server on.
 */
export async function makePlace({
  settings = {},
  pinned = true,
  mode = 'sandbox',
}: PlaceOptions = {}): Promise<BenchPlace> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const options = { data_directory: directory, log: () => {}, settings }
  const postgres = stack.use(await startBundledPostgres(options))
  const { target } = postgres
  await migrate(target, { directory: migrationsDirectory, log: () => {} })
  const keyPaths = await ensureKeyFiles(join(directory, 'keys'))
  const keys = await readKeyFiles(keyPaths, { production: false })
  const schema_version = (await readMigrations(migrationsDirectory)).length
  const observer = new pg.Client(target)
  await observer.connect()
  stack.defer(() => observer.end())
  const all = stack.move()
  return {
    target,
    postgres_pid: () => postgres.pid,
    readWal: async () => {
      const { rows } = await observer.query<{ bytes: string }>("select pg_current_wal_insert_lsn() - '0/0' as bytes")
      return Number(rows[0]?.bytes)
    },
    prepare: async (work) => {
      const log = openLog('error')
      const edge = { host: '127.0.0.1', port: 0, public_url: benchUrl, rate_multiplier: 1_000_000 }
      await using server = await startServer({ mode, target, keys, log, schema_version, ...edge })
      return await work(server)
    },
    serve: (program = 'server-program.ts', more = {}) => {
      if (pinned) pin(postgres.pid, loadCore)
      const core = pinned ? serverCore : undefined
      return startChild(program, { ...more, target, keys: keyPaths, schema_version }, core)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/**
 * Creates a world: accounts with equally many events each, spread evenly over the last week, all accounts interleaved.
 * One event in `rare_every` is about the account itself.
 */
export async function makeWorld({
  events,
  accounts,
  skus = 0,
  rare_every = 250,
}: {
  events: number
  accounts: number
  skus?: number
  rare_every?: number
}): Promise<EventWorld> {
  await using stack = new AsyncDisposableStack()
  const place = stack.use(await makePlace({ settings }))
  const { made, timing, cursors } = await place.prepare(async (server) => {
    const made = await makeAccounts(server, accounts, Math.floor(events / accounts))
    await makeSkus(server, skus)
    await writeEvent(server, made[0] as BenchAccount)
    const timing = await fillLog(server.runtime, made, rare_every)
    return { made, timing, cursors: server.runtime.keys.cursors() }
  })
  const moment = (_account: BenchAccount, position: number) => momentOf(timing, position)
  const all = stack.move()
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
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Writes the event that the log is filled with copies of. */
async function writeEvent({ runtime }: Server, { id: account_id, workspace_id }: BenchAccount): Promise<void> {
  const target = { target_type: 'instance', target_id: 'inst_bench' }
  await systemCommand(runtime, async (ctx) => {
    ctx.emit({ account_id, workspace_id, action: 'instance.created', ...target })
  })
}

async function makeAccounts({ runtime }: Server, count: number, events: number): Promise<BenchAccount[]> {
  const made: BenchAccount[] = []
  for (let i = 0; i < count; i++) made.push({ ...(await makeBenchAccount(runtime, `bench-${i}`)), events })
  return made
}

const catalog = {
  region: ['eu-north-1'],
  availability_zone: ['eu-north-1a', 'eu-north-1b', 'eu-north-1c'],
  accelerator: ['h100-sxm'],
  form_factor: ['sxm5'],
  rdma_type: ['infiniband'],
  infiniband_fabric: ['fabric-0', 'fabric-1', 'fabric-2', 'fabric-3', 'fabric-4'],
} as const

async function makeSkus({ runtime, url }: Server, count: number): Promise<void> {
  if (count === 0) return
  const { token } = await makeOperator(runtime)
  const operator = { url, token }
  for (const [property, values] of Object.entries(catalog)) {
    for (const name of values) {
      const path = `/preview/v2/admin/sku_properties/${property}/values/${name}`
      await call(operator, 'PUT', path, { display_name: name })
    }
  }
  for (let i = 0; i < count; i++) {
    await call(operator, 'POST', '/preview/v2/admin/skus', {
      alias: `h100-${i}`,
      simulated: true,
      region: catalog.region[0],
      availability_zone: catalog.availability_zone[i % 3],
      accelerator: catalog.accelerator[0],
      form_factor: catalog.form_factor[0],
      rdma_type: catalog.rdma_type[0],
      infiniband_fabric: catalog.infiniband_fabric[i % 5],
      num_accelerators: 8,
      num_vcpus: 192,
      memory_bytes: 2 ** 41,
      local_storage_bytes: 30 * 10 ** 12,
      supports_public_ipv4: { value: true, display_value: 'Yes' },
    })
  }
}
