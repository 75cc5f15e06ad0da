import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { loadWorld, type World } from '../support/worlds.ts'

const server = await startTestServer()

const reset = (body: object = {}, token = server.platform_token) =>
  server.request('POST', '/sandbox/reset', { token, body })
const readClock = () => server.ok('GET', '/sandbox/clock')
const names = async (world: World, path: string): Promise<string[]> => {
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
  assert.equal((await server.request('POST', '/sandbox/reset', { token: null, body: {} })).status, 401)
})

test('after a reset each account that people use has an admin for whom its token makes a link', async () => {
  const { tokens } = await loadWorld(server, 'empty')
  for (const [account, name] of Object.entries({ acme: 'admin', bourse: 'operator' })) {
    const token = tokens[account] as string
    const { url } = await server.ok('POST', `/preview/v2/users/svc:user:${account}:${name}/sign_in_links`, { token })
    const page = await (await fetch(new URL(new URL(url).pathname, server.url))).text()
    assert.match(page, new RegExp(`signed in as ${name} .*\\(${account}\\)`))
  }
})

test('after a reset the printed ids and tokens are still valid, and everything else is gone', async () => {
  const before = await loadWorld(server, 'empty')
  const account = await server.account()
  const own = { token: before.tokens.acme as string }
  const { token: extra } = await server.ok('POST', '/preview/v2/tokens', { ...own, body: {} })
  await server.ok('POST', '/preview/v2/firewalls', { ...own, body: { name: 'mine' } })
  await server.ok('POST', '/sandbox/faults', {
    body: { kind: 'http_error', status: 500, operation: 'get_sku', times: 0 },
  })
  const { body } = await reset({ scenario: 'empty' }, account.token)
  const tokens = Object.fromEntries(body.accounts.map(({ id, token }: { id: string; token: string }) => [id, token]))
  assert.deepEqual(tokens, before.tokens)
  assert.equal(tokens.bourse, server.platform_token)
  for (const token of [account.token, extra]) {
    assert.equal((await server.request('GET', '/preview/v2/account', { token })).status, 401)
  }
  for (const token of Object.values(before.tokens)) {
    assert.equal((await server.request('GET', '/preview/v2/account', { token })).status, 200)
  }
  assert.deepEqual(await names(before, '/preview/v2/firewalls'), ['default'])
  assert.deepEqual((await server.ok('GET', '/sandbox/faults')).data, [])
  assert.deepEqual(
    (await server.ok('GET', '/preview/v2/admin/accounts')).data.map(({ id }: { id: string }) => id).sort(),
    ['acme', 'bourse'],
  )
  await assertAuditsPass(server)
})

test('a deleted printed token is valid again after a reset', async () => {
  const world = await loadWorld(server, 'empty')
  const token = world.tokens.acme as string
  const me = await server.ok('GET', '/preview/v2/account', { token })
  await server.ok('POST', '/preview/v2/tokens', { token, body: { roles: ['role_admin'] } })
  const { data } = await server.ok('GET', '/preview/v2/tokens', { token })
  const second = data.find(({ id }: { id: string }) => id !== me.token.id)
  const admin = { principal_type: 'token', principal_id: second.id, role: 'role_admin' }
  await server.ok('POST', '/preview/v2/grants', { token, body: admin })
  await server.ok('DELETE', `/preview/v2/tokens/${me.token.id}`, { token })
  await reset({ scenario: 'empty' })
  assert.equal((await server.ok('GET', '/preview/v2/account', { token })).token.id, me.token.id)
})

test('a reset works during a database_down fault and ends the fault', async () => {
  await server.ok('POST', '/sandbox/faults', { body: { kind: 'database_down', times: 0 } })
  const world = await loadWorld(server, 'quickstart')
  const { data } = await server.ok('GET', '/v2/instances?state=running', { token: world.tokens.acme as string })
  assert.ok(data.length >= 8)
})

