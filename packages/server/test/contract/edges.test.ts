import assert from 'node:assert/strict'
import { typesWithDetails } from '@bourse/api/kit/errors.ts'
import { test } from 'vitest'
import { codeOf } from '../support/access.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'
import type { CaseCall } from './case.ts'
import { cases } from './cases.ts'
import { goodCall, type NamedEndpoint, operations, pathOf, send, shapedCall, tokenFor } from './operations.ts'
import { pageCalls } from './page-calls.ts'
import { makeWorld } from './world.ts'

type EdgeParameter = { type?: string; 'x-not-null'?: boolean; 'x-code'?: string; 'x-code-always'?: boolean }
type BodyShape = { properties: Record<string, EdgeParameter>; required?: string[] }

const server = await startTestServer()
const world = await makeWorld(server)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']
const lasting = operations.filter(({ name }) => !cases[name].ends_world)
const withBody = operations.filter(({ body }) => body)

function shapeOf(schema: unknown): BodyShape {
  return schema as BodyShape
}

/** The details of a refusal as `code field`. */
function faultsOf(response: TestResponse): string[] {
  return response.body.error.details.map(
    ({ code, field }: { code: string; field: string | null }) => `${code} ${field}`,
  )
}

/** Asserts that an error has its envelope. */
function assertEnvelope({ body, status }: TestResponse, label: string): void {
  assert.deepEqual(Object.keys(body), ['error'], label)
  const { type, message, details, ...more } = body.error
  assert.deepEqual(more, {}, label)
  assert.ok(message.length > 0, label)
  assert.ok(status >= 400, label)
  assert.equal(details?.length > 0, typesWithDetails.includes(type), label)
  for (const detail of details ?? []) assert.deepEqual(Object.keys(detail).sort(), ['code', 'field', 'message'], label)
}

type PreparedCall = {
  call: CaseCall
  ask: (body: object | undefined, headers?: Record<string, string>) => Promise<TestResponse>
}

/** A call that succeeds, and how to send it with a body: from a page of the server if it works only there. */
async function prepare(operation: NamedEndpoint): Promise<PreparedCall> {
  const onPage = await pageCalls[operation.name]?.(world)
  if (onPage) {
    const { browser, call } = onPage
    return { call, ask: (body, headers) => browser.ask(operation.method, pathOf(operation, call), body, headers) }
  }
  const { call, token: own } = await goodCall(world, operation)
  // A wiped world keeps only the printed token.
  const token = cases[operation.name].ends_world ? server.platform_token : own
  return {
    call,
    ask: (body, headers) => send(server, operation, { ...call, ...(body ? { body } : {}) }, token, headers),
  }
}

type WrongInput = { query?: string; body?: unknown; raw?: string; type?: string }

/** Sends an invalid call of an operation, and asserts the refusal. */
async function assertRefused(operation: NamedEndpoint, wrong: WrongInput, faults: readonly string[]): Promise<void> {
  const call = shapedCall(operation)
  const path = pathOf(operation, call) + (wrong.query === undefined ? '' : `?${wrong.query}`)
  const body = 'body' in wrong ? wrong.body : call.body
  const sent = wrong.raw === undefined ? (body === undefined ? {} : { body }) : { raw: wrong.raw }
  const headers = wrong.type === undefined ? {} : { 'content-type': wrong.type }
  const response = await server.request(operation.method, path, { token: tokenFor(world, operation), headers, ...sent })
  const label = `${operation.name} ${JSON.stringify(wrong).slice(0, 100)}`
  assert.ok([400, 413, 415].includes(response.status), `${label}: ${response.status} ${response.text}`)
  assert.deepEqual(faultsOf(response).sort(), [...faults].sort(), label)
  assertEnvelope(response, label)
}

test('an unknown parameter is refused', async () => {
  for (const operation of operations)
    await assertRefused(operation, { query: 'surprise=1' }, ['unknown_field surprise'])
})

test('an unknown field of a body is refused, whatever else the body has', async () => {
  for (const operation of withBody) {
    const body = { ...shapedCall(operation).body, surprise: null, __proto__x: 1 }
    await assertRefused(operation, { body }, ['unknown_field __proto__x', 'unknown_field surprise'])
  }
})

test('a repeated single-valued parameter and an empty parameter are refused', async () => {
  for (const operation of operations) {
    for (const [name, { type }] of Object.entries(shapeOf(operation.query).properties)) {
      await assertRefused(operation, { query: `${name}=` }, [`invalid_format ${name}`])
      if (type === 'array') continue
      const value = type === 'integer' ? '1' : type === 'boolean' ? 'true' : 'x'
      await assertRefused(operation, { query: `${name}=${value}&${name}=${value}` }, [`repeated_parameter ${name}`])
    }
  }
})

