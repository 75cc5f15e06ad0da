import assert from 'node:assert/strict'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import { enrol, facts } from '../support/agents.ts'
import type { CallBody } from '../support/calls.ts'
import { grantNodes, makeCapacity } from '../support/fixtures/capacity.ts'
import { makeImage, makeLaunchPad, makeSku } from '../support/fixtures/fleet.ts'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { assertRights } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
await server.call('freeze_clock')
const operator = await platformAccount(server)
const account = await server.account()
const { token } = account
const agents = await agentHost({ slots: 8 })

type Explained = {
  summary: string
  waiting: { reasons: { code: string }[]; next_allocation_at: number | null; rank: number } | null
  boot: { reasons: { code: string; message: string }[] } | null
  termination: Record<string, unknown> | null
  [field: string]: unknown
}

async function explain(id: string, by: TestAccount = account): Promise<Explained> {
  return server.call('explain_instance', { params: { id }, token: by.token })
}

async function waitingCodes(id: string, by: TestAccount = account): Promise<string[] | undefined> {
  return (await explain(id, by)).waiting?.reasons.map(({ code }) => code)
}

async function launch(body: CallBody<'create_instance'>, by: TestAccount = account): Promise<string> {
  return (await server.call('create_instance', { token: by.token, body })).id
}

/** A host with its own agent, a pool that owns its nodes, and the parameters of instances on it. */
async function agentHost({ slots, ...more }: { slots: number; facts?: object }) {
  const sku = await makeSku(server)
  const request = { token: operator.token, body: { sku, slots } }
  const permit = await server.call('create_host_enrolment', request)
  const agent = await enrol(server, permit.token, more)
  const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: slots })
  const image = (await makeImage(server, account)).id
  await server.advance(60)
  return { agent, place: { pool, sku, image } }
}

type Reported = CallBody<'report_host'>['instances'][number]

/** Reports one machine with the generation of the latest desired state. */
async function report(id: string, state: Reported['state'], reason?: Reported['reason']): Promise<void> {
  const { agent } = agents
  const desired = await agent.call('get_desired_state')
  const { generation } = desired.instances.find((one) => one.id === id)
  const instances = [{ id, generation, state, ...(reason ? { reason } : {}) }]
  await agent.call('report_host', { body: { epoch: agent.epoch, generation, health: 'healthy', instances } })
}

/** An instance on the host with its own agent. */
async function placed(): Promise<string> {
  const id = await launch(agents.place)
  await server.advance(1)
  return id
}

test('explain_instance shows why an instance waits: allocation, other instances, a host or an address', async () => {
  const { place } = await agentHost({ slots: 2, facts: { ...facts, public_ipv4s: [] } })
  const addressed = await launch({ ...place, _preview_enable_public_ipv4: true })
  await server.advance(1)
  assert.deepEqual(await waitingCodes(addressed), ['no_public_ipv4'])

  const { cold, pool, sku, image, hosts } = await makeLaunchPad(server, account, { hosts: 2, slots: 1 })
  const idle = await explain(await launch({ pool, sku: cold, image }))
  assert.equal(idle.state, 'awaiting_allocation')
  assert.deepEqual(idle.waiting, {
    reasons: [
      { code: 'no_allocation', message: 'The pool has no allocation of the SKU now.' },
      { code: 'no_free_host', message: 'No host that accepts instances has a suitable free slot.' },
    ],
    next_allocation_at: null,
    rank: 1,
    pool_allocation_now: 0,
    pool_instances_now: 0,
  })
  assert.equal(idle.summary, 'The pool has no allocation of the SKU now.')
  assert.deepEqual([idle.boot, idle.termination, idle.connection_lost_at], [null, null, null])

  await server.call('cordon_host', { params: { id: hosts[0] } })
  await launch({ pool, sku, image })
  await server.advance(60)
  const lacking = await launch({ pool, sku, image })
  await server.advance(1)
  assert.deepEqual(await waitingCodes(lacking), ['no_free_host'])
  await server.call('create_fault', { body: { kind: 'host_silent', host: hosts[0] } })
  await server.advance(100)
  await server.call('uncordon_host', { params: { id: hosts[0] } })
  await server.advance(1)
  assert.deepEqual(await waitingCodes(lacking), ['host_unreachable'])
  const outranked = await explain(await launch({ pool, sku, image, priority_level: 'yield' }))
  assert.equal(outranked.waiting?.rank, 2)
  const full = await makeCapacity(server, account, { hosts: 2, slots: 1, nodes: 1 })
  const both = { pool: full.pool, sku: full.sku, image: full.image }
  await launch(both)
  await server.advance(60)
  assert.deepEqual(await waitingCodes(await launch(both)), ['outranked'])
})

