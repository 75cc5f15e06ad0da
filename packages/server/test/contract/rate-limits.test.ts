import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { codeOf } from '../support/access.ts'
import { enrol, type TestAgent } from '../support/agents.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { noOtherLoopback, sendFrom } from '../support/other-loopback.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

/** The clock of the rate buckets. It moves only by tests. */
let milliseconds = 0
const server = await startTestServer({ rate_multiplier: 1, monotonic: () => milliseconds })

/** An account whose buckets are full. */
async function makeAccount() {
  milliseconds += 60_000
  const account = await server.account()
  milliseconds += 60_000
  return account
}

function read(token: string | null): Promise<TestResponse> {
  return server.attempt('list_skus', { token })
}

function write(token: string): Promise<TestResponse> {
  return server.attempt('check_permissions', { token, body: { actions: ['pool:read'] } })
}

function poll(token: string): Promise<TestResponse> {
  return server.attempt('list_events', { token })
}

function notified({ headers }: TestResponse): (string | null)[] {
  return ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`))
}

/** Sends calls one after the other. Returns the responses. */
async function repeat(count: number, call: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  for (let at = 0; at < count; at++) responses.push(await call())
  return responses
}

/** Sends calls concurrently. The clock does not move, so their order does not matter. */
function together(count: number, call: () => Promise<TestResponse>): Promise<TestResponse[]> {
  return Promise.all(Array.from({ length: count }, call))
}

function countOf(responses: readonly TestResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length
}

test('each rate class has its burst, and the refusal beyond it has Retry-After', async () => {
  const { token } = await makeAccount()
  for (const [call, burst, policy] of [
    [read, 200, '"read";q=200;w=4'],
    [write, 50, '"write";q=50;w=5'],
  ] as const) {
    const responses = await repeat(burst, () => call(token))
    assert.equal(countOf(responses, 200), burst)
    assert.deepEqual(notified(responses[0] as TestResponse), [`${burst}`, `${burst - 1}`, '1', policy])
    assert.deepEqual(notified(responses.at(-1) as TestResponse), [`${burst}`, '0', policy.at(-1), policy])
    const refused = await call(token)
    assert.equal(refused.status, 429)
    assert.deepEqual(Object.keys(refused.body.error), ['type', 'message'])
    assert.equal(refused.body.error.type, 'rate_limited')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.deepEqual(notified(refused), [`${burst}`, '0', policy.at(-1), policy])
  }
})

test('what is refused before authentication tells the bucket of its address', async () => {
  const { token } = await makeAccount()
  for (const [method, path, status] of [
    ['GET', '/v2/skus/%zz', 400],
    ['GET', `/v2/skus/${'x'.repeat(1025)}`, 400],
    ['GET', '/v2/nothing', 404],
    ['PUT', '/v2/skus', 405],
  ] as const) {
    milliseconds += 60_000
    const response = await server.request(method, path, { token })
    assert.equal(response.status, status)
    assert.deepEqual(notified(response), ['100', '99', '1', '"open";q=100;w=1'], path)
  }
})

test('what a token is refused for its network tells its bucket, and draws from none of its own', async () => {
  const { token } = await makeAccount()
  const { token: elsewhere } = await server.call('create_token', {
    token,
    body: { allowed_cidrs: ['192.0.2.0/24'], roles: ['role_viewer'] },
  })
  for (const [call, burst, policy] of [
    [read, 200, '"read";q=200;w=4'],
    [write, 50, '"write";q=50;w=5'],
  ] as const) {
    const refused = await call(elsewhere)
    assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [403, 'network_not_allowed'])
    assert.deepEqual(notified(refused), [`${burst}`, `${burst}`, '0', policy])
  }
})

test('reports of a host have a bucket of their own', async () => {
  const sku = await makeSku(server)
  const { token } = await server.call('create_host_enrolment', { body: { sku, uses: 2 } })
  const [busy, quiet] = [await enrol(server, token), await enrol(server, token)]
  const report = (agent: TestAgent) =>
    agent.attempt('report_host', { body: { epoch: 1, generation: 0, health: 'healthy', instances: [] } })
  const responses = await repeat(60, () => report(busy))
  assert.equal(countOf(responses, 200), 60)
  assert.equal(responses.at(-1)?.headers.get('ratelimit-policy'), '"reports";q=60;w=30')
  const refused = await report(busy)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  assert.equal((await report(quiet)).status, 200)
  assert.equal((await busy.attempt('get_desired_state')).status, 200)
  milliseconds += 500
  assert.equal((await report(busy)).status, 200)
})

test('an empty page of events costs half', async () => {
  const { token } = await makeAccount()
  const responses = await repeat(120, () => poll(token))
  assert.equal(countOf(responses, 200), 119)
  assert.equal(responses.at(-1)?.headers.get('ratelimit-policy'), '"events";q=60;w=6')
})

test('a client that obeys Retry-After is not refused again, however many clients wait', async () => {
  const { token } = await makeAccount()
  const started = milliseconds
  await together(200, () => read(token))
  const refused = await together(150, () => read(token))
  assert.equal(countOf(refused, 429), 150)
  const waits = refused.map(({ headers }) => Number(headers.get('retry-after')))
  assert.ok(Math.max(...waits) > 1)
  for (const seconds of waits.toSorted((a, b) => a - b)) {
    milliseconds = Math.max(milliseconds, started + seconds * 1000)
    const again = await read(token)
    assert.equal(again.status, 200, `after ${seconds} s`)
  }
})

test('all tokens of an account share four times the limit of one, independent of other accounts', async () => {
  const account = await makeAccount()
  const tokens = [account.token]
  for (let at = 0; at < 4; at++) {
    tokens.push((await server.call('create_token', { token: account.token, body: {} })).token)
  }
  milliseconds += 60_000
  for (const token of tokens.slice(0, 4)) assert.equal(countOf(await together(200, () => read(token)), 200), 200)
  const refused = await read(tokens[4] as string)
  assert.equal(refused.status, 429)
  assert.deepEqual(notified(refused), ['800', '0', '4', '"read";q=800;w=4'])
  milliseconds += 20
  assert.equal((await read((await server.account()).token)).status, 200)
})

test('the rate limit is checked after authentication and before the validation of the request', async () => {
  const { token } = await makeAccount()
  await together(200, () => read(token))
  for (const [path, by, status] of [
    ['/v2/skus?surprise=1', token, 429],
    ['/v2/skus/sku_absent', token, 429],
    ['/v2/skus', null, 401],
    ['/v2/skus', `${token}x`, 401],
    ['/healthz', token, 200],
    ['/version', null, 200],
  ] as const) {
    assert.equal((await server.request('GET', path, { token: by })).status, status, path)
  }
  assert.equal((await server.request('PUT', '/v2/skus', { token })).status, 405)
  assert.equal((await write(token)).status, 200)
})

test('HEAD uses the same bucket as GET', async () => {
  const { token } = await makeAccount()
  const heads = await together(200, () => server.request('HEAD', '/v2/skus', { token }))
  assert.equal(countOf(heads, 200), 200)
  assert.equal((await read(token)).status, 429)
})

test('delete_deployment is never rate limited, and returns the write limit without using it', async () => {
  const { token } = await makeAccount()
  const remove = () => server.attempt('delete_deployment', { params: { id: 'depl_absent' }, token })
  const before = await together(20, remove)
  assert.equal(countOf(before, 404), 20)
  assert.deepEqual(notified(before.at(-1) as TestResponse), ['50', '50', '0', '"write";q=50;w=5'])
  await together(60, () => write(token))
  const after = await together(20, remove)
  assert.equal(countOf(after, 404), 20)
  assert.deepEqual(notified(after.at(-1) as TestResponse), ['50', '0', '5', '"write";q=50;w=5'])
})

test('beyond the budget of its address, a request without a valid token gets 401 with Retry-After', async () => {
  const { token } = await makeAccount()
  const fail = () => read('no token')
  const within = await together(10, fail)
  for (const { status, headers } of within) assert.deepEqual([status, headers.get('retry-after')], [401, null])
  for (const { status, headers, body } of await together(30, fail)) {
    assert.equal(status, 401)
    assert.equal(headers.get('www-authenticate'), 'Bearer')
    assert.ok(Number(headers.get('retry-after')) >= 5)
    assert.equal(body.error.type, 'authentication_error')
  }
  assert.equal(countOf(await together(100, () => read(token)), 200), 100)
  milliseconds += 5_000
  assert.equal((await fail()).headers.get('retry-after'), null)
  assert.notEqual((await fail()).headers.get('retry-after'), null)
})

test('the use of a URL from a network that its token does not allow counts', leftOut(noOtherLoopback), async () => {
  const { token: maker } = await makeAccount()
  const body = { allowed_cidrs: ['127.0.0.1/32'], roles: ['role_admin'] }
  const { token } = await server.call('create_token', { token: maker, body })
  const { id } = await server.call('create_image', { token, body: { name: 'base' } })
  const { url } = await server.call('create_image_part', { params: { id }, token, body: { part_id: 1 } })
  const headers = { 'Content-Length': 0 }
  const send = () => sendFrom('127.0.0.2', server, url, { method: 'PUT', headers })
  for (let count = 0; count < 11; count++) {
    const refused = await send()
    assert.deepEqual([refused.status, refused.headers['x-error-code']], [403, 'network_not_allowed'])
    assert.equal(refused.headers['retry-after'] !== undefined, count === 10)
  }
})

/** Sends calls at once. Then sends a call of somebody else, and returns how many of the former had ended before it. */
async function endedBefore(count: number, call: () => Promise<TestResponse>, other: () => Promise<TestResponse>) {
  let ended = 0
  const sent = Array.from({ length: count }, async () => {
    const response = await call()
    ended++
    return response
  })
  const { status } = await other()
  const before = ended
  return { before, status, responses: await Promise.all(sent) }
}

test('a client that goes on after many refusals gets them later, and nobody else waits', async () => {
  const { token } = await makeAccount()
  const neighbour = await server.account()
  await together(200, () => read(token))
  await together(100, () => read(token))
  const { before, status, responses } = await endedBefore(
    40,
    () => read(token),
    () => write(neighbour.token),
  )
  assert.deepEqual([status, countOf(responses, 429)], [200, 40])
  assert.ok(before < 30, `${before} refusals came at once`)
})

test('an account that sends many large bodies waits, and nobody else does', async () => {
  const { token } = await makeAccount()
  const neighbour = await server.account()
  const body = { actions: [], padding: 'x'.repeat(100_000) }
  const large = () => server.attempt('check_permissions', { token, body })
  await together(8, large)
  const { before, status, responses } = await endedBefore(12, large, () => write(neighbour.token))
  assert.deepEqual([status, countOf(responses, 400)], [200, 12])
  assert.ok(before < 8, `${before} bodies were read at once`)
})

test('many requests without a token are held, and requests with a token are not', async () => {
  const { token } = await makeAccount()
  const absent = () => server.request('GET', '/absent', { token: null })
  await together(100, absent)
  const { before, status, responses } = await endedBefore(60, absent, () => write(token))
  assert.deepEqual([status, countOf(responses, 404)], [200, 60])
  assert.ok(before < 50, `${before} refusals came at once`)
})

test('a rate-limited write has no effect, and its key is free', async () => {
  const { token } = await makeAccount()
  await together(50, () => write(token))
  const make = () => server.attempt('create_firewall', { token, body: {}, headers: { 'Idempotency-Key': 'late' } })
  assert.equal(codeOf(await make()), 'rate_limited')
  milliseconds += 1_000
  const made = await make()
  assert.deepEqual([made.status, made.headers.get('idempotency-replayed')], [201, null])
})

test('the limits of a sandbox are a hundred times as high', async () => {
  const server = await startTestServer()
  const { token } = await server.account()
  const response = await server.attempt('list_skus', { token })
  assert.equal(response.headers.get('ratelimit-policy'), '"read";q=20000;w=4')
})
