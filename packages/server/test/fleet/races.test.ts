import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { createSeededRandom, pick } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { lockCapacity, moveAllocation, readAllocation } from '../../src/market/pools/capacity.service.ts'
import { lockPools } from '../../src/market/pools/pools.service.ts'
import { rectangle } from '../../src/market/schedule/schedule.rules.ts'
import { addMachineFault } from '../../src/sandbox/hosts/machine-faults.service.ts'
import type { MachineFaultKind } from '../../src/sandbox/hosts/simulated-hosts.rules.ts'
import { type EventReplicas, startReplicas } from '../events/replicas.ts'
import type { CallAttempt, CallName } from '../support/calls.ts'

const actors = 6
const turns = 40
const faultKinds: readonly MachineFaultKind[] = ['host_silent', 'host_crash', 'start_failure', 'checksum_mismatch']

type RacesWorld = {
  replicas: EventReplicas
  token: string
  sku: Id<'sku'>
  image: string
  hosts: Id<'host'>[]
  pools: Id<'pool'>[]
  supply: Id<'pool'>
}

async function makeWorld(): Promise<RacesWorld> {
  const replicas = await startReplicas(3)
  const { token } = await replicas.account('racer')
  const me = await replicas.call('get_account', { token })
  const sku = (await replicas.call('create_sku', { body: { alias: 'raced', supports_public_ipv4: true } })).id
  const image = (await replicas.call('create_ready_image', { token, body: { name: 'raced' } })).id
  const { data } = await replicas.call('create_simulated_hosts', { body: { sku, count: 4, slots: 4 } })
  await replicas.call('advance_clock', { body: { seconds: 60 } })
  const { now } = await replicas.call('get_clock')
  const pools: Id<'pool'>[] = []
  for (const node_count of [4, 5, 6]) {
    const allocation_schedule = [{ start_at: now - (now % 60), end_at: null, node_count }]
    const body = { account: 'racer', workspace: me.workspace.id, from_pool: data[0].pool.id, sku, allocation_schedule }
    pools.push((await replicas.call('create_read_only_pool', { body })).id)
  }
  await replicas.call('set_clock_rate', { body: { rate: 600 } })
  const hosts = data.map(({ id }) => id)
  return { replicas, token, sku, image, hosts, pools, supply: data[0].pool.id }
}

/** Runs a random action. Refusals are expected. */
async function takeTurn(
  world: RacesWorld,
  random: ReturnType<typeof createSeededRandom>,
  actor: number,
): Promise<void> {
  const { replicas, token, sku, image, pools } = world
  const replica = actor % 3
  const { runtime } = replicas.servers[replica] as (typeof replicas.servers)[number]
  const server = replicas.on(replica)
  const admitted = async (name: CallName, options: CallAttempt) => {
    const { status, text } = await server.attempt(name, { token, ...options })
    // 503: on a loaded machine others may hold a lock for longer than a request waits.
    if (![200, 201, 204, 409, 422, 503].includes(status)) throw new Error(`${name} returned ${status}: ${text}`)
  }
  const living = async () => {
    const page = await server.call('list_instances', { query: { limit: 200 }, token })
    const all = page.data.filter(({ state }) => state !== 'terminated')
    return all.length === 0 ? undefined : pick(random, all as { id: Id<'instance'> }[])
  }
  const chance = random.integer(10)
  const pool = pick(random, pools)
  if (chance < 4) {
    const priority_level = pick(random, ['yield', 'normal', 'critical'])
    const _preview_enable_public_ipv4 = random.integer(2) === 0
    const body = { pool, sku, image, priority_level, _preview_enable_public_ipv4 }
    return admitted('create_instance', { body })
  }
  const one = await living()
  if (chance < 8 && one === undefined) return
  const params = { id: `${one?.id}` }
  if (chance < 6) return admitted('terminate_instance', { params })
  if (chance < 8) return admitted('replace_instance', { params, body: { image } })
  if (chance < 9) return moveNode(world, pool, runtime)
  const kind = pick(random, faultKinds)
  const host_id = pick(random, world.hosts)
  await systemCommand(runtime, async (ctx) => {
    const ends_at = ctx.now + 30 + random.integer(300)
    await addMachineFault(ctx, { id: ctx.newId('sandbox_fault'), kind, target: { host_id }, times: 1, ends_at })
  })
}

/** Sells a node of a pool for ten minutes, if the pool has one in all of them. */
function moveNode(
  { sku: sku_id, supply }: RacesWorld,
  pool_id: Id<'pool'>,
  runtime: Parameters<typeof systemCommand>[0],
) {
  return systemCommand(runtime, async (ctx) => {
    const start = Math.floor(ctx.now / 60)
    const end = start + 10
    await lockCapacity(ctx, sku_id)
    await lockPools(ctx, [pool_id, supply])
    const owned = await readAllocation(ctx, { pool_id, sku_id })
    if (start < (owned[0] ?? end)) return
    for (let i = 0; i < owned.length; i += 2) {
      const [from, count, until = Number.POSITIVE_INFINITY] = owned.slice(i, i + 3) as [number, number, number?]
      if (from < end && until > start && count < 1) return
    }
    await moveAllocation(ctx, {
      from: pool_id,
      to: supply,
      sku_id,
      schedule: rectangle(start, end, 1),
      cause: 'grant',
      field: '',
    })
  })
}

test('concurrent actions of three replicas on one fleet violate no invariant, and the fleet converges', async () => {
  const world = await makeWorld()
  const { replicas, pools, token } = world
  const { database } = (replicas.servers[0] as (typeof replicas.servers)[number]).runtime
  const act = async (actor: number) => {
    const random = createSeededRandom(actor)
    for (let turn = 0; turn < turns; turn++) await takeTurn(world, random, actor)
  }
  await Promise.all(Array.from({ length: actors }, (_, actor) => act(actor)))
  await replicas.call('advance_clock', { body: { seconds: 3600 } })
  const findings = await runAudit(database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
  for (const { loop } of replicas.servers) {
    const failed = [...loop.status()].filter(([, { failures }]) => failures > 0)
    assert.deepEqual(failed, [])
  }
  const waits = statement<{ deadlocks: number }>(
    null,
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.equal((await database.reader.row(waits))?.deadlocks, 0)
  const { data } = await replicas.call('list_instances', { query: { limit: 200 }, token })
  for (const [index, pool] of pools.entries()) {
    const states = data.filter((one) => one.pool.id === pool).map(({ state }) => state)
    const holding = states.filter((state: string) => state === 'running' || state === 'failed').length
    const waiting = states.includes('awaiting_allocation')
    assert.ok(holding <= 4 + index && (!waiting || holding === 4 + index), `${pool}: ${states}`)
  }
})
