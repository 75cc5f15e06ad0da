import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { createClient } from '../src/client.ts'
import { AuthenticationError } from '../src/errors.ts'
import { type EventSource, follow, type Gap, type LogEvent } from '../src/follow.ts'
import { readServerEvents } from '../src/server-events.ts'
import { type Answerer, type Arrived, answerError, answerJson, startPeer } from './peer.ts'

const server = await startTestServer()
const platform = createClient({ token: server.platform_token, baseUrl: server.url })
const day = 86_400

/** An account with a client, and a function that causes events on it. */
async function reader() {
  const { id, token } = await server.account({ trust_level: 'basic' })
  let level: 'basic' | 'trusted' = 'basic'
  const happen = async (times: number) => {
    for (let number = 0; number < times; number++) {
      level = level === 'basic' ? 'trusted' : 'basic'
      await platform.accounts.setTrustLevel(id, { trust_level: level })
    }
  }
  return { id, happen, client: createClient({ token, baseUrl: server.url }) }
}

/** Takes `count` events, then ends the iteration. */
async function take(events: AsyncIterable<LogEvent>, count: number): Promise<LogEvent[]> {
  const taken: LogEvent[] = []
  for await (const event of events) if (taken.push(event) >= count) break
  return taken
}

test('existing events come first, then new ones, each once and in order', async () => {
  const { happen, client } = await reader()
  await happen(3)
  const events = client.events.follow({ interval: 10 })
  const seen: LogEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (seen.length === 3) await happen(2)
    if (seen.length === 5) break
  }
  assert.deepEqual(
    seen.map(({ id }) => id),
    (await client.events.list().all()).map(({ id }) => id),
  )
})

test('an iteration resumes after the last processed event', async () => {
  const { happen, client } = await reader()
  await happen(4)
  const [first, second] = await take(client.events.follow({ interval: 10 }), 2)
  await happen(1)
  const rest = await take(client.events.follow({ after: second?.cursor, interval: 10 }), 3)
  const all = await client.events.list().all()
  assert.deepEqual(
    [first, second, ...rest].map((event) => event?.id),
    all.map(({ id }) => id),
  )
})

test('filters apply to the whole iteration, by stream and by polling', async () => {
  for (const streams of [true, false]) {
    const { id, happen, client } = await reader()
    const { id: sku } = await platform.skus.create({ num_vcpus: 8 })
    const override = (num_vcpus: number) => platform.skuOverrides.put({ account: id, sku }, { num_vcpus })
    await happen(2)
    await override(2)
    const seen: LogEvent[] = []
    for await (const event of client.events.follow({ filters: { target: sku }, interval: 10, streams })) {
      seen.push(event)
      if (seen.length === 2) break
      await happen(2)
      await override(4)
    }
    const targets = [{ type: 'instance_sku', id: sku }]
    assert.deepEqual(
      seen.map((event) => event.targets),
      [targets, targets],
    )
  }
})

test('the signal ends an iteration without an error, also while it waits', async () => {
  const { client } = await reader()
  const controller = new AbortController()
  const walk = take(client.events.follow({ signal: controller.signal }), 1)
  await client.account.get()
  controller.abort()
  assert.deepEqual(await walk, [])
})

test('after a gap an iteration that polls restarts near the retention limit and keeps the new filter', async () => {
  const { happen, client } = await reader()
  await happen(1)
  const [old] = await take(client.events.follow({ interval: 10 }), 1)
  await server.advance(8 * day)
  await happen(3)
  const gaps: Gap[] = []
  const after = old?.cursor
  const seen = await take(
    client.events.follow({ after, interval: 10, streams: false, onGap: (gap) => void gaps.push(gap) }),
    3,
  )
  const [gap] = gaps
  assert.equal(gaps.length, 1)
  assert.equal(gap?.after, after)
  assert.deepEqual(gap?.filters, { since: (gap?.now ?? 0) - 7 * day + 600 })
  // Cursors from after a gap are valid with the filters that onGap received.
  const rest = await take(client.events.follow({ after: seen[0]?.cursor, filters: gap?.filters ?? {} }), 2)
  assert.deepEqual(
    rest.map(({ id }) => id),
    seen.slice(1).map(({ id }) => id),
  )
})

