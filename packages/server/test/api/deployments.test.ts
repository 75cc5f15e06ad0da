import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { type Capacity, grantNodes, makeCapacity } from '../support/fixtures/capacity.ts'
import { assertNameRule, assertPages, assertRights, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const path = '/preview/v2/deployments'

type Instance = { id: string; name: string; state: string; priority_level: string; created_at: number; tags: unknown }

const get = (account: TestAccount, url: string) => server.ok('GET', url, { token: account.token })
const post = (account: TestAccount, url: string, body: object = {}) =>
  server.ok('POST', url, { token: account.token, body })
const patch = (account: TestAccount, url: string, body: object) =>
  server.ok('PATCH', url, { token: account.token, body })

/** The body of a deployment with this target. */
function request({ pool, sku, template }: Capacity, target_instance_count: number, more: object = {}) {
  return { pool, sku, instance_template: template, target_instance_count, ...more }
}

async function deploy(account: TestAccount, capacity: Capacity, target: number, more: object = {}): Promise<string> {
  const { id } = await post(account, path, request(capacity, target, more))
  await server.advance(30)
  return id
}

async function members(account: TestAccount, id: string, filter = ''): Promise<Instance[]> {
  return (await get(account, `/v2/instances?limit=200&deployment=${id}${filter}`)).data
}

async function living(account: TestAccount, id: string): Promise<Instance[]> {
  return (await members(account, id)).filter(({ state }) => state !== 'terminated')
}

async function countStates(account: TestAccount, id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { state } of await members(account, id)) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

const status = async (account: TestAccount, id: string) => (await get(account, `${path}/${id}`)).status

test('a deployment creates its fleet, and its members refer to it', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const body = request(capacity, 3, { name: 'fleet', instance_name_template: 'node-{{nanoid(5)}}' })
  const made = await post(account, path, body)
  const { pool, instance_template, workspace, sku, status: first, created_at, updated_at, ...plain } = made
  assert.match(made.id, /^depl_[0-9a-zA-Z_-]{21}$/)
  assert.deepEqual(plain, {
    object: 'deployment',
    id: made.id,
    resource_path: `svc:deployment:${account.id}:default:fleet`,
    name: 'fleet',
    enabled: true,
    target_instance_count: 3,
    live_instance_count: 0,
    instance_name_template: 'node-{{nanoid(5)}}',
  })
  assert.deepEqual([pool.id, sku.id, instance_template.id], [capacity.pool, capacity.sku, capacity.template])
  assert.deepEqual([workspace.id, created_at, first.code], [account.workspace_id, updated_at, 'waiting_for_allocation'])
  await server.advance(30)
  const shown = await get(account, `${path}/svc:deployment:${account.id}:default:fleet`)
  assert.deepEqual([shown.live_instance_count, shown.status.state, shown.status.code], [3, 'info', 'ok'])
  const fleet = await members(account, made.id)
  assert.equal(fleet.length, 3)
  for (const { id, name, state } of fleet) {
    assert.match(name, /^node-[0-9a-zA-Z]{5}$/)
    assert.equal(state, 'running')
    const { managed_by } = await get(account, `/v2/instances/${id}`)
    assert.deepEqual(managed_by, {
      object: 'deployment',
      id: made.id,
      name: 'fleet',
      resource_path: shown.resource_path,
    })
  }
  const { data: events } = await get(account, `/preview/v2/events?action=instance.created&limit=200`)
  assert.deepEqual(new Set(events.map(({ actor }: { actor: { type: string } }) => actor.type)), new Set(['system']))
  const { deployments } = await get(account, `/v2/pools/${capacity.pool}`)
  assert.deepEqual(
    deployments.map(({ id }: { id: string }) => id),
    [made.id],
  )
})

