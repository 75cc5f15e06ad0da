import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { errorCodes } from '@bourse/api/kit/errors.ts'
import { onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { createClient } from '../src/client.ts'
import {
  ApiError,
  AuthenticationError,
  apiError,
  BourseError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  MalformedAnswerError,
  NetworkError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnprocessableEntityError,
} from '../src/errors.ts'
import { type Answerer, answerError, answerJson, startPeer } from './peer.ts'

const account = { object: 'account', id: 'acme' }

/** Lets the timers of the client run only when a test says so. The clock begins at `now`. */
function holdTimers(now: number): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

/** What a client does: its attempts, those that have ended, and its delays between them in milliseconds. */
function watchClient() {
  const seen = { attempts: 0, ended: 0, delays: [] as number[] }
  const options: Parameters<typeof createClient>[0] = {
    fetch: (...request) => {
      seen.attempts += 1
      return fetch(...request)
    },
    logger: {
      debug: () => {
        seen.ended += 1
      },
      warn: (_message, { delay }) => void seen.delays.push(delay as number),
    },
  }
  return { seen, options }
}

async function clientOf(answer: Answerer, options: Parameters<typeof createClient>[0] = {}) {
  const peer = await startPeer(answer)
  return { client: createClient({ token: 'the.api.token', baseUrl: peer.url, ...options }), requests: peer.requests }
}

test('each error type has its class, with all fields of the response', async () => {
  const classes = [
    [400, 'invalid_request_error', InvalidRequestError],
    [401, 'authentication_error', AuthenticationError],
    [402, 'payment_required', PaymentRequiredError],
    [403, 'forbidden', ForbiddenError],
    [404, 'not_found', NotFoundError],
    [409, 'conflict', ConflictError],
    [410, 'gone', GoneError],
    [422, 'unprocessable_entity', UnprocessableEntityError],
    [429, 'rate_limited', RateLimitedError],
    [500, 'api_error', ServerError],
    [418, 'a_type_of_the_future', ApiError],
  ] as const
  const { client } = await clientOf(
    (response, _, number) => {
      const [status, type] = classes[number] ?? [500, 'api_error']
      const headers = { 'x-request-id': `req_${number}`, 'retry-after': '7' }
      answerError(response, status, type, { codes: ['a_code', 'another', 'a_code'], headers })
    },
    { maxRetries: 0 },
  )
  for (const [number, [status, type, expected]] of classes.entries()) {
    const error = await client.account.get().catch((thrown) => thrown)
    assert.ok(error instanceof expected && error instanceof ApiError && error instanceof BourseError, type)
    assert.equal(error.name, expected.name)
    assert.deepEqual([error.status, error.type, error.message], [status, type, `This is ${type}.`])
    assert.deepEqual([error.requestId, error.retryAfter], [`req_${number}`, 7])
    assert.deepEqual(error.codes, ['a_code', 'another'])
    assert.deepEqual(error.details[0], { field: null, code: 'a_code', message: 'It is a_code.' })
  }
})

test('an error suggests what to do about each code that the client knows, else about its type', async () => {
  const { client } = await clientOf((response, _, number) => {
    if (number === 0) answerError(response, 409, 'conflict', { codes: ['name_taken', 'a_new_code', 'name_taken'] })
    else if (number === 1) answerError(response, 404, 'not_found')
    else if (number === 2) answerError(response.setHeader('X-Error-Code', 'same_operator'), 403, 'forbidden')
    else answerError(response, 418, 'toString')
  })
  const suggested = async () => ((await client.account.get().catch((thrown) => thrown)) as ApiError).suggestions
  assert.deepEqual(await suggested(), [errorCodes.name_taken.user])
  assert.deepEqual(await suggested(), [errorCodes.not_found.user])
  assert.deepEqual(await suggested(), [errorCodes.same_operator.user])
  assert.deepEqual(await suggested(), [])
})

test('every error of the API has a suggestion, also one that this client does not know', () => {
  const failure = { message: 'm', requestId: undefined, retryAfter: undefined }
  for (const [code, { status, type, user }] of Object.entries(errorCodes)) {
    const details = [{ field: null, code, message: 'm' }]
    const withCode = apiError({ ...failure, status, type, details })
    assert.equal(withCode.suggestion, user, code)
    assert.notEqual(apiError({ ...failure, status, type, details: [] }).suggestion, '', type)
    const two = [...details, ...details, { field: 'name', code: 'name_taken', message: 'm' }]
    const joined = code === 'name_taken' ? user : `${user} ${errorCodes.name_taken.user}`
    assert.equal(apiError({ ...failure, status, type, details: two }).suggestion, joined)
  }
  const suggestionOf = (status: number, type: string, code: string) =>
    apiError({ ...failure, status, type, details: [{ code, message: 'm' }] }).suggestion
  assert.match(suggestionOf(409, 'conflict', 'newer_code'), /^Read the resource again/)
  assert.equal(suggestionOf(404, 'not_found', 'newer_code'), errorCodes.not_found.user)
  assert.match(suggestionOf(422, 'unprocessable_entity', 'toString'), /^Change the request/)
  assert.match(suggestionOf(418, 'newer_type', 'newer_code'), /^Change the request/)
  assert.equal(suggestionOf(502, 'newer_type', 'newer_code'), errorCodes.api_error.user)
})

test('transient failures are retried, by default twice, each attempt with its own request id', async () => {
  const { client, requests } = await clientOf((response, _, number) => {
    if (number === 0) response.destroy()
    else if (number === 1) answerError(response, 503, 'api_error')
    else answerJson(response, 200, account)
  })
  assert.equal((await client.account.get()).id, 'acme')
  assert.equal(requests.length, 3)
  assert.equal(new Set(requests.map(({ headers }) => headers['x-request-id'])).size, 3)
  for (const { headers } of requests) {
    assert.match(headers['x-request-id'] as string, /^req_[A-Za-z0-9._-]{21}$/)
    assert.equal(headers.authorization, 'Bearer the.api.token')
  }
})

test('after the last attempt the call throws its failure', async () => {
  const { client, requests } = await clientOf((response) => answerError(response, 500, 'api_error'))
  await assert.rejects(client.account.get(), ServerError)
  assert.equal(requests.length, 3)
  await assert.rejects(client.account.get({ maxRetries: 0 }), ServerError)
  assert.equal(requests.length, 4)
})

test('the client waits for Retry-After, as a number and as a date', async () => {
  const now = Date.UTC(2026, 6, 31, 23, 59, 55)
  holdTimers(now)
  const { seen, options } = watchClient()
  const { client } = await clientOf((response, _, number) => {
    const headers = { 'retry-after': number === 0 ? '1' : new Date(now + 10_000).toUTCString() }
    if (number < 2) answerError(response, 429, 'rate_limited', { headers })
    else answerJson(response, 200, account)
  }, options)
  const called = client.account.get()
  for (const attempt of [1, 2]) {
    await eventually('the client waits before its next attempt', () => seen.delays.length === attempt)
    const delay = Math.floor(seen.delays[attempt - 1] as number)
    await vi.advanceTimersByTimeAsync(delay - 1)
    assert.equal(seen.attempts, attempt, 'it still waits')
    await vi.advanceTimersByTimeAsync(1)
    assert.equal(seen.attempts, attempt + 1)
  }
  await called
  const [first = 0, second = 0] = seen.delays
  // A date is rounded up to whole seconds, and a random part of up to half a second is added.
  assert.ok(first >= 1_000 && first < 1_500, `${first} ms`)
  const rest = 10_000 - Math.floor(first)
  assert.ok(second >= rest && second < rest + 1_500, `${second} ms`)
})

test('a Retry-After above the limit is thrown to the caller', async () => {
  const { client, requests } = await clientOf((response) =>
    answerError(response, 429, 'rate_limited', { headers: { 'retry-after': '3600' } }),
  )
  const error = await client.account.get().catch((thrown) => thrown)
  assert.ok(error instanceof RateLimitedError)
  assert.equal(error.retryAfter, 3600)
  assert.equal(requests.length, 1)
})

test('a creating call sends one idempotency key in all of its attempts, another call another one', async () => {
  const { client, requests } = await clientOf((response, _, number) => {
    if (number === 0) response.destroy()
    else if (number === 1) answerError(response, 409, 'conflict', { codes: ['idempotency_key_in_use'] })
    else answerJson(response, 201, { id: 'inst_2' })
  })
  await client.instances.replace('svc:instance:acme:default:a', { image: 'image_1' })
  await client.instances.replace('inst_1', { image: 'image_1' }, { idempotencyKey: 'mine' })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys.slice(0, 3)).size, 1)
  assert.match(keys[0] as string, /^[\x21-\x7e]{20,255}$/)
  assert.equal(keys[3], 'mine')
  assert.equal(requests[0]?.url, '/v2/instances/svc%3Ainstance%3Aacme%3Adefault%3Aa/replace')
  assert.deepEqual(requests.map(({ body }) => body).slice(0, 1), ['{"image":"image_1"}'])
})

