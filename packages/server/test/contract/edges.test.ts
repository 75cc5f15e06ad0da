import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typesWithDetails } from '@bourse/api/kit/errors.ts'
import { codeOf } from '../support/access.ts'
import { startTestServer, type TestAnswer } from '../support/server.ts'
import { cases } from './cases.ts'
import { goodCall, type Operation, operations, pathOf, send, shapedCall, tokenFor } from './operations.ts'
import { makeWorld } from './world.ts'

type Parameter = { type?: string; 'x-not-null'?: boolean; 'x-code'?: string; 'x-code-always'?: boolean }
type Shape = { properties: Record<string, Parameter>; required?: string[] }

const server = await startTestServer()
const world = await makeWorld(server)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']
const lasting = operations.filter(({ name }) => !cases[name].ends_world)
const withBody = operations.filter(({ body }) => body)

function shapeOf(schema: unknown): Shape {
  return schema as Shape
}

/** The details of a refusal as `code field`. */
function faultsOf(answer: TestAnswer): string[] {
  return answer.body.error.details.map(({ code, field }: { code: string; field: string | null }) => `${code} ${field}`)
}

/** An error has its envelope, whatever it is about. */
function assertEnvelope({ body, status }: TestAnswer, label: string): void {
  assert.deepEqual(Object.keys(body), ['error'], label)
  const { type, message, details, ...more } = body.error
  assert.deepEqual(more, {}, label)
  assert.ok(message.length > 0, label)
  assert.ok(status >= 400, label)
  assert.equal(details?.length > 0, typesWithDetails.includes(type), label)
  for (const detail of details ?? []) assert.deepEqual(Object.keys(detail).sort(), ['code', 'field', 'message'], label)
}

type Wrong = { query?: string; body?: unknown; raw?: string; type?: string }

/** Calls an operation with something wrong about it, and sees that it is refused as it should be. */
async function assertRefused(operation: Operation, wrong: Wrong, faults: readonly string[]): Promise<void> {
  const call = shapedCall(operation)
  const path = pathOf(operation, call) + (wrong.query === undefined ? '' : `?${wrong.query}`)
  const body = 'body' in wrong ? wrong.body : call.body
  const sent = wrong.raw === undefined ? (body === undefined ? {} : { body }) : { raw: wrong.raw }
  const headers = wrong.type === undefined ? {} : { 'content-type': wrong.type }
  const answer = await server.request(operation.method, path, { token: tokenFor(world, operation), headers, ...sent })
  const label = `${operation.name} ${JSON.stringify(wrong).slice(0, 100)}`
  assert.ok(answer.status === 400 || answer.status === 413, `${label}: ${answer.status} ${answer.text}`)
  assert.deepEqual(faultsOf(answer).sort(), [...faults].sort(), label)
  assertEnvelope(answer, label)
}

test('a parameter that an operation does not have is refused', async () => {
  for (const operation of operations)
    await assertRefused(operation, { query: 'surprise=1' }, ['unknown_field surprise'])
})

test('a field that a body does not have is refused, whatever else is in it', async () => {
  for (const operation of withBody) {
    const body = { ...shapedCall(operation).body, surprise: null, __proto__x: 1 }
    await assertRefused(operation, { body }, ['unknown_field __proto__x', 'unknown_field surprise'])
  }
})

test('a parameter with one value stands once, and none is empty', async () => {
  for (const operation of operations) {
    for (const [name, { type }] of Object.entries(shapeOf(operation.query).properties)) {
      await assertRefused(operation, { query: `${name}=` }, [`invalid_format ${name}`])
      if (type === 'array') continue
      const value = type === 'integer' ? '1' : type === 'boolean' ? 'true' : 'x'
      await assertRefused(operation, { query: `${name}=${value}&${name}=${value}` }, [`repeated_parameter ${name}`])
    }
  }
})