test('a fleet replaces terminated members and keeps failed ones', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 3, slots: 2 })
  const id = await deploy(account, capacity, 4)
  const [first, second, third] = (await living(account, id)) as [Instance, Instance, Instance]
  await post(account, `/v2/instances/${first.id}/terminate`)
  await server.settle()
  assert.equal((await living(account, id)).length, 4)
  await server.call('create_fault', { body: { kind: 'instance_unhealthy', instance: second.id } })
  await server.advance(60)
  assert.deepEqual(await countStates(account, id), { failed: 1, running: 3, terminated: 1 })
  assert.match((await status(account, id)).message, /1 failed/)
  const replaced = await post(account, `/v2/instances/${second.id}/replace`, { image: capacity.image })
  assert.equal(replaced.managed_by.id, id)
  await server.settle()
  assert.equal((await get(account, `/v2/instances/${replaced.id}`)).state, 'running', 'without a move of the clock')
  await post(account, `/v2/instances/${third.id}/replace`, { image: capacity.image, name: 'by-hand' })
  await server.advance(60)
  assert.deepEqual(await countStates(account, id), { running: 4, terminated: 3 })
  assert.equal((await status(account, id)).code, 'ok')
})

test('a fleet replaces the members of a host that is lost for good', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 2 })
  const id = await deploy(account, capacity, 2)
  const hosts = async () => (await server.call('list_hosts', { query: { id: capacity.hosts, limit: 2 } })).data
  const lost = (await hosts()).find(({ used_slots }) => used_slots === 2) ?? assert.fail('no host has both members')
  await server.call('create_fault', { body: { kind: 'host_silent', host: lost.id } })
  await server.advance(120)
  assert.deepEqual(await countStates(account, id), { running: 2 })
  await server.call('retire_host', { params: { id: lost.id }, body: { force: true } })
  await server.advance(60)
  assert.deepEqual(await countStates(account, id), { running: 2, terminated: 2 })
  assert.equal((await status(account, id)).code, 'ok')
  assert.deepEqual((await hosts()).map(({ state, used_slots }) => `${state} ${used_slots}`).sort(), [
    'active 2',
    'retired 0',
  ])
})

test('a fleet stays at its target after host crashes and over months', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 3, slots: 2 })
  const id = await deploy(account, capacity, 3)
  for (const host of capacity.hosts.slice(0, 2)) {
    await server.call('create_fault', { body: { kind: 'host_crash', host } })
  }
  await server.advance(600)
  const failed = (await living(account, id)).filter(({ state }) => state === 'failed')
  assert.ok(failed.length > 0)
  for (const instance of failed) await post(account, `/v2/instances/${instance.id}/terminate`)
  await server.advance(120)
  assert.deepEqual(
    (await living(account, id)).map(({ state }) => state),
    ['running', 'running', 'running'],
  )
  await server.advance(90 * 86_400)
  // Terminated members are purged after seven days; the fleet does not change.
  assert.deepEqual(await countStates(account, id), { running: 3 })
})

test('a fleet waits if the allocation is too small, and loses members with it', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 3, nodes: 4, end_in_seconds: 3600 })
  const id = await deploy(account, capacity, 6)
  assert.deepEqual(await countStates(account, id), { running: 4, awaiting_allocation: 2 })
  assert.deepEqual(await status(account, id), {
    state: 'info',
    code: 'waiting_for_allocation',
    message: '2 of 6 instances wait for allocation.',
  })
  await server.advance(3600)
  const counts = await countStates(account, id)
  assert.deepEqual([counts.running, counts.awaiting_allocation, counts.terminated], [undefined, 6, 4])
})

test('a lower target ends the lowest priority, then the newest; a higher one fills free slots', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 4 })
  const id = await deploy(account, capacity, 3)
  const old = await living(account, id)
  await patch(account, `${path}/${id}`, { target_instance_count: 6 })
  await server.advance(30)
  const young = (await living(account, id)).filter((one) => !old.some((other) => other.id === one.id))
  assert.equal(young.length, 3)
  const [precious] = young as [Instance]
  const [cheap] = old as [Instance]
  const data = [
    { id: precious.id, priority_level: 'critical' },
    { id: cheap.id, priority_level: 'yield' },
  ]
  await patch(account, '/v2/instances', { data })
  await patch(account, `${path}/${id}`, { target_instance_count: 3 })
  await server.settle()
  const left = new Set((await living(account, id)).map((one) => one.id))
  assert.deepEqual(left, new Set([precious.id, ...old.filter((one) => one.id !== cheap.id).map((one) => one.id)]))
  const { data: events } = await get(account, '/preview/v2/events?action=instance.terminated&limit=200')
  assert.ok(events.every(({ actor }: { actor: object }) => JSON.stringify(actor) === '{"type":"system"}'))
  await patch(account, `${path}/${id}`, { target_instance_count: 0 })
  await server.settle()
  assert.equal((await get(account, `${path}/${id}`)).live_instance_count, 0)
})