test('the explanation of a starting machine shows the latest report of its host', async () => {
  const id = await placed()
  const unreported = await explain(id)
  assert.deepEqual([unreported.waiting?.reasons, unreported.boot], [[], null])
  assert.match(unreported.summary, /its host has not reported/)
  const codes = async () => (await explain(id)).boot?.reasons.map(({ code }) => code)
  await report(id, 'fetching')
  assert.deepEqual(await codes(), ['fetching_image'])
  await report(id, 'starting')
  assert.deepEqual(await codes(), ['starting'])
  await report(id, 'start_failed', 'checksum_mismatch')
  assert.deepEqual(await codes(), ['start_retry'])
  assert.match((await explain(id)).boot?.reasons[0]?.message ?? '', /checksum_mismatch/)
  await report(id, 'running')
  const up = await explain(id)
  assert.deepEqual([up.waiting, up.boot, up.termination], [null, null, null])
  assert.equal(up.summary, 'It runs, and no end is scheduled.')
})

test('the cause of the end of an instance is shown until its record is purged', async () => {
  const reasonOf = async (id: string) => (await explain(id)).termination?.reason
  const [stopped, off, old] = [await placed(), await placed(), await placed()]
  const { now } = await server.call('get_clock')
  await server.call('terminate_instance', { params: { id: stopped }, token })
  const { termination, summary } = await explain(stopped)
  assert.deepEqual(termination, {
    reason: 'user',
    notice_at: null,
    deadline_at: null,
    ended_at: now,
    allocation_before: 8,
    allocation_after: 8,
    priority_level: 'normal',
    rule: 'lowest_priority_then_newest_then_id',
  })
  assert.match(summary, /^It was terminated on request; it ended at /)
  await report(off, 'running')
  await report(off, 'stopped', 'guest_shutdown')
  assert.equal(await reasonOf(off), 'guest_shutdown')
  const replaced = { params: { id: old }, token, body: { image: agents.place.image } }
  const successor = (await server.call('replace_instance', replaced)).id
  assert.equal(await reasonOf(old), 'replaced')
  assert.equal((await explain(old)).replaced_by, successor)
  assert.equal((await explain(successor)).replaces, old)

  const { pool, sku, template } = await makeCapacity(server, account, { hosts: 1, slots: 3 })
  const fleet = await server.call('create_deployment', {
    token,
    body: { pool, sku, instance_template: template, target_instance_count: 2 },
  })
  await server.advance(60)
  const { data } = await server.call('list_instances', { query: { deployment: fleet.id }, token })
  await server.call('update_deployment', { params: { id: fleet.id }, token, body: { target_instance_count: 1 } })
  await server.advance(1)
  await server.call('delete_deployment', { params: { id: fleet.id }, token })
  const members: string[] = data.map(({ id }) => id)
  assert.deepEqual((await Promise.all(members.map(reasonOf))).sort(), ['deployment_deleted', 'scaled_down'])

  await server.call('delete_instance', { params: { id: stopped }, token })
  assert.equal((await server.attempt('explain_instance', { params: { id: stopped }, token })).status, 404)
})

