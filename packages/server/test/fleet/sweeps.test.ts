import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand, systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import type { Reconciler } from '../../src/core/work/reconciler.ts'
import { desiredState } from '../../src/fleet/agents/desired-state.service.ts'
import { hostSilenceReconciler } from '../../src/fleet/agents/host-silence.reconciler.ts'
import { acceptReport, type InstanceReport } from '../../src/fleet/agents/reports.service.ts'
import { addHost } from '../../src/fleet/hosts/hosts.service.ts'
import { placementReconciler } from '../../src/fleet/placement/placement.reconciler.ts'
import { lockCapacity } from '../../src/market/pools/capacity.service.ts'
import { platformAccount } from '../support/access.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { call, launch, states, actions, settle, pass, goTo } = world
const { runtime } = world.inside

/** Runs the sweep of a reconciler as its loop does. Returns the keys that it finds. */
async function sweep(reconciler: Reconciler): Promise<string[]> {
  const keys = (await query(runtime, systemOrigin, async (ctx) => reconciler.sweep?.(ctx))) ?? []
  await systemCommand(runtime, async (ctx) => {
    for (const key of keys) ctx.schedule(reconciler.kind, key)
  })
  await settle()
  return keys
}
const corrupt = (sql: string) => runtime.database.asOwner((db) => db.run(statement(null, sql)))
const forget = (kind: string) => corrupt(`delete from due where kind = '${kind}'`)

await world.addHosts(1, 2)
await pass(60)

test('a sweep finds lost wake-ups, and nothing otherwise', async () => {
  const from = await world.now()
  const pool = await world.makePool([
    [from, 1],
    [from + 3600, 0],
  ])
  const key = `${pool}/${world.sku}`
  await settle()
  assert.deepEqual(await sweep(placementReconciler), [])
  const id = await launch(pool)
  await forget('fleet.placement')
  await settle()
  assert.deepEqual(await states(id), ['awaiting_allocation'])
  await pass(1)
  assert.deepEqual(await sweep(placementReconciler), [key])
  assert.deepEqual(await states(id), ['running'])
  assert.deepEqual(await sweep(placementReconciler), [])
  await goTo(from + 3000)
  await forget('fleet.placement')
  await goTo(from + 3601)
  assert.deepEqual(await sweep(placementReconciler), [key])
  assert.deepEqual(await actions(id), ['created', 'running', 'termination_imminent', 'terminated'])
  await pass(5)
})

test('a sweep finds a free slot for a waiting instance if the wake-up is lost', async () => {
  const from = await world.now()
  const minute = from - (from % 60) + 60
  const pool = await world.makePool([
    [minute, 2],
    [minute + 3600, 0],
  ])
  await corrupt("update hosts set state = 'cordoned'")
  const id = await launch(pool)
  await goTo(minute)
  assert.deepEqual(await sweep(placementReconciler), [])
  await corrupt("update hosts set state = 'active'")
  await pass(1)
  assert.deepEqual(await sweep(placementReconciler), [`${pool}/${world.sku}`])
  assert.deepEqual(await states(id), ['running'])
  await goTo(minute + 3700)
})

test('the silence of real hosts is measured by the real clock, not by the business clock', async () => {
  const platform = await platformAccount(world.server)
  const [known] = await world.rows<{ facts: any }>('select facts from hosts')
  await corrupt("update hosts set state = 'cordoned'")
  const host = await systemCommand(runtime, async (ctx) => {
    await lockCapacity(ctx, world.sku)
    return addHost(ctx, {
      slot_hardware: null,
      account_id: platform.id,
      workspace_id: platform.workspace_id as Id<'workspace'>,
      sku_id: world.sku,
      is_simulated: false,
      slots: 1,
      agent_version: '1.0.0',
      facts: { ...known?.facts, public_ipv4s: ['203.0.113.7'] },
    })
  })
  const report = (instances: InstanceReport[]) =>
    systemCommand(runtime, async (ctx) => {
      const { epoch, generation } = (await desiredState(ctx, host)) ?? assert.fail('no such host')
      return acceptReport(ctx, host, { epoch, generation, health: 'healthy', instances })
    })
  const silent = (seconds: number) =>
    corrupt(`update hosts set last_seen_at = floor(bourse_real_now()) - ${seconds} where id = '${host}'`)
  const from = await world.now()
  const minute = from - (from % 60) + 60
  await goTo(minute)
  const pool = await world.makePool([
    [minute, 1],
    [minute + 86_400, 0],
  ])
  const id = await launch(pool, { _preview_enable_public_ipv4: true })
  await settle()
  const generation = (await world.rows<any>('select generation from machines where instance_id = $1', [id]))[0]
    .generation
  assert.deepEqual(await states(id), ['awaiting_allocation'])
  await report([{ id, generation, state: 'fetching' }])
  await settle()
  await pass(7200)
  assert.deepEqual([await sweep(hostSilenceReconciler), await actions(id)], [[], ['created', 'running']])
  // Far from each limit, since the real clock goes on.
  await silent(10)
  assert.deepEqual(await sweep(hostSilenceReconciler), [])
  await silent(90)
  assert.deepEqual(await sweep(hostSilenceReconciler), [host])
  assert.deepEqual(
    [(await world.host(host)).health, await actions(id)],
    ['unreachable', ['created', 'running', 'connection_lost']],
  )
  assert.deepEqual(await sweep(hostSilenceReconciler), [])
  await call('POST', `/v2/instances/${id}/terminate`)
  await silent(150)
  assert.deepEqual(await sweep(hostSilenceReconciler), [])
  await silent(300)
  assert.deepEqual(await sweep(hostSilenceReconciler), [host])
  assert.equal((await call('GET', `/v2/instances/${id}`))._preview_public_ip, undefined)
  assert.deepEqual(await sweep(hostSilenceReconciler), [])
  const [stopped] = await world.rows<any>('select generation from machines where instance_id = $1', [id])
  assert.ok(stopped.generation > generation)
  await report([{ id, generation: stopped.generation, state: 'stopped' }])
  const { health, used_slots, last_seen_at } = await world.host(host)
  const { real_now } = await world.server.call('get_clock')
  assert.deepEqual([health, used_slots], ['healthy', 0])
  assert.ok(Math.abs(last_seen_at - real_now) < 60)
  await settle()
  assert.deepEqual(await world.findings(), [])
})