test('a disabled deployment, or one of a frozen account, creates and ends nothing', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const id = await deploy(account, capacity, 2)
  await patch(account, `${path}/${id}`, { enabled: false, target_instance_count: 1 })
  await server.settle()
  assert.equal((await living(account, id)).length, 2)
  const [first] = (await living(account, id)) as [Instance]
  await post(account, `/v2/instances/${first.id}/terminate`)
  await patch(account, `${path}/${id}`, { target_instance_count: 3 })
  await server.settle()
  assert.equal((await living(account, id)).length, 1)
  assert.deepEqual([(await status(account, id)).state, (await get(account, `${path}/${id}`)).enabled], ['info', false])
  await patch(account, `${path}/${id}`, { enabled: true })
  await server.settle()
  assert.equal((await living(account, id)).length, 3)
  const [second] = (await living(account, id)) as [Instance]
  await post(account, `/v2/instances/${second.id}/terminate`)
  await server.call('freeze_account', { params: { account: account.id } })
  await server.advance(120)
  const whileFrozen = (await living(account, id)).length
  await server.call('unfreeze_account', { params: { account: account.id } })
  await server.settle()
  assert.ok(whileFrozen >= 2)
  assert.equal((await living(account, id)).length, 3)
})

test('a new template applies only to later members', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const id = await deploy(account, capacity, 2)
  const fields = { image: capacity.image, tags: { stage: 'two' }, priority_level: 'preferred' }
  const other = await post(account, '/preview/v2/instance_templates', fields)
  await patch(account, `${path}/${id}`, { instance_template: other.id, instance_name_template: 'two-{{nanoid(4)}}' })
  await server.advance(30)
  const [first] = (await living(account, id)) as [Instance]
  assert.deepEqual([first.tags, first.priority_level], [null, 'normal'])
  await post(account, `/v2/instances/${first.id}/terminate`)
  await server.advance(30)
  const fresh = (await living(account, id)).find(({ tags }) => tags !== null) as Instance
  assert.deepEqual([fresh.tags, fresh.priority_level], [{ stage: 'two' }, 'preferred'])
  assert.match(fresh.name, /^two-/)
  assert.equal((await server.attempt('delete_instance_template', { params: { id: other.id }, ...account })).status, 409)
  const freed = await server.attempt('delete_instance_template', { params: { id: capacity.template }, ...account })
  assert.equal(freed.status, 204)
})

test('a refused creation is shown in the status and tried again after 30 s to 10 min', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const limit = (value: number) =>
    server.call('put_account_limit', { params: { account: account.id, name: 'instances' }, body: { value } })
  await limit(3)
  const id = await deploy(account, capacity, 5)
  assert.equal((await living(account, id)).length, 3)
  const { state, code, message } = await status(account, id)
  assert.deepEqual([state, code], ['error', 'limit_exceeded'])
  assert.match(message, /instances/)
  await limit(4)
  await server.advance(60)
  assert.equal((await living(account, id)).length, 4)
  // After each refusal it waits longer, but at most ten minutes.
  await server.advance(3600)
  assert.equal((await status(account, id)).code, 'limit_exceeded')
  await limit(10)
  await server.advance(601)
  assert.equal((await living(account, id)).length, 5)
  assert.equal((await status(account, id)).code, 'ok')
})

test('update_deployment and unfreeze_account retry a refused creation at once', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const limit = (value: number) =>
    server.call('put_account_limit', { params: { account: account.id, name: 'instances' }, body: { value } })
  await limit(1)
  const id = await deploy(account, capacity, 4)
  // After this many refusals the next try is minutes away.
  await server.advance(1800)
  assert.equal((await living(account, id)).length, 1)
  await limit(3)
  await patch(account, `${path}/${id}`, { target_instance_count: 3 })
  await server.settle()
  assert.equal((await living(account, id)).length, 3)
  await patch(account, `${path}/${id}`, { target_instance_count: 4 })
  await server.advance(1800)
  assert.equal((await status(account, id)).code, 'limit_exceeded')
  await server.call('freeze_account', { params: { account: account.id } })
  await limit(4)
  await server.advance(1800)
  assert.equal((await living(account, id)).length, 3)
  await server.call('unfreeze_account', { params: { account: account.id } })
  await server.settle()
  assert.equal((await living(account, id)).length, 4)
})

