/** What all rounds share: the keys of an installation, and a stopped cluster with the world of the load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { ensureKeyFiles } from '../../src/core/keys/key-files.ts'
import { type ClusterTemplate, makeTemplate } from '../restart/failover/database-pair.ts'
import { idsOf } from '../restart/upgrade/load.ts'
import { runBourse, type ServerVariables, startReplica } from '../restart/upgrade/production.ts'
import { repository } from '../restart/upgrade/program-trees.ts'
import { enrol, factsThatFit } from '../support/agents.ts'
import { bytesOf, put, sha256Of } from '../support/fixtures/images.ts'
import { makeBuyer, type Party } from '../support/fixtures/market.ts'
import { connectTo, type TestServer } from '../support/server.ts'
import { type ListName, type LoadedResource, lists } from './verdict.ts'

/** An account of the load: it sells or buys on one SKU, and has a template for its deployments. */
export type ChaosAccount = Party & {
  readonly sku: string
  readonly side: 'buy' | 'sell'
  readonly template: string
}

export type ChaosWorld = {
  readonly platform_token: string
  readonly accounts: readonly ChaosAccount[]
  /** Asks for more than its share, in rounds that have one. */
  readonly noisy: ChaosAccount
  /** What the accounts have before the load. */
  readonly baseline: readonly LoadedResource[]
}

/** Makes the world on an empty database. */
export type PrepareWorld = (target: DatabaseTarget) => Promise<ChaosWorld>

export type ChaosSetting = AsyncDisposable & {
  readonly directory: string
  /** The variables of every replica, without its database and its own directory. */
  readonly variables: ServerVariables
  readonly template: ClusterTemplate
  readonly world: ChaosWorld
  readonly prepare: PrepareWorld
}

/** Settings of every PostgreSQL: those of production where they decide what a commit promises. */
export const safeSettings = { fsync: 'on', full_page_writes: 'on' }

/** Accounts of the load. The first `sellers` sell. */
const quietAccounts = 10
const sellers = 2
const slots = 32
const database = 'bourse'

/** Makes them. Takes some seconds. */
export async function makeSetting(): Promise<ChaosSetting> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-chaos-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { signing, master, cursor } = await ensureKeyFiles(join(directory, 'keys'), 'operator')
  const variables = {
    BOURSE_PUBLIC_URL: 'https://market.example',
    BOURSE_SIGNING_KEYS_FILE: signing,
    BOURSE_MASTER_KEY_FILE: master,
    BOURSE_CURSOR_KEYS_FILE: cursor,
    BOURSE_PORT: '0',
    BOURSE_METRICS_PORT: '0',
    BOURSE_WORKERS: '1',
    BOURSE_LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'bourse-chaos-cache'),
  }
  const prepare: PrepareWorld = (target) => makeWorld(target, { directory, variables })
  let world: ChaosWorld | undefined
  const fill = async (target: DatabaseTarget) => {
    world = await prepare(target)
  }
  const template = stack.use(await makeTemplate(database, fill, safeSettings))
  if (!world) throw new Error('The template was made without its world.')
  const parts = stack.move()
  return {
    directory,
    variables,
    template,
    world,
    prepare,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** The URL of databases for `bourse`. */
export function urlOf([first, ...others]: readonly DatabaseTarget[]): string {
  if (first === undefined) throw new Error('There is no database.')
  const { user, host, port, database: name } = first
  if (host.startsWith('/')) return `postgres://${user}@/${name}?host=${host}`
  const hosts = [`${host}:${port}`, ...others.map((other) => `${other.host}:${other.port}`)]
  return `postgres://${user}@${hosts.join(',')}/${name}`
}

async function makeWorld(
  target: DatabaseTarget,
  { directory, variables }: Pick<ChaosSetting, 'directory' | 'variables'>,
): Promise<ChaosWorld> {
  const own = {
    ...variables,
    BOURSE_DATABASE_URL: urlOf([target]),
    BOURSE_DATA_DIR: await mkdtemp(join(directory, 'world-')),
  }
  const made = await runBourse(repository, ['tokens', 'create', '--platform', '--json'], own)
  if (made.code !== 0) throw new Error(`No first token was made: ${made.err}`)
  const platform_token = JSON.parse(made.out).token
  await using replica = await startReplica(repository, own)
  const server = connectTo({ url: replica.url, platform_token })
  const skus: string[] = []
  for (let number = 0; number < sellers; number++)
    skus.push((await server.call('create_sku', { body: { num_vcpus: 8, fee_bps: 100 } })).id)
  const accounts: ChaosAccount[] = []
  for (let number = 0; number < quietAccounts; number++) {
    const sku = skus[number % sellers] as string
    accounts.push(await makeAccount(server, { sku, number, side: number < sellers ? 'sell' : 'buy' }))
  }
  const noisy = await makeAccount(server, { sku: skus[0] as string, number: quietAccounts, side: 'buy' })
  const baseline: LoadedResource[] = []
  for (const account of accounts) baseline.push(...(await resourcesOf(server, account)))
  await replica.stop()
  return { platform_token, accounts, noisy, baseline }
}

/** All resources of an account in the lists of the load. */
export async function resourcesOf(server: TestServer, account: ChaosAccount): Promise<LoadedResource[]> {
  const found: LoadedResource[] = []
  for (const list of Object.keys(lists) as ListName[]) {
    for (const id of await idsOf(server, lists[list], account)) found.push({ account: account.id, list, id })
  }
  return found
}

type AccountPlan = { readonly sku: string; readonly number: number; readonly side: 'buy' | 'sell' }

async function makeAccount(server: TestServer, { sku, number, side }: AccountPlan): Promise<ChaosAccount> {
  const account = await server.account({ trust_level: 'partner' })
  const party =
    side === 'sell'
      ? { ...account, pool: await supplyOf(server, { token: account.token, sku, number }) }
      : await makeBuyer(server, '1000000.000000', account)
  return { ...party, sku, side, template: await makeInstanceTemplate(server, account.token) }
}

type Supplier = { readonly token: string; readonly sku: string; readonly number: number }

/** Enrols a host of an account, whose nodes are what it sells. Returns their pool. */
async function supplyOf(server: TestServer, { token, sku, number }: Supplier): Promise<string> {
  const permit = await server.call('create_host_enrolment', { token, body: { sku, slots } })
  const facts = {
    ...factsThatFit({ num_vcpus: 8 }, slots),
    host_address: `192.0.2.${number + 1}`,
    public_ipv4s: [],
  }
  await enrol(server, permit.token, { facts })
  const { data } = await server.call('list_pools', { query: { kind: 'originating' }, token })
  const [pool] = data
  if (pool === undefined) throw new Error('The host was enrolled without a pool.')
  return pool.id
}

/** Uploads an image as a client does. Its URLs name the public address, which is not that of the server. */
async function makeInstanceTemplate(server: TestServer, token: string): Promise<string> {
  const bytes = bytesOf(4096)
  const { id } = await server.call('create_image', { token, body: { name: 'chaos' } })
  const { url } = await server.call('create_image_part', { params: { id }, token, body: { part_id: 1 } })
  const { pathname, search } = new URL(url)
  const { status, text } = await put(`${server.url}${pathname}${search}`, bytes)
  if (status !== 200) throw new Error(`The part of the image got status ${status}: ${text}`)
  await server.call('complete_image', { params: { id }, token, body: { sha256: sha256Of(bytes) } })
  return (await server.call('create_instance_template', { token, body: { image: id } })).id
}