test('event cursors from before a reset are 410, and new ones work', async () => {
  const world = await loadWorld(server, 'quickstart')
  const own = { token: world.tokens.acme as string }
  const old = await server.ok('GET', '/preview/v2/events?limit=5', own)
  const filtered = await server.ok('GET', '/preview/v2/events?limit=1&action=instance.created', own)
  const since = (cursor: string, filter = '') =>
    server.request('GET', `/preview/v2/events?starting_after=${cursor}${filter}`, own)
  assert.equal((await since(old.cursor)).status, 200)
  await reset()
  assert.deepEqual([(await since(old.cursor)).status, (await since(old.cursor)).body.error.type], [410, 'gone'])
  assert.equal((await since(filtered.cursor, '&action=instance.created')).status, 410)
  assert.equal((await since(filtered.cursor)).status, 400)
  const fresh = await server.ok('GET', '/preview/v2/events?limit=5', own)
  assert.notEqual(fresh.cursor, old.cursor)
  const rest = (await since(fresh.cursor)).body.data
  assert.ok(rest.length > 0)
})

test('a reset sets the clock to real time and its rate to 1', async () => {
  await server.advance(3 * 365 * 86_400)
  await server.ok('PUT', '/sandbox/clock/rate', { body: { rate: 50 } })
  await server.ok('POST', '/sandbox/clock/freeze')
  await reset({ scenario: 'empty' })
  const { now, real_now, frozen, rate } = await readClock()
  assert.ok(Math.abs(now - real_now) <= 1)
  assert.deepEqual([frozen, rate], [false, 1])
})

test('a new world has no idempotency keys, sequence numbers or lists of the old one', async () => {
  const send = (token: string, name: string) =>
    server.request('POST', '/preview/v2/firewalls', { token, body: { name }, headers: { 'Idempotency-Key': 'same' } })
  const world = await loadWorld(server, 'quickstart', { seed: 1 })
  const token = world.tokens.acme as string
  assert.equal((await send(token, 'one')).status, 201)
  const skus = await server.ok('GET', '/v2/skus', { token })
  const other = await loadWorld(server, 'quickstart', { seed: 2 })
  const again = await send(token, 'two')
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, null])
  const ids = (await server.ok('GET', '/v2/skus', { token })).data.map(({ id }: { id: string }) => id)
  assert.ok(ids.includes(other.ids.sku) && !ids.includes(skus.data[0].id))
  const [host] = (await server.ok('GET', '/preview/v2/hosts?limit=200')).data.toReversed()
  assert.equal(host.facts.hostname, 'simulated-1')
})

test('a write during a reset is in the old world or the new one, and never in between', async () => {
  const world = await loadWorld(server, 'quickstart')
  const token = world.tokens.acme as string
  const known = await names(world, '/preview/v2/firewalls')
  for (let round = 0; round < 2; round++) {
    let isOver = false
    const written: string[] = []
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; !isOver; i++) {
        const name = `w${round}-${writer}-${i}`
        const answer = await server.request('POST', '/preview/v2/firewalls', { token, body: { name } })
        assert.ok([201, 401, 422, 503].includes(answer.status), answer.text)
        if (answer.status === 201) written.push(name)
        if (answer.status !== 503) continue
        assert.equal(answer.headers.get('retry-after'), '1')
        // Sandbox control waits for the reset.
        await readClock()
      }
    })
    const answer = await reset({ scenario: 'quickstart' })
    isOver = true
    await Promise.all(writers)
    assert.equal(answer.status, 200, answer.text)
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
  const answers = await Promise.all([
    reset({ scenario: 'preemption' }),
    reset({ scenario: 'empty' }),
    server.request('POST', '/sandbox/scenarios/quickstart/load', { body: {} }),
    server.request('GET', '/sandbox/clock'),
    server.request('POST', '/sandbox/clock/advance', { body: { seconds: 30 } }),
    server.request('GET', '/sandbox/faults'),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
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
  for (let round = 0; round < 3; round++) {
    for (const [path, body] of Object.values(steps)) {
      const [answer, loaded] = await Promise.all([
        server.request('POST', path, { token: server.platform_token, body }),
        reset({ scenario: 'preemption' }),
      ])
      assert.equal(loaded.status, 200)
      assert.ok(answer.status < 500 || answer.status === 503, `${path}: ${JSON.stringify(answer.body)}`)
      ends.add(answer.status)
    }
  }
  assert.ok(ends.has(201), [...ends].join())
  await assertAuditsPass(server)
})