test('what a body lacks is named field by field, also where nothing at all was sent', async () => {
  for (const operation of withBody) {
    const missing = (shapeOf(operation.body).required ?? []).map((field) => `required ${field}`)
    if (missing.length === 0) continue
    for (const body of [{}, undefined]) await assertRefused(operation, { body }, missing)
  }
})

test('null in a POST is nothing, in a PATCH or PUT it is a value', async () => {
  for (const operation of withBody.filter(({ name }) => !cases[name].ends_world)) {
    const { call, token } = await goodCall(world, operation)
    const { properties, required = [] } = shapeOf(operation.body)
    const open = Object.entries(properties).filter(([name]) => !required.includes(name) && !(name in (call.body ?? {})))
    const isNullable = ([, { type }]: [string, Parameter]) => [type].flat().includes('null')
    const isSecret = ([, own]: [string, Parameter]) => own['x-not-null'] === true
    const nulls = (some: typeof open) => Object.fromEntries(some.map(([name]) => [name, null]))
    const ask = (some: typeof open) =>
      send(server, operation, { ...call, body: { ...call.body, ...nulls(some) } }, token)
    if (operation.method !== 'POST') {
      for (const one of open.filter((own) => !isNullable(own))) {
        const code = one[1]['x-code-always'] ? one[1]['x-code'] : 'invalid_type'
        assert.equal(codeOf(await ask([one])), code, `${operation.name} ${one[0]}`)
      }
      continue
    }
    for (const one of open.filter(isSecret)) assert.equal(codeOf(await ask([one])), 'invalid_type', operation.name)
    const answer = await ask(open.filter((own) => !isSecret(own)))
    assert.ok(answer.status < 300, `${operation.name}: ${answer.text}`)
  }
})

test('a body is JSON in UTF-8, says so, and has at most 128 KiB', async () => {
  const media = ['unsupported_media_type Content-Type']
  for (const operation of withBody) {
    await assertRefused(operation, { raw: '{}', type: 'text/plain' }, media)
    await assertRefused(operation, { raw: '{}', type: 'application/json; charset=latin1' }, media)
    await assertRefused(operation, { raw: '{"a":' }, ['invalid_json null'])
    await assertRefused(operation, { raw: '[]' }, ['invalid_type null'])
    await assertRefused(operation, { raw: `{"a":"${'x'.repeat(2 ** 17)}"}` }, ['body_too_large null'])
  }
})

test('an operation without a body ignores what is sent as one', async () => {
  for (const operation of lasting.filter(({ body, method }) => !body && method !== 'GET')) {
    const { call, token } = await goodCall(world, operation)
    const headers = { 'content-type': 'text/plain' }
    const answer = await server.request(operation.method, pathOf(operation, call), { token, headers, raw: '{"a":' })
    assert.equal(answer.status, cases[operation.name].status ?? operation.success, `${operation.name}: ${answer.text}`)
  }
})

/** Whether another path, with a parameter where this one has a word, takes the method: the word is an id then. */
function isTaken(method: string, path: string): boolean {
  return operations.some((operation) => {
    const pattern = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/:]+')}$`)
    return operation.path !== path && operation.method === method && pattern.test(path)
  })
}

test('a method that a path does not have is refused with those that it has, without a look at the token', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const [first] = operations.filter((operation) => operation.path === path) as [Operation]
    const allowed = operations.filter((operation) => operation.path === path).map(({ method }) => method as string)
    if (allowed.includes('GET')) allowed.push('HEAD')
    for (const method of methods.filter((method) => !allowed.includes(method) && !isTaken(method, path))) {
      const answer = await server.request(method, pathOf(first, {}), { token: null })
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted(), `${method} ${path}`)
      if (method === 'HEAD') continue
      assertEnvelope(answer, `${method} ${path}`)
      assert.deepEqual(faultsOf(answer), ['method_not_allowed null'])
    }
  }
})