test('a revoked image and a retired SKU prevent only new members', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const id = await deploy(account, capacity, 2)
  await post(account, `/v2/images/${capacity.image}/revoke`)
  const [first, second] = (await living(account, id)) as [Instance, Instance]
  await post(account, `/v2/instances/${first.id}/terminate`)
  await server.settle()
  assert.deepEqual([(await status(account, id)).code, (await living(account, id)).length], ['image_not_available', 1])
  await post(account, `/v2/images/${capacity.image}/reinstate`)
  await server.advance(60)
  assert.deepEqual([(await status(account, id)).code, (await living(account, id)).length], ['ok', 2])
  await server.call('retire_sku', { params: { id: capacity.sku } })
  await post(account, `/v2/instances/${second.id}/terminate`)
  await server.settle()
  assert.deepEqual(await status(account, id), {
    state: 'error',
    code: 'sku_not_available',
    message: 'The SKU is retired: 1 of 2 instances cannot be created.',
  })
  const [left] = (await living(account, id)) as [Instance]
  await post(account, `/v2/instances/${left.id}/replace`, { image: capacity.image })
  await server.call('restore_sku', { params: { id: capacity.sku } })
  await server.advance(30)
  assert.deepEqual([(await status(account, id)).code, (await living(account, id)).length], ['ok', 2])
})

test('deleting a deployment ends only its own fleet, at once, with the caller as actor', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 5 })
  const id = await deploy(account, capacity, 5, { name: 'gone' })
  const other = await deploy(account, capacity, 2)
  const { id: tokenId, token } = await makeToken(server, account, { deployment: ['delete'] })
  const deleted = await server.attempt('delete_deployment', {
    params: { id: `svc:deployment:${account.id}:default:gone` },
    token,
  })
  assert.deepEqual([deleted.status, deleted.text], [204, ''])
  assert.equal(deleted.headers.get('ratelimit-policy')?.includes('"write"'), true)
  const fleet = await members(account, id)
  assert.deepEqual(new Set(fleet.map(({ state }) => state)), new Set(['terminated']))
  assert.equal((await living(account, other)).length, 2)
  assert.equal((await get(account, '/preview/v2/limits/instances')).used, 2)
  const { data: events } = await get(account, '/preview/v2/events?action=instance.terminated&limit=200')
  assert.deepEqual(
    events.map(({ actor, targets }: { actor: object; targets: { id: string }[] }) => [actor, targets[0]?.id]).sort(),
    fleet.map((one) => [{ type: 'token', id: tokenId }, one.id]).sort(),
  )
  const { managed_by } = await get(account, `/v2/instances/${fleet[0]?.id}`)
  assert.deepEqual([managed_by.id, managed_by.name], [id, 'gone'])
  assert.equal((await server.attempt('delete_deployment', { params: { id }, ...account })).status, 404)
  assert.equal((await server.attempt('get_deployment', { params: { id }, ...account })).status, 404)
  await server.advance(120)
  assert.equal((await living(account, id)).length, 0)
  const { allocation_schedule } = await get(account, `/v2/pools/${capacity.pool}`)
  assert.equal(allocation_schedule.total.at(-1).node_count, 10)
  assert.equal((await post(account, path, request(capacity, 0, { name: 'gone' }))).name, 'gone')
})

test('a deletion is not rate limited', async () => {
  await using small = await startTestServer({ rate_multiplier: 1 })
  if (!small.inside) return
  const account = await small.account()
  const { status: last } = await exhaust(() => small.attempt('create_firewall', { token: account.token, body: {} }))
  assert.equal(last, 429)
  for (let i = 0; i < 60; i++) {
    const { status: answered } = await small.attempt('delete_deployment', {
      params: { id: 'depl_absent' },
      token: account.token,
    })
    assert.equal(answered, 404)
  }
})

