import assert from 'node:assert/strict'
import { test } from 'vitest'
import { silentLog } from '../../src/core/base/log.ts'
import { makeImage } from '../support/fixtures/fleet.ts'
import { makeWorld } from './world.ts'

const hour = 3600
/** A request succeeds at its third attempt, and every step long before so many minutes have passed. */
const [triesMax, turnsMax] = [5, 500]
/** The number of attempts of each transaction that has not succeeded yet. */
const attempts = new Map<string, number>()
/** The kinds of transactions that have crashed, by the point of the crash. */
const crashes = { before_commit: new Set<string>(), after_commit: new Set<string>() }
const ran = new Set<string>()
let isCrashing = false

/**
 * The first attempt of each transaction crashes before its commit, the second one after its commit and before its
 * result arrives. Only the third one succeeds. So each transaction is retried after both crashes, and runs twice.
 */
function failpoint(name: string, id: string): void {
  if (!isCrashing || !/^(step:|act-)/.test(id)) return
  const kind = id.startsWith('step:') ? id.split(':')[1] : id.replace(/^act-\d+-/, '')
  ran.add(kind as string)
  if (name === 'before_commit') attempts.set(id, (attempts.get(id) ?? 0) + 1)
  const attempt = attempts.get(id)
  if (name === 'before_commit' && attempt === 1) crash('before_commit')
  if (name === 'after_commit' && attempt === 2) crash('after_commit')
  if (name === 'after_commit') attempts.delete(id)

  function crash(point: keyof typeof crashes): never {
    crashes[point].add(kind as string)
    throw new Error(`A crash ${point.replace('_', ' ')}.`)
  }
}

const world = await makeWorld({}, { failpoint, log: silentLog() })
const { server, account, sku, rows } = world
const hosts = await world.addHosts(2, 2)
await world.pass(60)
const from = (await world.now()) + 60
const pool = await world.makePool([[from - (from % 60), 3]])
await world.pass(120)
const own = { token: account.token }
const supply = (await world.host(hosts[0] as string)).pool.id
const pools: string[] = []
for (const name of ['here', 'there']) pools.push((await server.call('create_pool', { body: { name } })).id)
const images = [(await makeImage(server, account)).id, (await makeImage(server, account)).id]
const template = (await server.call('create_instance_template', { ...own, body: { image: images[0] as string } })).id
let acts = 0

type FleetAct = {
  readonly method?: 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly token?: string
  /** The status if the effect already exists and the operation has no idempotency key. */
  readonly done?: number
}

/** Sends a request until there is a response, and once more. The effect must be the same despite the crashes. */
async function act(name: string, { method = 'POST', path, body, token = account.token, done }: FleetAct): Promise<any> {
  const id = `act-${acts++}-${name}`
  const headers = { 'x-request-id': id, ...(done === undefined ? { 'idempotency-key': id } : {}) }
  const ask = () => server.request(method, path, { token, headers, ...(body ? { body } : {}) })
  let response = await ask()
  for (let tries = 1; response.status === 500 && tries < triesMax; tries++) response = await ask()
  assert.ok(response.status < 300 || response.status === done, `${name}: ${response.text}`)
  const again = await ask()
  if (done !== undefined) assert.equal(again.status, done, again.text)
  else assert.deepEqual([again.status, again.body], [response.status, response.body], name)
  attempts.delete(id)
  return response.body
}

/** Advances the clock until no retry is scheduled. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await world.pass(60)
  const retries = () => rows('select kind, key, attempt from due where attempt > 0')
  for (let turn = 0; turn < turnsMax && (await retries()).length > 0; turn++) await world.pass(60)
  assert.deepEqual(await retries(), [])
}

async function livingOn(): Promise<string[]> {
  const { data } = await server.call('list_instances', { query: { limit: 200 }, ...own })
  return data.filter(({ state }) => state !== 'terminated').map(({ id, state }) => `${id} ${state}`)
}

/** Asserts that no machine is on a host, no retry is scheduled, and no audit finds anything. */
async function assertNothingLeft(): Promise<void> {
  assert.deepEqual(await livingOn(), [])
  for (const table of ['machines', 'sandbox_machines'])
    assert.deepEqual(await rows(`select * from ${table}`), [], table)
  for (const host of hosts) assert.equal((await world.host(host)).used_slots, 0)
  assert.deepEqual(await world.findings(), [])
}

test('an instance starts, is replaced and ends although every step crashes, and leaves nothing', async () => {
  isCrashing = true
  const first = await act('create', { path: '/v2/instances', body: { pool, sku, image: images[0] } })
  await settle()
  assert.deepEqual(await livingOn(), [`${first.id} running`])
  const second = await act('replace', { path: `/v2/instances/${first.id}/replace`, body: { image: images[1] } })
  await settle()
  assert.deepEqual(await livingOn(), [`${second.id} running`])
  for (const id of [first.id, second.id]) {
    assert.deepEqual((await world.actions(id)).slice(0, 2), ['created', 'running'])
  }
  await act('terminate', { path: `/v2/instances/${second.id}/terminate`, done: 409 })
  await settle()
  for (const id of [first.id, second.id])
    assert.deepEqual(await world.actions(id), ['created', 'running', 'terminated'])
  await assertNothingLeft()
})

test('a deployment is created and deleted although every step crashes, and leaves nothing', async () => {
  const body = { pool, sku, instance_template: template, target_instance_count: 3 }
  const { id } = await act('deploy', { path: '/preview/v2/deployments', body })
  await settle()
  const living = await livingOn()
  assert.equal(living.length, 3)
  assert.ok(living.every((one) => one.endsWith(' running')))
  await act('tear_down', { method: 'DELETE', path: `/preview/v2/deployments/${id}`, done: 404 })
  await settle()
  await assertNothingLeft()
})

test('allocation moves to another pool and back exactly once, although every step crashes', async () => {
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + hour
  const token = server.platform_token
  const move = (name: string, from_pool: string | undefined, to_pool: string | undefined) => {
    const allocation_schedule_delta = [{ start_at, end_at: start_at + hour, node_count: 1 }]
    const body = { from_pool, to_pool, sku, allocation_schedule_delta }
    return act(name, { path: '/preview/v2/pool_transfers', body, token })
  }
  const counts = () =>
    Promise.all(
      pools.map(async (id) => {
        const steps = (await server.call('get_pool', { params: { id } })).allocation_schedule.by_sku[sku] ?? []
        return steps.find((step) => step.start_at === start_at)?.node_count ?? 0
      }),
    )
  await move('supply', supply, pools[0])
  for (const [name, at, to, expected] of [
    ['transfer', 0, 1, [0, 1]],
    ['transfer_back', 1, 0, [1, 0]],
  ] as const) {
    await move(name, pools[at], pools[to])
    await settle()
    assert.deepEqual(await counts(), expected)
  }
  await assertNothingLeft()
})

test('every kind of transaction crashed before its commit and after it', async ({ annotate }) => {
  isCrashing = false
  await annotate([...ran].toSorted().join(', '))
  for (const point of [crashes.before_commit, crashes.after_commit]) {
    assert.deepEqual([...point].toSorted(), [...ran].toSorted())
  }
  for (const kind of ['create', 'replace', 'terminate', 'deploy', 'tear_down', 'transfer', 'fleet.placement']) {
    assert.ok(ran.has(kind), kind)
  }
})