test('a gap of polling replaces a since filter that is older than the retention limit', async () => {
  const { happen, client } = await reader()
  await happen(1)
  const since = (await client.account.get()).server.now - day
  const [old] = await take(client.events.follow({ filters: { since } }), 1)
  await server.advance(8 * day)
  const later = (await client.account.get()).server.now + 2 * day
  const gaps: Gap[] = []
  const filters = { since }
  const onGap = (gap: Gap) => void gaps.push(gap)
  await happen(1)
  await take(client.events.follow({ after: old?.cursor, filters, onGap, streams: false }), 1)
  assert.ok((gaps[0]?.filters.since ?? 0) > since)
  assert.ok((gaps[0]?.filters.since ?? 0) < later)
})

test('transient errors are retried, other errors are thrown', async () => {
  const event = { object: 'event', id: 'evt_1', cursor: 'evtc_1', action: 'some.new_action', targets: [] }
  const peer = await startPeer((response, _, number) => {
    if (number < 4) answerError(response, 503, 'api_error')
    else if (number === 4)
      answerJson(response, 200, { object: 'list', data: [event], has_more: true, cursor: 'evtc_1' })
    else answerError(response, 401, 'authentication_error')
  })
  const client = createClient({ token: 'a', baseUrl: peer.url, maxRetries: 1 })
  const seen: string[] = []
  const walk = async () => {
    for await (const one of client.events.follow({ interval: 1, streams: false })) seen.push(one.action)
  }
  await assert.rejects(walk(), AuthenticationError)
  assert.deepEqual(seen, ['some.new_action'])
  assert.equal(peer.requests[5]?.url, '/preview/v2/events?limit=200&starting_after=evtc_1')
})

test('after a gap of the stream an iteration continues with the oldest events, under the same filters', async () => {
  const { id, happen, client } = await reader()
  const filters = { target: id }
  await happen(1)
  const [old] = await take(client.events.follow({ filters, interval: 10 }), 1)
  await server.advance(8 * day)
  await happen(3)
  const gaps: Gap[] = []
  const after = old?.cursor
  const seen = await take(
    client.events.follow({ after, filters, interval: 10, onGap: (gap) => void gaps.push(gap) }),
    3,
  )
  assert.equal(gaps.length, 1)
  assert.deepEqual([gaps[0]?.after, gaps[0]?.filters], [after, filters])
  const listed = await client.events.list(filters).all()
  assert.deepEqual(seen, listed)
})

test('an iteration ends where no event can follow, by stream and by polling', async () => {
  const { happen, client } = await reader()
  await happen(2)
  await server.advance(10)
  const until = (await client.account.get()).server.now - 1
  for (const streams of [true, false]) {
    const events = client.events.follow({ filters: { until }, interval: 1, streams })
    assert.equal((await take(events, 3)).length, 2)
  }
})

const event = (number: number) => ({ object: 'event', id: `evt_${number}`, cursor: `evtc_${number}`, action: 'a' })
const entry = (number: number) => `id: evtc_${number}\ndata: ${JSON.stringify(event(number))}\n\n`
const isStream = ({ headers }: Arrived) => headers.accept === 'text/event-stream'
const list = (...numbers: number[]) => ({
  object: 'list',
  data: numbers.map(event),
  has_more: false,
  ...(numbers.length > 0 ? { cursor: `evtc_${numbers.at(-1)}` } : {}),
})