async function exhaust<A extends { status: number }>(call: () => Promise<A>): Promise<A> {
  for (let i = 0; ; i++) {
    const response = await call()
    if (response.status === 429 || i === 300) return response
  }
}

test('concurrent replacements and a deletion leave no member', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 4 })
  for (let round = 0; round < 5; round++) {
    const id = await deploy(account, capacity, 4)
    const fleet = await living(account, id)
    const body = { image: capacity.image }
    const responses = await Promise.all([
      ...fleet.map((one) => server.attempt('replace_instance', { params: { id: one.id }, token: account.token, body })),
      server.attempt('delete_deployment', { params: { id }, token: account.token }),
    ])
    assert.equal(responses.at(-1)?.status, 204)
    for (const { status: replaced } of responses.slice(0, -1)) assert.ok([201, 409].includes(replaced))
    assert.deepEqual(await living(account, id), [])
    await server.advance(60)
    assert.deepEqual(await living(account, id), [])
  }
})

test('a template is either deleted or used by a concurrent creation', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const outcomes = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const { id } = await post(account, '/preview/v2/instance_templates', { image: capacity.image })
    const body = request({ ...capacity, template: id }, 0)
    const create = () => server.attempt('create_deployment', { token: account.token, body })
    const remove = () => server.attempt('delete_instance_template', { params: { id }, ...account })
    const calls = round % 2 === 0 ? [create(), remove()] : [remove(), create()]
    const statuses = (await Promise.all(calls)).map((response) => response.status).sort()
    outcomes.add(statuses.join(' '))
  }
  for (const outcome of outcomes) assert.ok(['201 409', '204 422'].includes(outcome), outcome)
  await assertAuditsPass(server)
})

test('concurrent changes, steps and a deletion end in a deletion', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 4 })
  for (let round = 0; round < 5; round++) {
    const { id } = await post(account, path, request(capacity, 4))
    const change = (target_instance_count: number) =>
      server.attempt('update_deployment', { params: { id }, token: account.token, body: { target_instance_count } })
    const remove = () => server.attempt('delete_deployment', { params: { id }, token: account.token })
    const responses = await Promise.all([change(8), change(2), remove(), change(6), remove()])
    assert.deepEqual([responses[2]?.status, responses[4]?.status].sort(), [204, 404])
    for (const at of [0, 1, 3]) assert.ok([200, 404].includes(responses[at]?.status as number))
    await server.settle()
    assert.deepEqual(await living(account, id), [])
  }
  await assertAuditsPass(server)
})