test('a POST without an idempotency key is sent once', async () => {
  const { client, requests } = await clientOf((response) => response.destroy())
  await assert.rejects(client.instances.terminate('inst_1'), NetworkError)
  assert.equal(requests.length, 1)
  assert.equal(requests[0]?.headers['idempotency-key'], undefined)
})

test('no other conflict is retried', async () => {
  const { client, requests } = await clientOf((response) =>
    answerError(response, 409, 'conflict', { codes: ['name_taken'] }),
  )
  await assert.rejects(client.workspaces.create({ name: 'a' }), ConflictError)
  assert.equal(requests.length, 1)
})

test('no response within the time limit throws TimeoutError, not NetworkError', async () => {
  holdTimers(Date.now())
  const timeout = 5_000
  const { seen, options } = watchClient()
  const { client, requests } = await clientOf(() => {}, { timeout, maxRetries: 1, ...options })
  const called = client.account.get().catch((thrown) => thrown)
  for (const attempt of [1, 2]) {
    await eventually(`attempt ${attempt} arrives`, () => requests.length === attempt)
    await vi.advanceTimersByTimeAsync(timeout - 1)
    assert.equal(seen.ended, attempt - 1, 'it still waits for the response')
    await vi.advanceTimersByTimeAsync(1)
    await eventually(`attempt ${attempt} ends`, () => seen.ended === attempt)
    if (attempt === 1) await vi.advanceTimersByTimeAsync(Math.floor(seen.delays[0] as number))
  }
  const error = await called
  assert.ok(error instanceof TimeoutError && !(error instanceof NetworkError))
  assert.equal(requests.length, 2)
  assert.equal(error.requestId, requests[1]?.headers['x-request-id'])
})