test('each missing field of a body is named, also without a body', async () => {
  for (const operation of withBody) {
    const missing = (shapeOf(operation.body).required ?? []).map((field) => `required ${field}`)
    if (missing.length === 0) continue
    for (const body of [{}, undefined]) await assertRefused(operation, { body }, missing)
  }
})

test('null in a POST counts as absent, in a PATCH or PUT it is a value', async () => {
  for (const operation of withBody.filter(({ name }) => !cases[name].ends_world)) {
    const { call, ask: askWith } = await prepare(operation)
    const { properties, required = [] } = shapeOf(operation.body)
    const open = Object.entries(properties).filter(([name]) => !required.includes(name) && !(name in (call.body ?? {})))
    const isNullable = ([, { type }]: [string, EdgeParameter]) => [type].flat().includes('null')
    const isSecret = ([, own]: [string, EdgeParameter]) => own['x-not-null'] === true
    const nulls = (some: typeof open) => Object.fromEntries(some.map(([name]) => [name, null]))
    const ask = (some: typeof open) => askWith({ ...call.body, ...nulls(some) })
    if (operation.method !== 'POST') {
      for (const one of open.filter((own) => !isNullable(own))) {
        const code = one[1]['x-code-always'] ? one[1]['x-code'] : 'invalid_type'
        assert.equal(codeOf(await ask([one])), code, `${operation.name} ${one[0]}`)
      }
      continue
    }
    for (const one of open.filter(isSecret)) assert.equal(codeOf(await ask([one])), 'invalid_type', operation.name)
    const response = await ask(open.filter((own) => !isSecret(own)))
    assert.ok(response.status < 300, `${operation.name}: ${response.text}`)
  }
})

test('a body must be JSON in UTF-8 with its content type, and no longer than its operation allows', async () => {
  const media = ['unsupported_media_type Content-Type']
  for (const operation of withBody) {
    await assertRefused(operation, { raw: '{}', type: 'text/plain' }, media)
    await assertRefused(operation, { raw: '{}', type: 'application/json; charset=latin1' }, media)
    await assertRefused(operation, { raw: '{"a":' }, ['invalid_json null'])
    await assertRefused(operation, { raw: '[]' }, ['invalid_type null'])
    await assertRefused(operation, { raw: `{"a":"${'x'.repeat(operation.body_bytes_max)}"}` }, ['body_too_large null'])
  }
})

test('a body may have a byte order mark and the coding identity; another coding is 415', async () => {
  const url = '/v2/workspaces'
  const post = (raw: string, coding?: string) =>
    server.request('POST', url, {
      token: world.account.token,
      raw,
      headers: { 'content-type': 'application/json', ...(coding === undefined ? {} : { 'content-encoding': coding }) },
    })
  const body = (name: string) => `{"name":"${name}"}`
  assert.equal((await post(`\ufeff${body('marked')}`)).body.name, 'marked')
  assert.equal((await post(body('plain'), 'Identity')).body.name, 'plain')
  assert.deepEqual(faultsOf(await post(`\ufeff\ufeff${body('twice')}`)), ['invalid_json null'])
  for (const coding of ['gzip', 'identity, gzip', 'br', 'x']) {
    const response = await post(body('packed'), coding)
    assert.deepEqual([response.status, ...faultsOf(response)], [415, 'unsupported_media_type Content-Encoding'], coding)
    assert.equal(response.headers.get('accept-encoding'), 'identity', coding)
  }
  const other = await server.request('POST', url, {
    token: world.account.token,
    raw: body('other'),
    headers: { 'content-type': 'text/plain' },
  })
  assert.deepEqual([other.status, other.headers.get('accept-encoding')], [415, null])
})

test('an operation without a body ignores a sent body', async () => {
  for (const operation of lasting.filter(({ body, method }) => !body && method !== 'GET')) {
    const { call, token } = await goodCall(world, operation)
    const headers = { 'content-type': 'text/plain' }
    const response = await server.request(operation.method, pathOf(operation, call), { token, headers, raw: '{"a":' })
    assert.equal(
      response.status,
      cases[operation.name].status ?? operation.success,
      `${operation.name}: ${response.text}`,
    )
  }
})

/** Whether the method exists on another path with a parameter in place of a word. The word is then an id. */
function isTaken(method: string, path: string): boolean {
  return operations.some((operation) => {
    const pattern = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/:]+')}$`)
    return operation.path !== path && operation.method === method && pattern.test(path)
  })
}

test('an unknown method of a path is refused with the known ones, before authentication', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const [first] = operations.filter((operation) => operation.path === path) as [NamedEndpoint]
    const allowed = operations.filter((operation) => operation.path === path).map(({ method }) => method as string)
    if (allowed.includes('GET')) allowed.push('HEAD')
    for (const method of methods.filter((method) => !allowed.includes(method) && !isTaken(method, path))) {
      const response = await server.request(method, pathOf(first, {}), { token: null })
      assert.equal(response.status, 405, `${method} ${path}`)
      assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), allowed.toSorted(), `${method} ${path}`)
      if (method === 'HEAD') continue
      assertEnvelope(response, `${method} ${path}`)
      assert.deepEqual(faultsOf(response), ['method_not_allowed null'])
    }
  }
})

