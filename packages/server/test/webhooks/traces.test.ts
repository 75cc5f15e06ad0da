/** Traces, as a collector gets them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { silentLog } from '../../src/core/base/log.ts'
import { openTracing } from '../../src/core/trace/tracing.ts'
import type { Server } from '../../src/server.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'
import { openHooks } from './hooks.ts'
import { openReceiver } from './receivers.ts'

const collector = await openReceiver()
const settings = {
  url: `${collector.url}/v1/traces`,
  service_name: 'market',
  sampler: 'parentbased_always_on',
  ratio: 1,
  delay_milliseconds: 20,
} as const
const server = await startTestServer({ tracing: settings })
afterAll(() => collector[Symbol.asyncDispose]())

type OtlpValue = { readonly stringValue?: string; readonly intValue?: number }
type OtlpAttribute = { readonly key: string; readonly value: OtlpValue }
type OtlpSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: readonly OtlpAttribute[]
}
type OtlpRequest = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

const factsOf = (attributes: readonly OtlpAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
const sent = () => collector.received.flatMap(({ json }) => (json as OtlpRequest).resourceSpans)
const spans = () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans))

/** The spans of a trace, once there are as many. */
function traceOf(id: string, count: number): Promise<OtlpSpan[]> {
  return eventually(`the trace has ${count} spans`, () => {
    const own = spans().filter(({ traceId }) => traceId === id)
    assert.equal(own.length, count, JSON.stringify(own.map(({ name }) => name)))
    return own
  })
}

let traces = 0
/** A trace of a caller, with the header that continues it. */
function newTrace(flags = '01') {
  const id = (++traces).toString(16).padStart(32, 'a')
  return { id, headers: { traceparent: `00-${id}-00f067aa0ba902b7-${flags}` } }
}

const [server1, client1, internal1] = [2, 3, 1]

test('a write is a span of its request with its transaction, in the trace of the caller', async () => {
  const account = await server.account()
  const { id, headers } = newTrace()
  const response = await server.attempt('create_pool', {
    token: account.token,
    body: {},
    headers: { ...headers, 'X-Request-Id': 'traced-1' },
  })
  assert.equal(response.status, 201)
  const [transaction, request] = (await traceOf(id, 2)) as [OtlpSpan, OtlpSpan]
  assert.deepEqual([request.name, request.kind], ['POST /v2/pools', server1])
  assert.equal(request.parentSpanId, '00f067aa0ba902b7')
  assert.deepEqual(factsOf(request.attributes), {
    'http.request.method': 'POST',
    'http.route': '/v2/pools',
    'http.response.status_code': 201,
    'bourse.operation': 'create_pool',
    'bourse.request_id': 'traced-1',
    'bourse.account_id': account.id,
  })
  assert.deepEqual([transaction.name, transaction.kind], ['transaction', client1])
  assert.equal(transaction.parentSpanId, request.spanId)
  assert.deepEqual(factsOf(transaction.attributes), { 'db.system.name': 'postgresql' })
  const [resource] = sent()
  const { 'service.name': name } = factsOf(resource?.resource.attributes ?? [])
  assert.equal(name, 'market')
  const text = JSON.stringify(collector.received.map(({ body }) => body))
  assert.ok(!text.includes(account.token), 'no token is sent')
})

