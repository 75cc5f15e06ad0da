import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { type LoadedWorld, loadStill, loadWorld, readWorld } from '../support/worlds.ts'

const server = await startTestServer()

type ScenarioResource = { id: string; name: string; state: string; object: string; [field: string]: any }

const list = async (world: LoadedWorld, path: string): Promise<ScenarioResource[]> =>
  (await server.ok('GET', path, { token: world.tokens.acme as string })).data
const states = async (world: LoadedWorld): Promise<Record<string, string>> =>
  Object.fromEntries((await list(world, '/v2/instances?limit=200')).map(({ name, state }) => [name, state]))

test('list_scenarios lists the worlds, each with its description', async () => {
  const { data, has_more } = await server.call('list_scenarios')
  assert.deepEqual(
    data.map(({ name }) => name),
    ['empty', 'quickstart', 'busy_market', 'preemption', 'host_failures', 'long_history'],
  )
  assert.equal(has_more, false)
  for (const { object, description } of data) assert.ok(object === 'scenario' && description.length > 20)
})

test('load_scenario accepts a name and a seed and refuses invalid ones', async () => {
  for (const [name, body, refusal] of [
    ['busy', {}, [404, 'not_found', undefined]],
    ['constructor', {}, [404, 'not_found', undefined]],
    ['empty', { seed: -1 }, [400, 'out_of_range', 'seed']],
    ['empty', { seed: 2 ** 32 }, [400, 'out_of_range', 'seed']],
    ['empty', { seed: 'one' }, [400, 'invalid_type', 'seed']],
    ['empty', { size: 1 }, [400, 'unknown_field', 'size']],
  ] as const) {
    const response = await server.attempt('load_scenario', { params: { name }, body })
    const [status, code, field] = refusalOf(response)
    assert.deepEqual([status, status === 404 ? 'not_found' : code, field], refusal)
  }
  const response = await server.attempt('load_scenario', { params: { name: 'empty' }, body: { seed: 2 ** 32 - 1 } })
  const { object, scenario, seed, accounts, ids } = response.body
  assert.deepEqual([object, scenario, seed, ids], ['loaded_scenario', 'empty', 2 ** 32 - 1, {}])
  assert.deepEqual(
    accounts.map(({ id }) => id),
    ['bourse', 'acme'],
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
})

test('the empty world has its accounts and nothing else', async () => {
  const world = await loadWorld(server, 'empty')
  for (const path of [
    '/v2/instances',
    '/v2/pools',
    '/v2/skus',
    '/v2/images',
    '/preview/v2/deployments',
    '/preview/v2/events',
  ]) {
    assert.deepEqual(await list(world, path), [], path)
  }
  assert.deepEqual(
    (await list(world, '/preview/v2/firewalls')).map(({ name }) => name),
    ['default'],
  )
  await assertAuditsPass(server)
})

test('the first world has something in every state, and the five operations work on it', async () => {
  const world = await loadWorld(server, 'quickstart')
  const { ids } = world
  const instances = await list(world, '/v2/instances?limit=200')
  assert.deepEqual(
    new Set(instances.map(({ state }) => state)),
    new Set(['awaiting_allocation', 'running', 'failed', 'terminated']),
  )
  const named = await states(world)
  assert.deepEqual(
    ['notebook', 'queued', 'unlucky', 'finished', 'legacy-worker', 'lab'].map((name) => named[name]),
    ['running', 'awaiting_allocation', 'failed', 'terminated', 'running', 'running'],
  )
  const skus = await list(world, '/v2/skus?include_deleted=true')
  assert.deepEqual(
    skus.map(({ alias, deleted_at }) => [alias, deleted_at !== undefined]),
    [
      ['h100-west', false],
      ['a100-north', false],
      ['v100-north', true],
    ],
  )
  const platform = { token: world.tokens.bourse as string }
  const unchanged = await server.call('get_sku', { params: { id: ids.sku_overridden as string }, ...platform })
  const overridden = skus.find(({ id }) => id === ids.sku_overridden) as ScenarioResource
  assert.equal(2 * overridden.local_storage_bytes.value, unchanged.local_storage_bytes.value)
  const images = await list(world, '/v2/images')
  assert.deepEqual(
    new Set(images.map(({ state }) => state)),
    new Set(['started', 'uploading', 'failed', 'completed', 'revoked']),
  )
  assert.ok(images.some(({ deprecated_at }) => deprecated_at !== null))
  const shared = await list(world, '/v2/images?workspace=svc:workspace:bourse:public')
  assert.deepEqual(
    shared.map(({ name, is_public }) => [name, is_public]),
    [
      ['debian-12', true],
      ['ubuntu-24.04', true],
    ],
  )
  const fleets = await list(world, '/preview/v2/deployments')
  assert.deepEqual(
    fleets.map(({ name, live_instance_count, status }) => [name, live_instance_count, status.code]).sort(),
    [
      ['spare', 1, 'ok'],
      ['trainers', 4, 'ok'],
      ['web', 2, 'ok'],
    ],
  )
  const own = { token: world.tokens.acme as string }
  const ending = await server.call('get_pool', { params: { id: ids.pool_ending as string }, ...own })
  const endAt = ending.allocation_schedule.total.at(-1).end_at
  assert.ok(endAt > world.now && endAt <= world.now + 3_600, 'its allocation ends within the hour')
  assert.deepEqual((await list(world, '/v2/workspaces')).map(({ name }) => name).sort(), [
    'default',
    'research',
    'staging',
  ])
  const { cloud_init_user_data } = await server.call('get_instance_cloud_init', {
    params: { id: ids.instance as string },
    ...own,
  })
  assert.match(Buffer.from(cloud_init_user_data, 'base64').toString(), /^#!\/bin\/sh/)
  await assertAuditsPass(server)
  await useFiveOperations(world)
})

/** Uses the operations that the project began with. It changes the world. */
async function useFiveOperations({ ids, tokens }: LoadedWorld): Promise<void> {
  const own = { token: tokens.acme as string }
  const events = await server.call('list_events', own)
  assert.ok(events.data.length > 10)
  assert.equal((await server.attempt('list_events', { query: { starting_after: events.cursor }, ...own })).status, 200)
  assert.ok((await server.call('list_skus', own)).data.length >= 2)
  for (const [path, status] of [
    [`/preview/v2/firewalls/${ids.firewall}`, 409],
    [`/preview/v2/firewalls/${ids.firewall_free}`, 204],
    ['/preview/v2/firewalls/svc:firewall:acme:default:default', 422],
    [`/preview/v2/deployments/${ids.deployment_spare}`, 204],
    ['/preview/v2/deployments/svc:deployment:acme:default:trainers', 204],
  ] as const) {
    assert.equal((await server.request('DELETE', path, own)).status, status, path)
  }
  const replace = (id: string, body: object) => server.attempt('replace_instance', { params: { id }, ...own, body })
  assert.equal((await replace(ids.instance as string, { image: ids.image })).status, 201)
  assert.equal((await replace(ids.instance_failed as string, { image: ids.image_public })).status, 201)
  assert.equal((await replace(ids.instance_on_retired_sku as string, { image: ids.image_deprecated })).status, 201)
  assert.equal((await replace(ids.instance_terminated as string, { image: ids.image })).status, 409)
  for (const image of [ids.image_revoked, ids.image_started, ids.image_failed]) {
    assert.equal((await replace(ids.instance_waiting as string, { image })).status, 422)
  }
}

test('the same seed gives the same world with the same ids, also elsewhere; another seed gives other ids', async () => {
  const [first, ...more] = ['quickstart', 'preemption', 'host_failures'].slice(0, sized(3)) as [string, ...string[]]
  const one = await loadTwice(first)
  for (const name of more) await loadTwice(name)
  if (!server.inside) return
  await using other = await startTestServer()
  const there = await loadStill(other, first, { seed: 7 })
  assert.deepEqual(there.ids, one.loaded.ids)
  assert.deepEqual(Object.keys(await readWorld(other, there)), Object.keys(one.read))
  assert.notEqual(there.tokens.acme, one.loaded.tokens.acme)
})

/** Loads a world twice with one seed, and once with another. Returns the first. */
async function loadTwice(name: string) {
  const loaded = await loadStill(server, name, { seed: 7 })
  const read = await readWorld(server, loaded)
  await server.advance(1_000)
  const again = await loadStill(server, name, { seed: 7 })
  assert.deepEqual(await readWorld(server, again), read, name)
  assert.deepEqual([again.ids, again.tokens], [loaded.ids, loaded.tokens])
  const other = await loadStill(server, name, { seed: 8 })
  assert.deepEqual(Object.keys(other.ids), Object.keys(loaded.ids))
  assert.notDeepEqual(other.ids, loaded.ids)
  assert.deepEqual(other.tokens, loaded.tokens)
  return { loaded, read }
}

test('the trading worlds have orders on both sides of their books, and past prices', async () => {
  for (const [name, count, hours] of [
    ['busy_market', 5, 11],
    ['long_history', 1, 24 * 27],
  ] as const) {
    const world = await loadWorld(server, name)
    const token = world.tokens.acme as string
    assert.equal((await server.call('list_market_makers')).data.length, count)
    const startAt = world.now - (world.now % 60)
    for (const { id } of await list(world, '/v2/skus')) {
      const query = `start_at=${startAt}&end_at=${startAt + 3_600}&requirements=id:${id}`
      const quote = await server.call('get_orderbook_quote', { query, token })
      assert.ok(quote.best_bid && quote.best_ask, name)
    }
    const since = Math.floor(world.now / 86_400 - 30) * 86_400
    const query = `interval=day&since=${since}&limit=200`
    const buckets = await list(world, `/preview/v2/orderbook/price_history?${query}`)
    const [first, last] = [buckets[0], buckets.at(-1)]
    assert.ok(last?.end_at - first?.start_at >= hours * 3_600, name)
    await assertAuditsPass(server)
  }
})

test('in the preemption world the instances with the lowest priorities end, after a notice', async () => {
  const world = await loadWorld(server, 'preemption')
  await server.advance(300)
  const notified = await list(world, '/preview/v2/events?action=instance.termination_imminent')
  const victims = [world.ids.instance_6, world.ids.instance_1, world.ids.instance_3]
  assert.deepEqual(notified.map(({ targets }) => targets[0].id).sort(), victims.toSorted())
  await server.advance(600)
  assert.deepEqual(await states(world), {
    'worker-1-yield': 'terminated',
    'worker-2-normal': 'running',
    'worker-3-normal': 'terminated',
    'worker-4-preferred': 'running',
    'worker-5-critical': 'running',
    'worker-6-yield': 'terminated',
    'waiting-for-room': 'awaiting_allocation',
  })
  await assertAuditsPass(server)
})

test('in the world of failing hosts the hosts fail, and the fleet continues on other hosts', async () => {
  const world = await loadWorld(server, 'host_failures')
  const { data: faults } = await server.call('list_faults')
  assert.deepEqual(faults.map(({ kind }) => kind).sort(), ['host_crash', 'host_silent', 'start_failure'])
  await server.advance(600)
  const lost = await list(world, '/preview/v2/events?action=instance.connection_lost')
  const failed = await list(world, '/preview/v2/events?action=instance.failed')
  assert.ok(lost.length > 0 && failed.length > 0)
  const own = { token: world.tokens.acme as string }
  for (const { id } of await list(world, '/v2/instances?state=failed')) {
    await server.call('terminate_instance', { params: { id }, ...own })
  }
  for (const fault of faults) await server.call('delete_fault', { params: { id: fault.id } })
  await server.advance(600)
  const { live_instance_count, status } = await server.call('get_deployment', {
    params: { id: world.ids.deployment as string },
    ...own,
  })
  assert.deepEqual([live_instance_count, status.code], [8, 'ok'])
  await assertAuditsPass(server)
})