test('an unknown path and an invalid URL are refused with the envelope, before authentication', async () => {
  for (const [path, status, type] of [
    ['//', 404, 'not_found'],
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
      const response = await server.request('GET', path, { token })
      assert.deepEqual([response.status, response.body.error.type], [status, type], path)
      assertEnvelope(response, path)
      assert.match(String(response.headers.get('x-request-id')), /^req_/)
    }
  }
})

test('a path that ends with a slash or has an empty parameter is absent, and the refusal names it', async () => {
  const { token } = world.account
  const long = 'x'.repeat(41)
  for (const [method, path, message] of [
    ['GET', '/v2/skus/', 'There is nothing at /v2/skus/. Leave out the slash at its end.'],
    ['POST', '/v2/instances/', 'There is nothing at /v2/instances/. Leave out the slash at its end.'],
    ['GET', '/v2/instances/?limit=1', 'There is nothing at /v2/instances/. Leave out the slash at its end.'],
    ['POST', '/v2/instances//replace', 'There is nothing at /v2/instances//replace.'],
    ['OPTIONS', '/v2/instances//replace', 'There is nothing at /v2/instances//replace.'],
    ['GET', '/v3/skus', 'There is nothing at /v3/skus.'],
    ['GET', `/v3/${long}`, 'There is nothing at /v3/(long).'],
  ] as const) {
    const response = await server.request(method, path, { token })
    assert.deepEqual([response.status, response.body.error], [404, { type: 'not_found', message }], path)
  }
})

test('HEAD returns the headers of GET without a body', async () => {
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { call, token } = await goodCall(world, operation)
    for (const by of [token, null]) {
      const got = await send(server, operation, call, by)
      const head = await server.request('HEAD', pathOf(operation, call) + (call.query ? `?${call.query}` : ''), {
        token: by,
      })
      assert.deepEqual([head.status, head.text], [got.status, ''], operation.name)
      const headers = (response: TestResponse) =>
        [...response.headers.keys()].filter((name) => !/^(connection|keep-alive|transfer-encoding)$/.test(name))
      assert.deepEqual(headers(head), headers(got), operation.name)
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), operation.name)
    }
  }
})

test('every response has a request id, and with a valid token the remaining rate limit', async () => {
  const reportedTo = ({ headers }: TestResponse) =>
    ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`))
  for (const operation of operations) {
    const call = shapedCall(operation)
    const stranger = await send(server, operation, call, null)
    assert.match(String(stranger.headers.get('x-request-id')), /^req_[0-9a-zA-Z_-]{21}$/, operation.name)
    assert.deepEqual(reportedTo(stranger), [null, null, null, null], operation.name)
    const sent = { ...call, query: 'surprise=1' }
    const response = await send(server, operation, sent, tokenFor(world, operation), { 'X-Request-Id': 'A-z_0.9' })
    assert.equal(response.headers.get('x-request-id'), 'A-z_0.9', operation.name)
    const [limit, remaining, reset, policy] = reportedTo(response)
    if (operation.access === 'public') assert.equal(policy, null, operation.name)
    else {
      const name = operation.rate === 'none' ? 'write' : operation.rate
      assert.match(String(policy), new RegExp(`^"${name}";q=${limit};w=\\d+$`), operation.name)
      assert.ok(Number(remaining) <= Number(limit) && Number(reset) >= 0, operation.name)
    }
  }
})

test('a request id of another form is replaced', async () => {
  for (const [id, isKept] of [
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a/b', false],
    ['ä', false],
  ] as const) {
    const response = await server.attempt('list_skus', { headers: { 'X-Request-Id': id } })
    assert.equal(response.headers.get('x-request-id') === id, isKept, id)
  }
})

test('responses with a secret forbid caching, and so do their replays', async () => {
  const secret = operations.filter(({ no_store }) => no_store).sort((a, b) => rank(a) - rank(b))
  assert.ok(secret.length >= 4)
  for (const operation of secret) {
    const { call, ask } = await prepare(operation)
    const headers = operation.idempotent ? { 'Idempotency-Key': `secret-${operation.name}` } : {}
    for (const _ of operation.idempotent ? ['first', 'replay'] : ['first']) {
      const response = await ask(call.body, headers)
      assert.ok(response.status < 300, `${operation.name}: ${response.text}`)
      assert.equal(response.headers.get('cache-control'), 'no-store', operation.name)
    }
  }
})

function rank({ name }: NamedEndpoint): number {
  return cases[name].ends_world ? 1 : 0
}