test('an incomplete body counts as a broken connection', async () => {
  const { client } = await clientOf((response, _, number) => {
    if (number > 0) return answerJson(response, 200, account)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"object":"acc', () => response.destroy())
  })
  assert.equal((await client.account.get()).id, 'acme')
})

test('the error of a refused connection names the address and the reason', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  const client = createClient({ token: 'a', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
  await assert.rejects(client.account.get(), (error) => {
    assert.ok(error instanceof NetworkError)
    return error.message.includes(`127.0.0.1:${port}`) && error.message.includes('ECONNREFUSED')
  })
})

test('a signal aborts the attempt and the delay before the next one, and its reason is thrown', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const { client } = await clientOf(() => controller.abort(reason))
  await assert.rejects(client.account.get({ signal: controller.signal }), reason)
  const waiting = new AbortController()
  const { client: other } = await clientOf((response) => {
    answerError(response, 429, 'rate_limited', { headers: { 'retry-after': '50' } })
    response.on('close', () => waiting.abort(reason))
  })
  await assert.rejects(other.account.get({ signal: waiting.signal }), reason)
  await assert.rejects(other.account.get({ signal: AbortSignal.abort(reason) }), reason)
})

test('responses of other programs are distinguished from those of a Bourse server', async () => {
  const { client, requests } = await clientOf((response, _, number) => {
    const html = { 'content-type': 'text/html' }
    if (number === 0) response.writeHead(200, html).end('<h1>It works!</h1>')
    else if (number === 1) answerJson(response, 200, [1, 2])
    else if (number === 2) response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":')
    else if (number === 3) response.writeHead(301, { location: 'https://elsewhere.example/' }).end()
    else if (number === 4) response.writeHead(404, html).end('<h1>Not Found</h1>')
    else response.writeHead(502, html).end('<h1>Bad Gateway</h1>')
  })
  await assert.rejects(client.account.get(), MalformedAnswerError)
  await assert.rejects(client.firewalls.list(), MalformedAnswerError)
  await assert.rejects(client.account.get(), MalformedAnswerError)
  await assert.rejects(client.account.get(), /redirects to https:\/\/elsewhere\.example\//)
  await assert.rejects(client.account.get(), NotFoundError)
  await assert.rejects(client.account.get({ maxRetries: 0 }), (error) => {
    return error instanceof ServerError && error.status === 502 && error.details.length === 0
  })
  assert.equal(requests.length, 6)
})

test('withResponse returns the status and the headers', async () => {
  const { client } = await clientOf((response) =>
    answerJson(response, 200, account, { 'x-request-id': 'req_1', 'ratelimit-remaining': '199' }),
  )
  const { data, status, headers, requestId } = await client.account.get().withResponse()
  assert.deepEqual([data.id, status, headers.get('ratelimit-remaining'), requestId], ['acme', 200, '199', 'req_1'])
})

test('a failure handled through withResponse causes no unhandled rejection', async () => {
  const { client } = await clientOf((response) => answerError(response, 404, 'not_found'))
  await assert.rejects(client.firewalls.get('frwl_1').withResponse(), NotFoundError)
  await assert.rejects(client.firewalls.list().withResponse(), NotFoundError)
  await assert.rejects(client.firewalls.list().all(), NotFoundError)
})

test('a path parameter cannot change the operation', async () => {
  const { client, requests } = await clientOf((response) => answerJson(response, 200, {}))
  for (const id of ['', '.', '..', undefined]) {
    await assert.rejects(client.firewalls.delete(id as never), /needs the path parameter `id`/)
  }
  await client.accountLimits.put({ account: 'a/b?c', name: 'd#e' }, { value: 1 })
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/preview/v2/admin/accounts/a%2Fb%3Fc/limits/d%23e'],
  )
})

