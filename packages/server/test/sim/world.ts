/**
 * The world in which every run starts: a database with the platform, its catalogue, hosts, accounts and the fixtures of
 * the coverage list. The server itself creates it once per process, and each run gets a copy. Its clock is frozen, and
 * equal seeds give equal content.
 */

import { silentLog } from '../../src/core/base/log.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { type Keys, loadKeys } from '../../src/core/keys/keys.ts'
import { readMigrations } from '../../src/core/migrations/migration-files.ts'
import { ensureAdminToken, ensurePlatform } from '../../src/iam/accounts/bootstrap.service.ts'
import { startServer } from '../../src/server.ts'
import { testCluster } from '../support/cluster.ts'
import { asAdministrator, createTestDatabase } from '../support/database.ts'
import { installJournal } from './checks/market-journal.ts'
import { openClient } from './replicas/client.ts'
import { settleDown } from './replicas/replicas.ts'
import { openTimers } from './replicas/timers.ts'

/** An account of the world, with the token of its admin. */
export type WorldAccount = {
  readonly id: string
  readonly token: string
  readonly token_id: string
  readonly workspace_id: string
}

/** Resources that items of the coverage list rely on. */
export type WorldFixtures = {
  readonly account: WorldAccount
  readonly partner: WorldAccount
  /** A SKU without other orders on its book. */
  readonly sku: string
  readonly image: string
  readonly user: string
  readonly token: string
  readonly host: string
  /** Pools of the account. The read-only one and that of its host's supply have allocation without end. */
  readonly pools: { readonly market: string; readonly supply: string; readonly read_only: string }
  /** The partner's market pool. */
  readonly partner_pool: string
}

/** The resources that exist when a run starts. */
export type SimWorld = {
  readonly platform: WorldAccount
  readonly accounts: readonly WorldAccount[]
  /** SKUs by their particular property. */
  readonly skus: Readonly<Record<'plain' | 'fabric' | 'south', string>>
  readonly hosts: readonly string[]
  readonly supply_pool: string
  readonly fixtures: WorldFixtures
}

export type WorldTemplate = {
  readonly world: SimWorld
  readonly keys: Keys
  readonly schema_version: number
  /** A copy of the database, dropped on dispose. */
  copy(): Promise<AsyncDisposable & { readonly target: DatabaseTarget }>
}

/** The business time at which every run starts: a full minute. */
export const worldStart = 1_900_000_020
const migrationsDirectory = `${import.meta.dirname}/../../../../migrations`

const setClock = statement<never>(
  null,
  'insert into sandbox_clock (real_anchor, business_anchor_ms, frozen) values (0, $1, true)',
)

const moveClock = statement<never>(null, 'update sandbox_clock set business_anchor_ms = business_anchor_ms + $1 * 1000')

// The installation is dated by the real clock, and must not be younger than the sandbox's own accounts.
const dateInstallation = statement<never>(null, 'update installation set created_at = $1')

let template: Promise<WorldTemplate> | undefined
let copies = 0

export function openTemplate(): Promise<WorldTemplate> {
  template ??= makeTemplate()
  return template
}

async function makeTemplate(): Promise<WorldTemplate> {
  const cluster = await testCluster()
  const source = await createTestDatabase()
  const keys = loadKeys(makeKeys('sandbox', createSeededRandom('keys')))
  const schema_version = (await readMigrations(migrationsDirectory)).length
  const world = await makeWorld({ target: source.target, keys, schema_version })
  await using database = openDatabase(source.target, { connections_max: 1 })
  await database.asOwner((db) => db.run(dateInstallation, [worldStart]))
  await installJournal(database)
  const name = source.target.database
  return {
    world,
    keys,
    schema_version,
    copy: async () => {
      copies += 1
      const database = `${name}_${copies}`
      await asAdministrator(cluster, (client) =>
        client.query(`create database ${database} template ${name} strategy file_copy`),
      )
      return {
        target: { ...cluster, database },
        [Symbol.asyncDispose]: async () => {
          await asAdministrator(cluster, (client) => client.query(`drop database ${database} with (force)`))
        },
      }
    },
  }
}

