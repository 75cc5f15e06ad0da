/** Inserts a large fleet directly: hosts with keys, machines on their slots, and pools that own exactly their nodes. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Ctx } from '../../src/core/work/ctx.ts'
import { createAdminToken, makeAccount } from '../../src/iam/accounts/accounts.service.ts'
import { changeSupply, lockCapacity } from '../../src/market/pools/capacity.service.ts'
import { ensureSupplyPool } from '../../src/market/pools/pools.service.ts'
import type { Server } from '../../src/server.ts'

/** The platform account, which owns the fleet, and its resources. */
export type FleetOwner = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly token: string
  readonly sku: Id<'sku'>
  readonly supply: Id<'pool'>
}

/** The number of instances in each pool. */
export const instancesOfPool = 100
/** The PKCS #8 prefix of an Ed25519 key. The 32 bytes of the key follow it. */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex')

const facts = {
  hostname: 'bench',
  cpu_count: 64,
  memory_bytes: 2 ** 38,
  storage_bytes: 2 ** 42,
  accelerators: [],
  network: 'full',
  host_address: '192.0.2.7',
  public_ipv4s: [],
}

/** The id of a host by its number. */
export function hostId(number: number): string {
  return `host_bench${String(number).padStart(10, '0')}`
}

/** The id of an instance by its number. */
export function instanceId(number: number): string {
  return `inst_bench${String(number).padStart(10, '0')}`
}

/** The id of a pool by its number. */
export function poolId(number: number): Id<'pool'> {
  return `pool_bench${String(number).padStart(10, '0')}`
}

/** The key of a host by its number, the same in every process. */
export function hostKey(number: number): KeyObject {
  const seed = createHash('sha256').update(hostId(number)).digest()
  return createPrivateKey({ key: Buffer.concat([keyHead, seed]), format: 'der', type: 'pkcs8' })
}

/** The platform account, or the account that becomes it. */
export type Platform = Pick<FleetOwner, 'account_id' | 'workspace_id' | 'token'>

/** Creates the owner of the fleet, with a SKU and a supply of `nodes`. */
export async function makeOwner(
  { runtime, url }: Server,
  nodes: number,
  platform: Platform | undefined = undefined,
): Promise<FleetOwner> {
  const { account_id, workspace_id, token } = platform ?? (await systemCommand(runtime, makePlatform))
  const sku = (await call({ url, token }, 'POST', '/preview/v2/admin/skus', {})).id as Id<'sku'>
  const supply = await systemCommand(runtime, async (ctx) => {
    await lockCapacity(ctx, sku)
    const pool_id = await ensureSupplyPool(ctx, { account_id, workspace_id })
    await changeSupply(ctx, { pool_id, sku_id: sku }, [{ minute: Math.floor(ctx.now / 60), delta: nodes }])
    return pool_id
  })
  return { account_id, workspace_id, token, sku, supply }
}

async function makePlatform(ctx: Ctx): Promise<Platform> {
  const account_id = 'operator'
  const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'partner', is_platform: true })
  const { token } = await createAdminToken(ctx, { account_id, workspace_id, name: 'bench' })
  return { account_id, workspace_id, token }
}

/** Adds hosts with a number of slots each, as if each had just reported. */
export async function addHosts(db: Db, owner: FleetOwner, { hosts, slots }: { hosts: number; slots: number }) {
  const rows = Array.from({ length: hosts }, (_, number) => {
    return { id: hostId(number), public_key: createPublicKey(hostKey(number)).export({ format: 'jwk' }).x }
  })
  await run(
    db,
    `insert into hosts (id, public_key, account_id, workspace_id, sku_id, pool_id, state, health, slots, agent_version,
       facts, generation, last_seen_at, created_at)
     select h.id, h.public_key, $2, $3, $4, $5, 'active', 'healthy', $6::integer, '0.1.0', $7::jsonb, 1,
       floor(bourse_real_now())::bigint + 600, bourse_now()
     from jsonb_to_recordset($1::jsonb) as h(id text, public_key text)`,
    [JSON.stringify(rows), ...placeOf(owner), owner.supply, slots, JSON.stringify(facts)],
  )
}