test('a span begins and ends within its parent', async () => {
  const { token } = await server.account()
  const own = Array.from({ length: 20 }, () => newTrace())
  for (const { headers } of own) await server.call('create_pool', { token, body: {}, headers })
  for (const { id } of own) {
    const [transaction, request] = (await traceOf(id, 2)) as [OtlpSpan, OtlpSpan]
    assert.equal(transaction.parentSpanId, request.spanId)
    assert.ok(BigInt(request.startTimeUnixNano) <= BigInt(transaction.startTimeUnixNano))
    assert.ok(BigInt(transaction.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
  }
})

test('a read has its read, a refusal is no failure, and what is no trace begins a new one', async () => {
  const account = await server.account()
  const { id, headers } = newTrace()
  const missing = await server.attempt('get_pool', { token: account.token, params: { id: 'pool_0000' }, headers })
  assert.ok(missing.status >= 400)
  const found = await traceOf(id, missing.status === 404 ? 2 : 1)
  for (const { status } of found) assert.equal(status.code, 0)
  const broken = { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01', 'X-Request-Id': 'broken-1' }
  await server.call('list_pools', { token: account.token, headers: broken })
  const request = await eventually('the request has a trace of its own', () =>
    spans().find(({ attributes }) => factsOf(attributes)['bourse.request_id'] === 'broken-1'),
  )
  assert.match(request.traceId, /^(?!0{32})[0-9a-f]{32}$/)
  assert.ok(!request.parentSpanId)
})

test('requests that share a transaction have it each in its own trace', async () => {
  const traders = tradersOn(server)
  const [sku, buyer] = [await traders.sku(), await traders.buyer()]
  const start_at = await traders.nextHour()
  const own = [newTrace(), newTrace(), newTrace()]
  const body = {
    pool: buyer.pool,
    sku,
    allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count: 1 }],
    limit_price_dollars_per_node_hour: '0.500000',
    side: 'buy' as const,
    allow_standing: true,
  }
  const orders = own.map(({ headers }) => server.attempt('create_order', { token: buyer.token, body, headers }))
  for (const { status } of await Promise.all(orders)) assert.equal(status, 201)
  for (const { id } of own) {
    const found = await eventually('the trace has its transaction', () => {
      const all = spans().filter(({ traceId }) => traceId === id)
      return all.some(({ name }) => name === 'transaction') && all.some(({ kind }) => kind === server1) && all
    })
    const request = found.find(({ kind }) => kind === server1)
    const [transaction] = found.filter(({ name }) => name === 'transaction')
    assert.equal(transaction?.parentSpanId, request?.spanId)
    assert.ok(Number(factsOf(transaction?.attributes ?? [])['bourse.batch.requests']) >= 1)
  }
})

test('a step of a reconciler is a trace with its transaction', async () => {
  const step = await eventually('a step was traced', () => spans().find(({ name }) => name.startsWith('step ')))
  assert.equal(step.kind, internal1)
  const { 'bourse.reconciler.kind': kind } = factsOf(step.attributes)
  assert.equal(step.name, `step ${kind}`)
  const [inside] = (await traceOf(step.traceId, 2)).filter(({ name }) => name === 'transaction')
  assert.equal(inside?.parentSpanId, step.spanId)
})

test('a delivery to a webhook is a span, and the receiver may continue its trace', async () => {
  const hooks = await openHooks(server)
  await using receiver = await openReceiver()
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit()
  const [message] = await receiver.until(1)
  const [, traceId, spanId] = (message?.headers.traceparent ?? '').split('-')
  const span = await eventually('the delivery was traced', () => spans().find((one) => one.traceId === traceId))
  assert.deepEqual([span.name, span.kind, span.spanId], ['webhook delivery', client1, spanId])
  assert.deepEqual(factsOf(span.attributes), {
    'bourse.webhook_id': id,
    'bourse.account_id': hooks.account.id,
    'http.response.status_code': 200,
  })
})

test('a trace that its caller does not record is not recorded, and probes are not traced', async () => {
  const { id, headers } = newTrace('00')
  const account = await server.account()
  await server.call('list_pools', { token: account.token, headers })
  await server.attempt('get_readiness')
  const last = newTrace()
  await server.call('list_pools', { token: account.token, headers: last.headers })
  await traceOf(last.id, 2)
  assert.deepEqual(
    spans().filter(({ traceId }) => traceId === id),
    [],
  )
  assert.ok(!spans().some(({ attributes }) => factsOf(attributes)['bourse.operation'] === 'get_readiness'))
})

test('a collector that refuses spans costs nothing but them, and they are counted', async () => {
  const counts = () => (server.inside as Server).runtime.tracing?.counts() ?? { exported: 0, dropped: 0 }
  collector.reply = () => 400
  const before = counts()
  assert.ok(before.exported > 0)
  const account = await server.account()
  await eventually('spans are dropped', () => counts().dropped > before.dropped)
  const { text } = await server.attempt('get_metrics')
  const shown = Number(/^bourse_trace_spans_total\{outcome="dropped"\} (\d+)$/m.exec(text)?.[1])
  assert.ok(shown > before.dropped && shown <= counts().dropped, `${shown} on the page`)
  collector.reply = () => 200
  await server.call('list_pools', { token: account.token })
  await eventually('spans are sent again', () => counts().exported > before.exported)
})

test('no more than 4,096 spans wait for a collector that does not respond', async () => {
  await using silent = await openReceiver()
  silent.reply = () => () => {}
  const tracing = await openTracing({ ...settings, url: silent.url }, silentLog())
  assert.ok(tracing)
  for (let n = 0; n < 5_000; n++) tracing.begin('work', { kind: 'internal', attributes: {} }).end()
  assert.deepEqual(tracing.counts(), { exported: 0, dropped: 904 })
  await tracing.close()
})

test('where traces are off, nothing that makes or sends spans is loaded', async () => {
  const source = join(import.meta.dirname, '../../src')
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { startServer } = await import('${source}/server.ts')
    const { openTracing } = await import('${source}/core/trace/tracing.ts')
    // The metrics of the process load the interface, which is empty by itself.
    const count = () => loaded.filter((url) => /@opentelemetry.(?!api.)/.test(url)).length
    await openTracing(undefined)
    const off = [typeof startServer, count()]
    await openTracing({ url: 'http://127.0.0.1:1', sampler: 'always_off', ratio: 1, service_name: 'a' })
    console.log(JSON.stringify([...off, count() > 0]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  assert.deepEqual(JSON.parse(stdout), ['function', 0, true])
})