test('the end of a window, a sale, a transfer and a drained host are separate causes, before and after', async () => {
  const { pool, sku, image, hosts } = await makeCapacity(server, account, {
    hosts: 2,
    slots: 1,
    end_in_seconds: 7200,
  })
  const [ending, drained] = [await launch({ pool, sku, image }), await launch({ pool, sku, image })]
  await server.advance(60)
  const { now } = await server.call('get_clock')
  const foreseen = (await explain(ending)).termination
  assert.deepEqual(
    [foreseen?.reason, foreseen?.notice_at, foreseen?.allocation_before, foreseen?.allocation_after],
    ['allocation_ended', null, 2, 0],
  )
  const shown = await Promise.all(hosts.map((id) => server.call('get_host', { params: { id } })))
  const host = shown.find(({ instances }) => instances.some((one) => one === drained))?.id as string
  await server.call('drain_host', { params: { id: host }, body: { deadline_at: now + 660, force: true } })
  await server.advance(120)
  const noticed = (await explain(drained)).termination
  assert.deepEqual([noticed?.reason, noticed?.deadline_at, noticed?.notice_at], ['host_retired', now + 660, now + 60])
  await server.advance(7200)
  assert.equal((await explain(drained)).termination?.reason, 'host_retired')
  const ended = (await explain(ending)).termination
  assert.deepEqual(
    [ended?.reason, ended?.ended_at, ended?.deadline_at],
    ['allocation_ended', foreseen?.deadline_at, foreseen?.deadline_at],
  )
  assert.deepEqual([ended?.allocation_before, ended?.allocation_after], [2, 0])
})

test('a waiting instance shows the start of its next window, and what removed its allocation', async () => {
  const market = await makeMarket(server)
  const seller = await market.seller(4)
  const buyer = await market.buyer()
  const side = 'sell'
  await market.order(seller, { side, nodes: 2, minutes: 240, allow_standing: true, allow_partial: true })
  await market.order(buyer, { nodes: 2, minutes: 240 })
  const image = (await makeImage(server, buyer)).id
  const place = { pool: buyer.pool, sku: market.sku, image }
  const [kept, lost] = [await launch(place, buyer), await launch({ ...place, priority_level: 'yield' }, buyer)]
  const early = await explain(kept, buyer)
  assert.deepEqual(
    [early.waiting?.reasons[0]?.code, early.waiting?.next_allocation_at],
    ['no_allocation', market.start],
  )
  const { now } = await server.call('get_clock')
  await server.advance(market.start - now + 60)
  const other = await market.buyer()
  const window = { start_at: market.start + hour, minutes: 60, nodes: 1 }
  await market.order(buyer, { ...window, side, allow_standing: true, allow_partial: true })
  await market.order(other, window)
  const sold = (await explain(lost, buyer)).termination
  assert.deepEqual(sold, {
    reason: 'sold',
    notice_at: null,
    deadline_at: market.start + hour,
    ended_at: null,
    allocation_before: 2,
    allocation_after: 1,
    priority_level: 'yield',
    rule: sold?.rule,
  })
  await server.advance(hour)
  assert.equal((await explain(lost, buyer)).termination?.reason, 'sold')
  const target = (await server.call('create_pool', { token: buyer.token, body: {} })).id
  const { now: later } = await server.call('get_clock')
  const start_at = later - (later % 60)
  const delta = [{ start_at, end_at: start_at + 1800, node_count: 1 }]
  const body = { from_pool: buyer.pool, to_pool: target, sku: market.sku, allocation_schedule_delta: delta }
  await server.call('create_pool_transfer', { token: buyer.token, body })
  await server.advance(1)
  const moved = (await explain(kept, buyer)).termination
  assert.deepEqual([moved?.reason, moved?.allocation_before, moved?.allocation_after], ['transferred', 1, 0])
  await server.advance(120)
  assert.equal((await explain(kept, buyer)).termination?.reason, 'transferred')
})

test('the explanation shows a silent host, and each operation needs its verb', async () => {
  const { pool, sku, image, hosts } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const id = await launch({ pool, sku, image })
  await server.advance(60)
  await server.call('create_fault', { body: { kind: 'host_silent', host: hosts[0], for_seconds: 300 } })
  await server.advance(120)
  const { connection_lost_at, summary, state } = await explain(id)
  assert.ok(connection_lost_at)
  assert.match(summary, /^Its host has not reported since /)
  assert.equal(state, 'running')
  await assertRights(server, account, 'instance', {
    explain_instance: { method: 'GET', path: `/preview/v2/explain/instances/${id}`, verb: 'read' },
  })
})