/** Adds running machines by their numbers, evenly over all hosts, and pools that own a node for each. */
export async function addMachines(
  db: Db,
  owner: FleetOwner,
  { hosts, from, to }: { hosts: number; from: number; to: number },
): Promise<void> {
  const range = [from, to - 1]
  const id = (kind: string, number: string) => `'${kind}_bench' || lpad((${number})::text, 10, '0')`
  const pools = `generate_series($1::integer / ${instancesOfPool}, $2::integer / ${instancesOfPool}) p`
  await run(
    db,
    `insert into pools (id, account_id, workspace_id, kind, created_at)
     select ${id('pool', 'p')}, $3, $4, 'market', bourse_now() from ${pools}`,
    [...range, owner.account_id, owner.workspace_id],
  )
  await run(
    db,
    `insert into pool_allocation (pool_id, sku_id, minute, delta)
     select ${id('pool', 'p')}, $3, bourse_now() / 60 - 60, ${instancesOfPool} from ${pools}`,
    [...range, owner.sku],
  )
  const series = 'generate_series($1::integer, $2::integer) n'
  await run(
    db,
    `insert into instances (id, account_id, workspace_id, sku_id, pool_id, image_id, state, priority_level, mac,
       running_at, created_at, updated_at)
     select ${id('inst', 'n')}, $3, $4, $5, ${id('pool', `n / ${instancesOfPool}`)}, 'image_bench', 'running',
       'normal', '02:00:00:00:00:01', bourse_now() - 60, bourse_now() - 90, bourse_now() - 60
     from ${series}`,
    [...range, ...placeOf(owner)],
  )
  await run(
    db,
    `insert into machines (instance_id, host_id, slot, generation, action, state, claimed_at, reported_at)
     select ${id('inst', 'n')}, ${id('host', 'n % $3::integer')}, n / $3::integer, 1, 'run', 'running',
       bourse_now() - 90, bourse_now() - 60 from ${series}`,
    [...range, hosts],
  )
  await run(db, 'update hosts h set used_slots = (select count(*) from machines m where m.host_id = h.id)', [])
  for (const table of ['hosts', 'machines', 'instances', 'pools', 'pool_allocation']) {
    await run(db, `vacuum analyze ${table}`, [])
  }
}

/** Changes the nodes of a pool from the current minute on, without an event, a notification or a check. */
export function changeAllocation(db: Db, pool: string, sku: string, delta: number): Promise<void> {
  return run(
    db,
    `insert into pool_allocation (pool_id, sku_id, minute, delta) values ($1, $2, bourse_now() / 60, $3)
     on conflict (pool_id, sku_id, minute) do update set delta = pool_allocation.delta + excluded.delta`,
    [pool, sku, delta],
  )
}

/** Adds an instance that waits in a pool. */
export function addWaiting(db: Db, owner: FleetOwner, { id, pool }: { id: string; pool: string }): Promise<void> {
  return run(
    db,
    `insert into instances (id, pool_id, account_id, workspace_id, sku_id, image_id, state, priority_level, mac,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'image_bench', 'awaiting_allocation', 'normal', '02:00:00:00:00:02', bourse_now(),
       bourse_now())`,
    [id, pool, ...placeOf(owner)],
  )
}

/** Deletes the instances from a number on, with their machines. */
export async function removeInstancesFrom(db: Db, first: number): Promise<void> {
  await run(db, 'delete from machines where instance_id >= $1', [instanceId(first)])
  await run(db, 'delete from instances where id >= $1', [instanceId(first)])
}

/** Sends a request and fails unless it succeeds. */
export async function call(
  { url, token }: { url: string; token: string },
  method: string,
  path: string,
  body: unknown,
): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

function placeOf({ account_id, workspace_id, sku }: FleetOwner): string[] {
  return [account_id, workspace_id, sku]
}

async function run(db: Db, text: string, params: readonly unknown[]): Promise<void> {
  await db.run(statement(null, text), params)
}