test('the references of a deployment must exist, match and be permitted', async () => {
  const account = await server.account()
  const stranger = await server.account()
  const capacity = await makeCapacity(server, account)
  const foreign = await makeCapacity(server, stranger)
  const second = await post(account, '/v2/workspaces', { name: 'second' })
  const elsewhere = await post(account, '/preview/v2/instance_templates', {
    image: capacity.image,
    workspace: second.id,
  })
  const open = { image: capacity.image, _preview_enable_public_ipv4: true }
  const publicTemplate = await post(account, '/preview/v2/instance_templates', open)
  const subnet = await post(account, '/preview/v2/subnets', { region: 'north' })
  const inSubnet = await post(account, '/preview/v2/instance_templates', { image: capacity.image, subnet: subnet.id })
  const retired = await server.call('create_sku', { body: { alias: `retired-${account.id}` } })
  await server.call('retire_sku', { params: { id: retired.id } })
  const revoked = await post(account, '/sandbox/images', { name: 'revoked' })
  const onRevoked = await post(account, '/preview/v2/instance_templates', { image: revoked.id })
  await post(account, `/v2/images/${revoked.id}/revoke`)
  for (const [change, refusal] of [
    [{ pool: 'pool_absent' }, [422, 'reference_not_found', 'pool']],
    [{ pool: foreign.pool }, [422, 'reference_not_found', 'pool']],
    [{ pool: capacity.supply }, [422, 'reference_not_found', 'pool']],
    [{ pool: 'training' }, [400, 'invalid_format', 'pool']],
    [{ sku: 'sku_absent' }, [422, 'sku_not_available', 'sku']],
    [{ sku: retired.id }, [422, 'sku_not_available', 'sku']],
    [{ instance_template: 'itmpl_absent' }, [422, 'reference_not_found', 'instance_template']],
    [{ instance_template: foreign.template }, [422, 'reference_not_found', 'instance_template']],
    [{ instance_template: elsewhere.id }, [422, 'workspace_mismatch', 'instance_template']],
    [{ instance_template: onRevoked.id }, [422, 'image_not_available', 'instance_template']],
    [{ instance_template: publicTemplate.id }, [422, 'public_ipv4_not_supported', 'instance_template']],
    [{ instance_template: inSubnet.id }, [422, 'region_mismatch', 'instance_template']],
    [{ target_instance_count: -1 }, [400, 'out_of_range', 'target_instance_count']],
    [{ target_instance_count: 10_001 }, [400, 'out_of_range', 'target_instance_count']],
    [{ target_instance_count: '3' }, [400, 'invalid_type', 'target_instance_count']],
    [{ target_instance_count: undefined }, [400, 'required', 'target_instance_count']],
    [{ kind: 'burst' }, [400, 'invalid_value', 'kind']],
    [{ instance_name_template: 'web' }, [400, 'invalid_format', 'instance_name_template']],
    [{ instance_name_template: '{{color}}-1' }, [400, 'invalid_format', 'instance_name_template']],
    [{ instance_name_template: `${'{{adjective}}'.repeat(22)}` }, [400, 'too_long', 'instance_name_template']],
    [{ instance_name_template: 'x'.repeat(513) }, [400, 'too_long', 'instance_name_template']],
    [{ size: 3 }, [400, 'unknown_field', 'size']],
  ] as const) {
    const body = { ...request(capacity, 1), ...change }
    const response = await server.attempt('create_deployment', { token: account.token, body })
    assert.deepEqual(refusalOf(response), refusal, JSON.stringify(change))
  }
  await assertNameRule({ server, token: account.token, path }, 'POST', request(capacity, 0))
  assert.deepEqual(await idsOf({ server, token: account.token, path }), [])
})

test('a change is validated like a creation and keeps omitted fields', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const { id } = await post(account, path, request(capacity, 0, { name: 'first' }))
  const second = await post(account, path, request(capacity, 0, { name: 'second' }))
  const revoked = await post(account, '/sandbox/images', { name: 'revoked' })
  const onRevoked = await post(account, '/preview/v2/instance_templates', { image: revoked.id })
  await post(account, `/v2/images/${revoked.id}/revoke`)
  for (const [body, refusal] of [
    [{ name: 'second' }, [409, 'name_taken', 'name']],
    [{ instance_template: 'itmpl_absent' }, [422, 'reference_not_found', 'instance_template']],
    [{ instance_template: onRevoked.id }, [422, 'image_not_available', 'instance_template']],
    [{ target_instance_count: 10_001 }, [400, 'out_of_range', 'target_instance_count']],
    [{ instance_name_template: 'fixed' }, [400, 'invalid_format', 'instance_name_template']],
    [{ enabled: null }, [400, 'invalid_type', 'enabled']],
    [{ pool: capacity.pool }, [400, 'unknown_field', 'pool']],
  ] as const) {
    const response = await server.attempt('update_deployment', { params: { id }, token: account.token, body })
    assert.deepEqual(refusalOf(response), refusal, JSON.stringify(body))
  }
  const before = await get(account, `${path}/${id}`)
  await server.advance(10)
  const { updated_at, ...same } = await patch(account, `${path}/${id}`, {})
  const { updated_at: _before, ...shown } = before
  assert.deepEqual(same, shown)
  assert.ok(updated_at >= before.updated_at)
  const renamed = await patch(account, `${path}/${id}`, { name: 'third' })
  assert.equal(renamed.resource_path, `svc:deployment:${account.id}:default:third`)
  assert.equal(
    (
      await server.attempt('get_deployment', {
        params: { id: `svc:deployment:${account.id}:default:first` },
        ...account,
      })
    ).status,
    404,
  )
  await server.call('delete_deployment', { params: { id: second.id }, ...account })
  assert.equal((await patch(account, `${path}/${id}`, { name: 'second' })).name, 'second')
})