test('what has no route and what is no URL is refused in the envelope, without a look at the token', async () => {
  for (const [path, status, type] of [
    ['/', 404, 'not_found'],
    ['/v2', 404, 'not_found'],
    ['/v3/skus', 404, 'not_found'],
    ['/preview/v2/skus', 404, 'not_found'],
    ['/v2/events', 404, 'not_found'],
    ['/V2/skus', 404, 'not_found'],
    ['/v2//skus', 404, 'not_found'],
    ['/v2/skus/%zz', 400, 'invalid_request_error'],
    ['/%', 400, 'invalid_request_error'],
  ] as const) {
    for (const token of [null, world.account.token]) {
      const answer = await server.request('GET', path, { token })
      assert.deepEqual([answer.status, answer.body.error.type], [status, type], path)
      assertEnvelope(answer, path)
      assert.match(String(answer.headers.get('x-request-id')), /^req_/)
    }
  }
})

test('HEAD answers as GET does, without a body', async () => {
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { call, token } = await goodCall(world, operation)
    for (const by of [token, null]) {
      const got = await send(server, operation, call, by)
      const head = await server.request('HEAD', pathOf(operation, call) + (call.query ? `?${call.query}` : ''), {
        token: by,
      })
      assert.deepEqual([head.status, head.text], [got.status, ''], operation.name)
      const headers = (answer: TestAnswer) =>
        [...answer.headers.keys()].filter((name) => !/^(connection|keep-alive)$/.test(name))
      assert.deepEqual(headers(head), headers(got), operation.name)
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), operation.name)
    }
  }
})

test('every answer has its request id, and tells a valid token how much of its limit is left', async () => {
  const reportedTo = ({ headers }: TestAnswer) =>
    ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`))
  for (const operation of operations) {
    const call = shapedCall(operation)
    const stranger = await send(server, operation, call, null)
    assert.match(String(stranger.headers.get('x-request-id')), /^req_[0-9a-zA-Z_-]{21}$/, operation.name)
    assert.deepEqual(reportedTo(stranger), [null, null, null, null], operation.name)
    const sent = { ...call, query: 'surprise=1' }
    const answer = await send(server, operation, sent, tokenFor(world, operation), { 'X-Request-Id': 'A-z_0.9' })
    assert.equal(answer.headers.get('x-request-id'), 'A-z_0.9', operation.name)
    const [limit, remaining, reset, policy] = reportedTo(answer)
    if (operation.access === 'public') assert.equal(policy, null, operation.name)
    else {
      const name = operation.rate === 'none' ? 'write' : operation.rate
      assert.match(String(policy), new RegExp(`^"${name}";q=${limit};w=\\d+$`), operation.name)
      assert.ok(Number(remaining) <= Number(limit) && Number(reset) >= 0, operation.name)
    }
  }
})

test('a request id of another form than that of one is not taken over', async () => {
  for (const [id, isKept] of [
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a/b', false],
    ['ä', false],
  ] as const) {
    const answer = await server.request('GET', '/v2/skus', { headers: { 'X-Request-Id': id } })
    assert.equal(answer.headers.get('x-request-id') === id, isKept, id)
  }
})

test('answers that hold a secret are kept by nobody on the way, replays too', async () => {
  const secret = operations.filter(({ no_store }) => no_store).sort((a, b) => rank(a) - rank(b))
  assert.ok(secret.length >= 4)
  for (const operation of secret) {
    const { call, token: own } = await goodCall(world, operation)
    // A world that was wiped keeps the token that was printed, and no other.
    const token = cases[operation.name].ends_world ? server.platform_token : own
    const headers = operation.idempotent ? { 'Idempotency-Key': `secret-${operation.name}` } : {}
    for (const _ of operation.idempotent ? ['first', 'replay'] : ['first']) {
      const answer = await send(server, operation, call, token, headers)
      assert.ok(answer.status < 300, `${operation.name}: ${answer.text}`)
      assert.equal(answer.headers.get('cache-control'), 'no-store', operation.name)
    }
  }
})

function rank({ name }: Operation): number {
  return cases[name].ends_world ? 1 : 0
}