test('a query has repeated values and 64-bit integers, and omits absent values', async () => {
  const { client, requests } = await clientOf((response) =>
    answerJson(response, 200, { object: 'list', data: [], has_more: false }),
  )
  await client.instances.list({ id: ['inst_1', 'inst_2'], state: 'running', tag: 'a=b&c' })
  await client.events.list({ since: -(2n ** 63n), until: 5 })
  assert.deepEqual(
    requests.map(({ url }) => url),
    [
      '/v2/instances?id=inst_1&id=inst_2&state=running&tag=a%3Db%26c',
      '/preview/v2/events?since=-9223372036854775808&until=5',
    ],
  )
})

test('createClient refuses malformed addresses and tokens, without the secret in the message', () => {
  const secret = 'top\nsecret'
  assert.throws(
    () => createClient({ token: secret }),
    (error: Error) => !error.message.includes('secret'),
  )
  for (const baseUrl of ['localhost:8080', 'ftp://a', 'http://u:hush@a', 'http://a/?b', '/v2']) {
    assert.throws(
      () => createClient({ token: 'a', baseUrl }),
      (error: Error) => !error.message.includes('hush'),
    )
  }
})

test('without a token, the client sends only public operations', async () => {
  const { client, requests } = await clientOf((response) => answerJson(response, 200, { status: 'ok' }), { token: '' })
  await assert.rejects(client.account.get(), /BOURSE_API_TOKEN/)
  assert.equal((await client.health.get()).status, 'ok')
  assert.equal(requests.length, 1)
  assert.equal(requests[0]?.headers.authorization, undefined)
})

test('log messages never contain a token or a body', async () => {
  const lines: string[] = []
  const note = (message: string, fields: object) => void lines.push(JSON.stringify([message, fields]))
  const { client } = await clientOf(
    (response, _, number) => (number === 0 ? response.destroy() : answerJson(response, 201, { token: 'new.secret.x' })),
    { logger: { debug: note, warn: note } },
  )
  await client.tokens.create({ name: 'hidden-name' })
  assert.equal(lines.length, 3)
  assert.match(lines[2] ?? '', /"requestId":"req_/)
  for (const line of lines) assert.doesNotMatch(line, /the\.api\.token|new\.secret|hidden-name/)
})
