import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { type LoadedWorld, loadWorld } from '../support/worlds.ts'

const server = await startTestServer()

const reset = (body: object = {}, token = server.platform_token) => server.attempt('reset_sandbox', { token, body })
const readClock = () => server.call('get_clock')
const names = async (world: LoadedWorld, path: string): Promise<string[]> => {
  const { data } = await server.ok('GET', `${path}?limit=200`, { token: world.tokens.acme as string })
  return data.map(({ name }: { name: string }) => name).sort()
}

test('reset_sandbox loads the first world by default and refuses invalid parameters', async () => {
  const { status, body, headers } = await reset()
  assert.deepEqual([status, body.scenario, body.seed, headers.get('cache-control')], [200, 'quickstart', 1, 'no-store'])
  const other = await reset({ scenario: 'empty', seed: 5 })
  assert.deepEqual([other.body.scenario, other.body.seed], ['empty', 5])
  for (const [wrong, refusal] of [
    [{ scenario: 'busy' }, [400, 'invalid_value', 'scenario']],
    [{ seed: -1 }, [400, 'out_of_range', 'seed']],
    [{ world: 'empty' }, [400, 'unknown_field', 'world']],
  ] as const) {
    assert.deepEqual(refusalOf(await reset(wrong)), refusal)
  }
  assert.equal((await server.attempt('reset_sandbox', { token: null, body: {} })).status, 401)
})

test('after a reset each account that people use has an admin for whom its token makes a link', async () => {
  const { tokens } = await loadWorld(server, 'empty')
  for (const [account, name] of Object.entries({ acme: 'admin', bourse: 'operator' })) {
    const token = tokens[account] as string
    const { url } = await server.call('create_user_sign_in_link', {
      params: { id: `svc:user:${account}:${name}` },
      token,
    })
    const page = await (await fetch(new URL(new URL(url).pathname, server.url))).text()
    assert.match(page, new RegExp(`signed in as ${name} .*\\(${account}\\)`))
  }
})

test('after a reset the printed ids and tokens are still valid, and everything else is gone', async () => {
  const before = await loadWorld(server, 'empty')
  const account = await server.account()
  const own = { token: before.tokens.acme as string }
  const { token: extra } = await server.call('create_token', { ...own, body: {} })
  await server.call('create_firewall', { ...own, body: { name: 'mine' } })
  await server.call('create_fault', { body: { kind: 'http_error', status: 500, operation: 'get_sku', times: 0 } })
  const { body } = await reset({ scenario: 'empty' }, account.token)
  const tokens = Object.fromEntries(body.accounts.map(({ id, token }) => [id, token]))
  assert.deepEqual(tokens, before.tokens)
  assert.equal(tokens.bourse, server.platform_token)
  for (const token of [account.token, extra]) {
    assert.equal((await server.attempt('get_account', { token })).status, 401)
  }
  for (const token of Object.values(before.tokens)) {
    assert.equal((await server.attempt('get_account', { token })).status, 200)
  }
  assert.deepEqual(await names(before, '/preview/v2/firewalls'), ['default'])
  assert.deepEqual((await server.call('list_faults')).data, [])
  assert.deepEqual((await server.call('list_accounts')).data.map(({ id }) => id).sort(), ['acme', 'bourse'])
  await assertAuditsPass(server)
})

test('a deleted printed token is valid again after a reset', async () => {
  const world = await loadWorld(server, 'empty')
  const token = world.tokens.acme as string
  const me = await server.call('get_account', { token })
  await server.call('create_token', { token, body: { roles: ['role_admin'] } })
  const { data } = await server.call('list_tokens', { token })
  const second = data.find(({ id }) => id !== me.token.id)
  const admin = { principal_type: 'token', principal_id: second.id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body: admin })
  await server.call('delete_token', { params: { id: me.token.id }, token })
  await reset({ scenario: 'empty' })
  assert.equal((await server.call('get_account', { token })).token.id, me.token.id)
})

test('a reset works during a database_down fault and ends the fault', async () => {
  await server.call('create_fault', { body: { kind: 'database_down', times: 0 } })
  const world = await loadWorld(server, 'preemption')
  const { data } = await server.call('list_instances', {
    query: { state: ['running'] },
    token: world.tokens.acme as string,
  })
  assert.equal(data.length, 6)
})