test('a stream that ends or breaks is opened again behind the last event; none is missed or repeated', async () => {
  const peer = await startPeer((response, _, number) => {
    if (number === 1) return answerError(response, 503, 'api_error', { headers: { 'retry-after': '0' } })
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write('retry: 2000\n\n:\n\nevent: newer\nid: evtc_x\ndata: {}\n\n')
    if (number === 0) {
      // Cut in the middle of the third event.
      response.write(entry(1) + entry(2) + entry(3).slice(0, 30))
      return void setImmediate(() => response.destroy())
    }
    response.end(entry(number + 1))
  })
  const client = createClient({ token: 't', baseUrl: peer.url })
  const seen = await take(client.events.follow({ interval: 1, filters: { action: 'a' } }), 4)
  assert.deepEqual(
    seen.map(({ id }) => id),
    ['evt_1', 'evt_2', 'evt_3', 'evt_4'],
  )
  assert.deepEqual(
    peer.requests.map(({ headers }) => headers['last-event-id']),
    [undefined, 'evtc_2', 'evtc_2', 'evtc_3'],
  )
  assert.ok(peer.requests.every(({ url }) => url === '/preview/v2/events?action=a&on_gap=continue'))
})

const without: Record<string, Answerer> = {
  'a server that knows no on_gap': (response) =>
    answerError(response, 400, 'invalid_request_error', { codes: ['unknown_field'] }),
  'a server that knows no streams': (response) => answerJson(response, 200, list(7)),
  'a 406': (response) => answerError(response, 406, 'invalid_request_error'),
  'a 404': (response) => answerError(response, 404, 'not_found'),
  'too many streams': (response) => answerError(response, 429, 'rate_limited', { headers: { 'retry-after': '60' } }),
  'a page of a proxy': (response) => void response.writeHead(302, { location: '/login' }).end(),
  'a proxy that sends nothing': () => {},
  'a proxy that sends only the head': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
  },
  'a proxy that ends each stream': (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\n\n'),
  'a proxy that breaks each stream': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 1\n\n')
    setImmediate(() => response.destroy())
  },
}

for (const [what, answer] of Object.entries(without)) {
  test(`behind ${what} an iteration polls`, async () => {
    let polls = 0
    const peer = await startPeer((response, request, number) => {
      if (isStream(request)) return answer(response, request, number)
      polls += 1
      answerJson(response, 200, polls === 2 ? list() : list(polls))
    })
    const client = createClient({ token: 't', baseUrl: peer.url })
    const seen = await take(client.events.follow({ interval: 1, opening: 100 }), 2)
    assert.deepEqual(
      seen.map(({ id }) => id),
      ['evt_1', 'evt_3'],
    )
    const polled = peer.requests.filter((request) => !isStream(request)).map(({ url }) => url)
    const [first, behind] = ['/preview/v2/events?limit=200', '/preview/v2/events?limit=200&starting_after=evtc_1']
    assert.deepEqual(polled, [first, behind, behind])
  })
}

test('an error that polling would have too is thrown', async () => {
  for (const [status, type] of [
    [401, 'authentication_error'],
    [400, 'invalid_request_error'],
  ] as const) {
    const peer = await startPeer((response) => answerError(response, status, type, { codes: ['invalid_cursor'] }))
    const client = createClient({ token: 't', baseUrl: peer.url })
    await assert.rejects(take(client.events.follow({ interval: 1 }), 1), { status })
    assert.equal(peer.requests.length, 1)
  }
})

test('no event is delivered after the signal is aborted, also not one that has arrived already', async () => {
  const { happen, client } = await reader()
  await happen(2)
  const page = await client.events.list()
  const [event] = page.data
  assert.ok(event)
  const ended = new AbortController()
  const { signal } = ended
  // The answer is there before anybody waits for it.
  const bytes = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(`id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`))
        ended.abort()
      },
    })
  const source: EventSource = {
    list: async () => {
      ended.abort()
      return page
    },
    open: async () => bytes(),
    now: async () => 0,
  }
  for (const streams of [true, false]) {
    for await (const { id } of follow(source, { signal, streams })) assert.fail(`${id} was delivered`)
  }
  const text = new TextEncoder().encode('data: 1\n\ndata: 2\n\n')
  const read: string[] = []
  const stopped = new AbortController()
  for await (const { data } of readServerEvents(ReadableStream.from([text]), { signal: stopped.signal })) {
    read.push(data)
    stopped.abort()
  }
  assert.deepEqual(read, ['1'])
})