test('deployments are listed with pages and filters', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const second = await post(account, '/v2/workspaces', { name: 'second' })
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    ids.unshift((await post(account, path, request(capacity, 0))).id)
    await server.advance(1)
  }
  const place = { server, token: account.token, path }
  await assertPages(place, ids, 'kind=generic')
  for (const [filter, expected] of [
    [`pool=${capacity.pool}`, ids],
    ['pool=pool_absent', []],
    [`workspace=${account.workspace_id}`, ids],
    [`workspace=${second.id}`, []],
    ['workspace=wksp_absent', []],
    [`id=${ids[1]}&id=${ids[3]}`, [ids[1], ids[3]]],
    ['id=depl_absent', []],
    [`id=svc:deployment:${account.id}:default:absent`, []],
  ] as const) {
    assert.deepEqual(await idsOf(place, filter), expected, filter)
  }
})

test('each operation needs its right, and a creation also instance:create', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const { id } = await post(account, path, request(capacity, 0))
  const { token } = await makeToken(server, account, { deployment: ['create', 'read'] })
  const half = await server.attempt('create_deployment', { token, body: request(capacity, 0) })
  assert.equal(half.status, 403)
  await assertRights(server, account, 'deployment', {
    list_deployments: { method: 'GET', path, verb: 'list' },
    get_deployment: { method: 'GET', path: `${path}/${id}`, verb: 'read' },
    update_deployment: { method: 'PATCH', path: `${path}/${id}`, body: { enabled: false }, verb: 'write' },
    delete_deployment: { method: 'DELETE', path: `${path}/${id}`, verb: 'delete' },
  })
})

test('create_deployment runs once for a key; names are unique and the limit is enforced', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const body = request(capacity, 0)
  const send = (key: string, sent: object) =>
    server.attempt('create_deployment', { token: account.token, body: sent, headers: { 'Idempotency-Key': key } })
  const responses = await Promise.all(Array.from({ length: 8 }, () => send('once', body)))
  assert.deepEqual(new Set(responses.map((response) => `${response.status} ${response.body.id}`)).size, 1)
  assert.deepEqual(refusalOf(await send('once', request(capacity, 1))), [
    422,
    'idempotency_key_reused',
    'Idempotency-Key',
  ])
  const named = { ...body, name: 'taken' }
  const duplicates = await Promise.all(
    [1, 2, 3].map(() => server.attempt('create_deployment', { token: account.token, body: named })),
  )
  assert.deepEqual(duplicates.map((duplicate) => duplicate.status).sort(), [201, 409, 409])
  await server.call('put_account_limit', { params: { account: account.id, name: 'deployments' }, body: { value: 2 } })
  assert.deepEqual(
    refusalOf(await server.attempt('create_deployment', { token: account.token, body }))[1],
    'limit_exceeded',
  )
  await server.call('delete_deployment', {
    params: { id: (responses[0] as (typeof responses)[0]).body.id },
    token: account.token,
  })
  assert.equal((await server.attempt('create_deployment', { token: account.token, body })).status, 201)
})

test('a resource that a deployment refers to cannot be deleted', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account)
  const { id } = await post(account, path, request(capacity, 0))
  const refused = await server.attempt('delete_instance_template', { params: { id: capacity.template }, ...account })
  assert.deepEqual(refusalOf(refused).slice(0, 2), [409, 'in_use'])
  assert.match(refused.body.error.details[0].message, new RegExp(id))
  await server.call('delete_deployment', { params: { id }, ...account })
  assert.equal(
    (await server.attempt('delete_instance_template', { params: { id: capacity.template }, ...account })).status,
    204,
  )
})

test('two fleets can share a pool', async () => {
  const account = await server.account()
  const capacity = await makeCapacity(server, account, { hosts: 1, slots: 4, nodes: 3 })
  const one = await deploy(account, capacity, 2)
  const two = await deploy(account, capacity, 2)
  assert.deepEqual(
    [(await status(account, one)).code, (await status(account, two)).code],
    ['ok', 'waiting_for_allocation'],
  )
  await grantNodes(server, account, { sku: capacity.sku, supply: capacity.supply, nodes: 1 })
  await patch(account, `${path}/${one}`, { target_instance_count: 1 })
  await server.advance(60)
  assert.equal((await status(account, two)).code, 'ok')
})
