import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { codeOf } from '../support/access.ts'
import { makeLaunchPad } from '../support/fixtures/fleet.ts'
import { bytesOf, uploadImage } from '../support/fixtures/images.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { makeUser } from '../support/fixtures/people.ts'
import { makeSpotMarket, spotPath } from '../support/fixtures/spot.ts'
import { noOtherLoopback, sendFrom } from '../support/other-loopback.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const path = '/preview/v2/tokens'
const firewalls = '/preview/v2/firewalls'

type LimitedToken = { id: string; token: string; allowed_cidrs: string[] | null; resources: string[] | null }

function ask(body: object, by: TestAccount | LimitedToken = account) {
  return server.attempt('create_token', { token: by.token, body: { roles: ['role_admin'], ...body } })
}

async function make(body: object, by: TestAccount | LimitedToken = account): Promise<LimitedToken> {
  const response = await ask(body, by)
  assert.equal(response.status, 201, response.text)
  return response.body
}

/** Creates a limited token with the admin role for the whole account. */
async function makeAdmin(body: object): Promise<LimitedToken> {
  const made = await make(body)
  const grant = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: account.token, body: grant })
  return made
}

const firewall = (name: string, token = account.token) =>
  server.attempt('create_firewall', { token, body: { name, rules: [] } })
const pathOf = (name: string) => `svc:firewall:${account.id}:default:${name}`
const status = async (method: string, at: string, { token }: { token: string }, body?: object) =>
  (await server.request(method, at, { token, ...(body ? { body } : {}) })).status

test('allowed_cidrs: a token works from its networks and nowhere else, also over streams', async () => {
  const here = await make({ allowed_cidrs: ['127.0.0.0/8', '::1/128', '127.0.0.0/8'] })
  assert.deepEqual(here.allowed_cidrs, ['127.0.0.0/8', '::1/128'])
  assert.equal(await status('GET', '/preview/v2/account', here), 200)
  for (const allowed_cidrs of [['203.0.113.0/24'], ['::/0'], ['::1/128', '127.0.0.2/32']]) {
    const away = await make({ allowed_cidrs })
    for (const [method, at] of [
      ['GET', '/preview/v2/account'],
      ['GET', '/preview/v2/events'],
      ['DELETE', `${path}/${away.id}`],
    ] as const) {
      const refused = await server.request(method, at, { token: away.token })
      assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'], at)
      assert.match(refused.text, /may not be used from your network address/)
    }
    const stream = await fetch(`${server.url}/preview/v2/events`, {
      headers: { Authorization: `Bearer ${away.token}`, Accept: 'text/event-stream' },
    })
    assert.equal(stream.status, 403)
    await stream.body?.cancel()
  }
  const everywhere = await make({ allowed_cidrs: ['0.0.0.0/0'] })
  assert.equal(await status('GET', '/preview/v2/account', everywhere), 200)
})