test('event cursors from before a reset are 410, and new ones work', async () => {
  const world = await loadWorld(server, 'preemption')
  const own = { token: world.tokens.acme as string }
  const old = await server.call('list_events', { query: { limit: 5 }, ...own })
  const filtered = await server.call('list_events', { query: { limit: 1, action: 'instance.created' }, ...own })
  const since = (starting_after: string, action?: string) =>
    server.attempt('list_events', { query: { starting_after, action }, ...own })
  assert.equal((await since(old.cursor)).status, 200)
  await reset({ scenario: 'preemption' })
  assert.deepEqual([(await since(old.cursor)).status, (await since(old.cursor)).body.error.type], [410, 'gone'])
  assert.equal((await since(filtered.cursor, 'instance.created')).status, 410)
  assert.equal((await since(filtered.cursor)).status, 400)
  const fresh = await server.call('list_events', { query: { limit: 5 }, ...own })
  assert.notEqual(fresh.cursor, old.cursor)
  const rest = (await since(fresh.cursor)).body.data
  assert.ok(rest.length > 0)
})

test('a reset sets the clock to real time and its rate to 1', async () => {
  await server.advance(3 * 365 * 86_400)
  await server.call('set_clock_rate', { body: { rate: 50 } })
  await server.call('freeze_clock')
  await reset({ scenario: 'empty' })
  const { now, real_now, frozen, rate } = await readClock()
  assert.ok(Math.abs(now - real_now) <= 1)
  assert.deepEqual([frozen, rate], [false, 1])
})

test('a new world has no idempotency keys, sequence numbers or lists of the old one', async () => {
  const send = (token: string, name: string) =>
    server.attempt('create_firewall', { token, body: { name }, headers: { 'Idempotency-Key': 'same' } })
  const world = await loadWorld(server, 'preemption', { seed: 1 })
  const token = world.tokens.acme as string
  assert.equal((await send(token, 'one')).status, 201)
  const skus = await server.call('list_skus', { token })
  const other = await loadWorld(server, 'preemption', { seed: 2 })
  const again = await send(token, 'two')
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, null])
  const ids: string[] = (await server.call('list_skus', { token })).data.map(({ id }) => id)
  assert.ok(ids.includes(other.ids.sku as string) && !ids.includes(skus.data[0].id))
  const [host] = (await server.call('list_hosts', { query: { limit: 200 } })).data.slice(-1) as [any]
  assert.equal(host.facts.hostname, 'simulated-1')
})

test('a write during a reset is in the old world or the new one, and never in between', async () => {
  const world = await loadWorld(server, 'preemption')
  const token = world.tokens.acme as string
  const known = await names(world, '/preview/v2/firewalls')
  for (let round = 0; round < 2; round++) {
    let isOver = false
    const written: string[] = []
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; !isOver; i++) {
        const name = `w${round}-${writer}-${i}`
        const response = await server.attempt('create_firewall', { token, body: { name } })
        assert.ok([201, 401, 422, 503].includes(response.status), response.text)
        if (response.status === 201) written.push(name)
        if (response.status !== 503) continue
        assert.equal(response.headers.get('retry-after'), '1')
        // Sandbox control waits for the reset.
        await readClock()
      }
    })
    const response = await reset({ scenario: 'preemption' })
    isOver = true
    await Promise.all(writers)
    assert.equal(response.status, 200, response.text)
    const left = await names(world, '/preview/v2/firewalls')
    const added = left.filter((name) => !known.includes(name))
    assert.deepEqual(
      left.filter((name) => known.includes(name)),
      known,
    )
    assert.ok(added.every((name) => written.includes(name)))
    await assertAuditsPass(server)
  }
})

test('concurrent resets run one after another, and other sandbox control waits for them', async () => {
  const responses = await Promise.all([
    reset({ scenario: 'preemption' }),
    reset({ scenario: 'empty' }),
    server.attempt('load_scenario', { params: { name: 'quickstart' }, body: {} }),
    server.attempt('get_clock'),
    server.attempt('advance_clock', { body: { seconds: 30 } }),
    server.attempt('list_faults'),
  ])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  )
  await assertAuditsPass(server)
})

test('an operation of several transactions runs in one world or waits for the next', async () => {
  const world = await loadWorld(server, 'preemption')
  const { sku, pool } = world.ids as Record<string, string>
  const steps = {
    create_market_maker: ['/sandbox/makers', { sku, base_price_dollars_per_node_hour: '2.0' }],
    create_fault: ['/sandbox/faults', { kind: 'preempt', pool, sku, node_count: 1 }],
  } as const
  const ends = new Set<number>()
  for (let round = 0; round < sized(3); round++) {
    for (const [path, body] of Object.values(steps)) {
      const [response, loaded] = await Promise.all([
        server.request('POST', path, { token: server.platform_token, body }),
        reset({ scenario: 'preemption' }),
      ])
      assert.equal(loaded.status, 200)
      assert.ok(response.status < 500 || response.status === 503, `${path}: ${JSON.stringify(response.body)}`)
      ends.add(response.status)
    }
  }
  assert.ok(ends.has(201), [...ends].join())
  await assertAuditsPass(server)
})