type WorldDatabase = { readonly target: DatabaseTarget; readonly keys: Keys; readonly schema_version: number }

async function makeWorld({ target, keys, schema_version }: WorldDatabase): Promise<SimWorld> {
  await startStill(target)
  const timers = openTimers(() => 0)
  await using server = await startServer({
    mode: 'sandbox',
    target,
    keys,
    log: silentLog(),
    host: '127.0.0.1',
    port: 0,
    schema_version,
    random: createSeededRandom('world'),
    later: timers.later,
    runs_reconcilers: false,
    requires_safe_database: false,
    rate_multiplier: 1_000_000,
  })
  await ensurePlatform(server.runtime, 'bourse')
  const platform_token = await ensureAdminToken(server.runtime, 'bourse')
  const client = openClient(server.port)
  try {
    const ok = async (method: string, path: string, body?: unknown, token = platform_token): Promise<any> => {
      const response = await client.send({ method, path, token, body, request_id: 'world' })
      if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
      return response.body
    }
    const pass = async (seconds: number) => {
      await server.runtime.database.reader.run(moveClock, [seconds])
      return server.loop.drain()
    }
    const world = await seedWorld({ ok, pass, platform_token })
    await server.loop.drain()
    // The deferred write of token use is part of the world.
    await timers.run(Number.POSITIVE_INFINITY)
    await settleDown(server)
    return world
  } finally {
    client.close()
  }
}

type Ok = (method: string, path: string, body?: unknown, token?: string) => Promise<any>
type Making = { readonly ok: Ok; readonly pass: (seconds: number) => Promise<unknown>; readonly platform_token: string }

/** The accounts of a run. Two of them sell the supply of their own hosts, and one has little money. */
const seedAccounts = [
  { id: 'amber', trust_level: 'trusted', dollars: '400.000000', slots: 4 },
  { id: 'birch', trust_level: 'basic', dollars: '200.000000', slots: 3 },
  { id: 'coral', trust_level: 'untrusted', dollars: '60.000000', slots: 0 },
  { id: 'delta', trust_level: 'basic', dollars: '3.000000', slots: 0 },
]

async function seedWorld({ ok, pass, platform_token }: Making): Promise<SimWorld> {
  const value = (property: string, name: string) =>
    ok('PUT', `/preview/v2/admin/sku_properties/${property}/values/${name}`, { display_name: name })
  await value('region', 'north')
  await value('region', 'south')
  await value('infiniband_fabric', 'fabric-1')
  await value('infiniband_fabric', 'fabric-2')
  const sku = async (body: object) => (await ok('POST', '/preview/v2/admin/skus', body)).id as string
  const skus = {
    plain: await sku({
      alias: 'plain',
      region: 'north',
      supports_public_ipv4: true,
      fee_bps: 150,
      flat_fee_dollars_per_node_hour: '0.060007',
    }),
    fabric: await sku({
      alias: 'fabric',
      region: 'north',
      supports_public_ipv4: true,
      rdma_type: 'infiniband',
      infiniband_fabric: 'fabric-1',
    }),
    south: await sku({ alias: 'south', region: 'south', supports_public_ipv4: false }),
  }
  const added: any[] = []
  for (const [name, count, slots] of [
    ['plain', 4, 4],
    ['fabric', 2, 4],
    ['south', 2, 3],
  ] as const) {
    added.push(...(await ok('POST', '/sandbox/hosts', { sku: skus[name], count, slots })).data)
  }
  const me = async (token: string): Promise<WorldAccount> => {
    const account = await ok('GET', '/preview/v2/account', undefined, token)
    return { id: account.id, token, token_id: account.token.id, workspace_id: account.workspace.id }
  }
  const begun = await beginFixtures({ ok, me })
  // The supply of hosts reaches their pools in the next minute.
  await pass(60)
  const accounts: WorldAccount[] = []
  for (const { id, trust_level, dollars, slots } of seedAccounts) {
    const account = await me((await ok('POST', '/preview/v2/admin/accounts', { id, trust_level })).token)
    await ok('POST', '/sandbox/images', { name: 'first' }, account.token)
    const allocation_schedule = [{ start_at: worldStart, end_at: null, node_count: 3 }]
    const grant = { account: id, workspace: account.workspace_id, from_pool: added[0].pool.id, allocation_schedule }
    await ok('POST', '/preview/v2/admin/pools', { ...grant, sku: skus.plain, name: 'first' })
    await ok('POST', '/v2/pools', { name: 'trade' }, account.token)
    const money = { type: 'credit_grant', amount_dollars: dollars, description: 'To begin with.' }
    await ok('POST', `/preview/v2/admin/accounts/${id}/transactions`, money)
    if (slots > 0) await ok('POST', '/sandbox/hosts', { account: id, sku: skus.plain, count: 1, slots })
    accounts.push(account)
  }
  return {
    platform: await me(platform_token),
    fixtures: await finishFixtures({ ok, me }, begun),
    accounts,
    skus,
    hosts: added.map(({ id }) => id),
    supply_pool: added[0].pool.id,
  }
}