test('allowed_cidrs: the address of the connection counts, and no header', async () => {
  const { token } = await make({ allowed_cidrs: ['203.0.113.0/24'] })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const forged = ['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=203.0.113.9', 'X-Real-IP: 203.0.113.9']
  const head = ['GET /preview/v2/account HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`, ...forged]
  socket.write([...head, 'Connection: close', '', ''].join('\r\n'))
  const response = (await socket.toArray()).join('')
  assert.match(response, /^HTTP\/1.1 403/)
})

test('allowed_cidrs: a URL of an image counts from the networks of its token', leftOut(noOtherLoopback), async () => {
  const { id } = await uploadImage({ server, token: account.token }, [bytesOf(1000, 'a')])
  const here = await make({ allowed_cidrs: ['127.0.0.1/32'] })
  const { url } = await server.call('get_image_download', { params: { id }, token: here.token })
  const send = async (address: string, at: string, options?: Parameters<typeof sendFrom>[3]) => {
    const { status, headers } = await sendFrom(address, server, at, options)
    return [status, headers['x-error-code']]
  }
  const headers = { Authorization: `Bearer ${here.token}` }
  const refused = [403, 'network_not_allowed']
  assert.deepEqual(await send('127.0.0.1', '/preview/v2/account', { headers }), [200, undefined])
  assert.deepEqual(await send('127.0.0.2', '/preview/v2/account', { headers }), refused)
  assert.deepEqual(await send('127.0.0.1', url), [200, undefined])
  assert.deepEqual(await send('127.0.0.2', url), refused)
  const image = await server.call('create_image', { token: here.token, body: { name: 'away' } })
  const part = { params: { id: image.id }, body: { part_id: 1 }, token: here.token }
  const { url: partUrl } = await server.call('create_image_part', part)
  const put = { method: 'PUT', headers: { 'Content-Length': 0 } }
  assert.deepEqual(await send('127.0.0.2', partUrl, put), refused)
  const recorded = await eventually('each use from elsewhere is recorded', async () => {
    const query = { actor: here.id, outcome: 'refused' } as const
    const { data } = await server.call('list_audit_entries', { query, token: account.token })
    return data.length === 3 && data
  })
  const entries = recorded.map(({ operation, code, address, targets }) => [operation, code, address, targets])
  assert.deepEqual(entries.sort(), [
    ['create_image_part', 'network_not_allowed', '127.0.0.2', [{ type: 'image', id: image.id }]],
    ['get_account', 'network_not_allowed', '127.0.0.2', []],
    ['get_image_download', 'network_not_allowed', '127.0.0.2', [{ type: 'image', id }]],
  ])
})

test('limits that are no networks or resources are refused, each by its place', async () => {
  for (const [body, code, field] of [
    [{ allowed_cidrs: ['10.0.0.0/8', '10.0.0.1/8'] }, 'invalid_cidr', 'allowed_cidrs.1'],
    [{ allowed_cidrs: ['::ffff:10.0.0.0/104'] }, 'invalid_cidr', 'allowed_cidrs.0'],
    [{ allowed_cidrs: ['2001:0db8::/32'] }, 'invalid_cidr', 'allowed_cidrs.0'],
    [{ allowed_cidrs: [] }, 'required', 'allowed_cidrs'],
    [{ allowed_cidrs: Array.from({ length: 17 }, (_, index) => `10.${index}.0.0/16`) }, 'too_many', 'allowed_cidrs'],
    [{ resources: ['svc:firewall:acme:*:x'] }, 'invalid_format', 'resources.0'],
    [{ resources: ['frwl_a', 'svc:firewall:acme:default:../x'] }, 'invalid_format', 'resources.1'],
    [{ resources: Array.from({ length: 65 }, (_, index) => `frwl_${index}`) }, 'too_many', 'resources'],
  ] as const) {
    const refused = await ask(body)
    assert.deepEqual(
      [refused.status, codeOf(refused), refused.body.error.details[0].field],
      [400, code, field],
      JSON.stringify(body),
    )
  }
})

test('resources: other resources appear to be absent, and lists show only those that match', async () => {
  const names = ['web-1', 'web-2', 'Web-3', 'my-web-4', 'db']
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await firewall(name)).body.id)
  const own = await make({ resources: [pathOf('web-*'), String(ids.get('db'))] })
  const { data } = await server.call('list_firewalls', { query: { limit: 200 }, token: own.token })
  assert.deepEqual(data.map(({ name }) => name).sort(), ['db', 'web-1', 'web-2'])
  for (const ref of ['web-1', 'db']) {
    assert.equal(await status('GET', `${firewalls}/${ids.get(ref)}`, own), 200)
    assert.equal(await status('GET', `${firewalls}/${pathOf(ref)}`, own), 200)
  }
  for (const ref of ['Web-3', 'my-web-4']) {
    for (const at of [`${firewalls}/${ids.get(ref)}`, `${firewalls}/${pathOf(ref)}`]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['DELETE', undefined],
        ['PATCH', { name: 'web-9' }],
      ] as const) {
        assert.equal(await status(method, at, own, body), 404, `${method} ${at}`)
      }
    }
  }
  const { data: none } = await server.call('list_firewalls', {
    query: { id: [ids.get('Web-3') as string] },
    token: own.token,
  })
  assert.deepEqual(none, [])
  assert.equal(await status('DELETE', `${firewalls}/${ids.get('web-2')}`, own), 204)
})

test('resources: a path follows the name, an id the resource, and names that do not match are refused', async () => {
  const named = (await firewall('blue-1')).body
  const byPath = await make({ resources: [pathOf('blue-*')] })
  const byId = await make({ resources: [named.id] })
  const rename = (name: string, by: { token: string }) => status('PATCH', `${firewalls}/${named.id}`, by, { name })
  assert.equal(await rename('green-1', byPath), 403)
  assert.equal(await rename('blue-2', byPath), 200)
  assert.equal(await rename('green-1', account), 200)
  assert.equal(await status('GET', `${firewalls}/${named.id}`, byPath), 404)
  assert.equal(await status('GET', `${firewalls}/${named.id}`, byId), 200)
  assert.equal(await rename('green-2', byId), 200)
  for (const [name, expected] of [
    ['blue-7', 201],
    ['Blue-8', 403],
    ['red', 403],
    ['xblue-9', 403],
  ] as const) {
    assert.equal((await firewall(name, byPath.token)).status, expected, name)
  }
  assert.equal((await firewall('red', byId.token)).status, 403)
})

test('resources: a token acts on the account and on other kinds in no way', async () => {
  const own = await makeAdmin({ resources: [pathOf('web-*')] })
  // Events of the account itself.
  for (const trust_level of ['basic', 'trusted'] as const)
    await server.call('set_trust_level', { params: { account: account.id }, body: { trust_level } })
  const pool = await server.call('create_pool', { token: account.token, body: { name: 'main' } })
  const user = await makeUser(server, account)
  const sku = await server.call('create_sku', { body: {} })
  for (const [method, at, expected, body] of [
    ['GET', '/preview/v2/users', 403],
    ['GET', '/preview/v2/billing/balance', 403],
    ['GET', '/preview/v2/roles', 403],
    ['GET', '/preview/v2/webhooks', 403],
    ['GET', `/v2/pools/${pool.id}`, 404],
    ['POST', '/v2/pools', 403, { name: 'web-1' }],
    ['POST', '/v2/workspaces', 403, { name: 'web-1' }],
    ['POST', '/preview/v2/users', 403, { email: 'x@example.com' }],
    ['POST', `/preview/v2/users/${user.id}/sign_in_links`, 403],
    ['POST', '/preview/v2/billing/budgets', 403, { period: 'month', amount_dollars: '0.01', hard_stop: true }],
    ['POST', '/preview/v2/grants', 403, { principal_type: 'user', principal_id: user.id, role: 'role_viewer' }],
    ['POST', '/preview/v2/host_enrolments', 403, { sku: 'sku_0' }],
    ['POST', '/sandbox/images', 403, { name: 'web-1' }],
    ['POST', '/sandbox/hosts', 403, { sku: sku.id, count: 1 }],
    ['GET', `${path}/${(await make({})).id}`, 404],
    ['GET', `${path}/${own.id}`, 200],
  ] as const) {
    assert.equal(await status(method, at, own, body), expected, `${method} ${at}`)
  }
  const listed = async (at: string) => (await server.ok('GET', at, { token: own.token })).data
  assert.deepEqual(await listed('/v2/pools'), [])
  assert.deepEqual(await listed(path), [])
  assert.deepEqual(await listed('/v2/workspaces'), [])
  const events = ['', '?target_type=account', '?action=trust_level.updated', `?target=${account.id}`, '?since=1']
  for (const query of events) assert.deepEqual(await listed(`/preview/v2/events${query}`), [], query)
  const { data: grants } = await server.call('list_grants', { token: own.token })
  assert.deepEqual(
    grants.map((grant) => grant.principal_id),
    [own.id, own.id],
  )
})

test('a token is at least as limited as its maker, by default just as', async () => {
  const resources = [pathOf('a-*')]
  const maker = await make({ allowed_cidrs: ['127.0.0.0/8'], resources })
  const same = await make({}, maker)
  assert.deepEqual([same.allowed_cidrs, same.resources], [['127.0.0.0/8'], resources])
  const narrower = { allowed_cidrs: ['127.0.0.1/32'], resources: [pathOf('a-b*'), pathOf('a-c')] }
  assert.deepEqual((await make(narrower, maker)).resources, narrower.resources)
  for (const wider of [
    { allowed_cidrs: ['127.0.0.0/7'.replace('127', '126')] },
    { allowed_cidrs: ['127.0.0.1/32', '::1/128'] },
    { resources: [pathOf('*')] },
    { resources: [pathOf('a-b'), 'frwl_1'] },
  ]) {
    const refused = await ask(wider, maker)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'], JSON.stringify(wider))
  }
})

test('a limited token gives rights to nobody else, ends no token that is limited less, and replays none', async () => {
  const near = await makeAdmin({ allowed_cidrs: ['127.0.0.0/8'] })
  const user = await makeUser(server, account)
  const grant = { principal_type: 'user', principal_id: user.id, role: 'role_viewer' }
  assert.equal(await status('POST', '/preview/v2/grants', near, grant), 403)
  assert.equal(await status('POST', `/preview/v2/users/${user.id}/sign_in_links`, near), 403)
  const other = await make({})
  assert.equal(await status('DELETE', `${path}/${other.id}`, near), 403)
  assert.equal(await status('DELETE', `${path}/${(await make({}, near)).id}`, near), 204)
  const headers = { 'Idempotency-Key': 'limits' }
  const body = { roles: ['role_viewer'] }
  const first = await server.attempt('create_token', { token: account.token, body, headers })
  assert.equal(first.status, 201)
  const replayed = await server.attempt('create_token', { token: near.token, body, headers })
  assert.deepEqual([replayed.status, replayed.text.includes(first.body.token)], [403, false])
})