type Fixing = Pick<Making, 'ok'> & { readonly me: (token: string) => Promise<WorldAccount> }
type BegunWorld = Pick<WorldFixtures, 'account' | 'partner' | 'sku'> & { readonly host: any; readonly own_host: any }

const fixtureNodes = 12

/** Accounts with money, and hosts, whose supply reaches their pools in the next minute. */
async function beginFixtures({ ok, me }: Fixing): Promise<BegunWorld> {
  const open = async (id: string): Promise<WorldAccount> => {
    const account = await me((await ok('POST', '/preview/v2/admin/accounts', { id, trust_level: 'trusted' })).token)
    const money = { type: 'credit_grant', amount_dollars: '1000.000000', description: 'To begin with.' }
    await ok('POST', `/preview/v2/admin/accounts/${id}/transactions`, money)
    return account
  }
  const [account, partner] = [await open('cover'), await open('partner')]
  const sku = (await ok('POST', '/preview/v2/admin/skus', coverageSku)).id
  const [host] = (await ok('POST', '/sandbox/hosts', { sku, count: 1, slots: 16 })).data
  const [own_host] = (await ok('POST', '/sandbox/hosts', { account: account.id, sku, count: 1, slots: 4 })).data
  return { account, partner, sku, host, own_host }
}

async function finishFixtures({ ok }: Fixing, begun: BegunWorld): Promise<WorldFixtures> {
  const { account, partner, sku, host, own_host } = begun
  const own = (path: string, body: object) => ok('POST', path, body, account.token)
  const allocation_schedule = [{ start_at: worldStart, end_at: null, node_count: fixtureNodes }]
  const place = { account: account.id, workspace: account.workspace_id, from_pool: host.pool.id }
  return {
    account,
    partner,
    sku,
    image: (await own('/sandbox/images', { name: 'first' })).id,
    user: (await own('/preview/v2/users', { email: 'first@example.org', name: 'first' })).id,
    token: (await own('/preview/v2/tokens', { name: 'first' })).id,
    host: own_host.id,
    pools: {
      market: (await own('/v2/pools', { name: 'trade' })).id,
      supply: own_host.pool.id,
      read_only: (await ok('POST', '/preview/v2/admin/pools', { ...place, sku, allocation_schedule, name: 'first' }))
        .id,
    },
    partner_pool: (await ok('POST', '/v2/pools', { name: 'trade' }, partner.token)).id,
  }
}

const coverageSku = { alias: 'cover', region: 'north', supports_public_ipv4: true, fee_bps: 150 }

async function startStill(target: DatabaseTarget): Promise<void> {
  await using database: Database = openDatabase(target, { connections_max: 1 })
  await database.reader.run(setClock, [(worldStart - 60) * 1000])
}