test('a token that is limited to resources gets no stored response of another token', async () => {
  const headers = { 'Idempotency-Key': 'stored' }
  const body = { name: 'stored-1', rules: [] }
  const first = await server.attempt('create_firewall', { token: account.token, body, headers })
  assert.equal(first.status, 201)
  const { token } = await make({ resources: [pathOf('web-*')] })
  const replayed = await server.attempt('create_firewall', { token, body, headers })
  assert.deepEqual([replayed.status, codeOf(replayed)], [422, 'idempotency_key_reused'])
})

test('resources: a token for one deployment changes it and nothing else', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer } = spot
  const at = (kind: string, name: string) => `svc:${kind}:${buyer.id}:default:${name}`
  const post = (path: string, body: object, token = buyer.token) => server.request('POST', path, { token, body })
  const pools = await Promise.all(
    ['two', 'three'].map(async (name) => (await post('/v2/pools', { name })).body.id as string),
  )
  const create = async (name: string, pool: string) => {
    const made = await post(spotPath, spot.spotBody({ name, pool, target_instance_count: 1 }))
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const [mine, other] = [await create('web-a', buyer.pool), await create('batch', String(pools[0]))]
  const own = await make({ resources: [at('deployment', 'web-*'), spot.template] }, buyer)
  const list = await server.call('list_deployments', { token: own.token })
  assert.deepEqual(
    list.data.map(({ name }) => name),
    ['web-a'],
  )
  const raise = (id: string) => status('PATCH', `${spotPath}/${id}`, own, { target_instance_count: 2 })
  assert.deepEqual([await raise(mine.id), await raise(other.id)], [200, 404])
  const second = spot.spotBody({ name: 'web-b', pool: String(pools[1]), target_instance_count: 1 })
  const refused = await post(spotPath, second, own.token)
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'reference_not_found'], refused.text)
  const { image } = await server.call('get_instance_template', { params: { id: spot.template }, token: buyer.token })
  const used = [spot.template, image.id, String(pools[1])]
  const wider = await make({ resources: [at('deployment', 'web-*'), ...used] }, buyer)
  const unnamed = await post(spotPath, { ...second, name: 'batch-b' }, wider.token)
  assert.equal(unnamed.status, 403, unnamed.text)
  assert.equal((await post(spotPath, second, wider.token)).status, 201)
})

test('resources: an order needs its pool among them, also by its id', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const bid = { ...market.body(buyer, { allow_standing: true, price: '0.100000' }) }
  const order = (token: string) => server.attempt('create_order', { token, body: bid })
  const without = await make({ resources: ['pool_x'] }, buyer)
  const refused = await order(without.token)
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'reference_not_found'])
  const own = await make({ resources: [buyer.pool] }, buyer)
  const placed = await order(own.token)
  assert.equal(placed.status, 201, placed.text)
  assert.equal(await status('GET', `/v2/orders/${placed.body.id}`, own), 404)
})

test('resources: the successor of an instance needs a name among them, and its image', async () => {
  const pad = await makeLaunchPad(server, account)
  const least = { pool: pad.pool, sku: pad.cold, image: pad.image }
  const create = (name: string) => server.call('create_instance', { token: account.token, body: { ...least, name } })
  const old = await create('shop-1')
  const pattern = `svc:instance:${account.id}:default:shop-*`
  const replace = (token: string, name: string) =>
    server.attempt('replace_instance', { params: { id: old.id }, token, body: { image: pad.image, name } })
  const imageless = await make({ resources: [pattern] })
  const refused = await replace(imageless.token, 'shop-2')
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'image_not_available'])
  const own = await make({ resources: [pattern, pad.image] })
  assert.equal((await replace(own.token, 'store-2')).status, 403)
  assert.equal((await replace(own.token, 'shop-2')).status, 201)
  const elsewhere = await make({ resources: [`svc:instance:${account.id}:default:store-*`, pad.image] })
  const shop = await create('shop-3')
  const foreign = await server.attempt('replace_instance', {
    params: { id: shop.id },
    token: elsewhere.token,
    body: { image: pad.image, name: 'store-3' },
  })
  assert.equal(foreign.status, 404)
})
