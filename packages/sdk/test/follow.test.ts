import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../server/test/support/server.ts'
import { createClient } from '../src/client.ts'
import { AuthenticationError } from '../src/errors.ts'
import type { Event, Gap } from '../src/follow.ts'
import { answerError, answerJson, startPeer } from './peer.ts'

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
async function take(events: AsyncIterable<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = []
  for await (const event of events) if (taken.push(event) >= count) break
  return taken
}

test('existing events come first, then new ones, each once and in order', async () => {
  const { happen, client } = await reader()
  await happen(3)
  const events = client.events.follow({ interval: 10 })
  const seen: Event[] = []
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

test('filters apply to the whole iteration', async () => {
  const { id, happen, client } = await reader()
  await happen(2)
  const [event] = await take(client.events.follow({ filters: { target: id, action: 'trust_level.updated' } }), 1)
  assert.deepEqual(event?.targets, [{ type: 'account', id }])
  const none = AbortSignal.timeout(200)
  assert.deepEqual(
    await take(client.events.follow({ filters: { target: 'inst_1' }, signal: none, interval: 20 }), 1),
    [],
  )
})

test('the signal ends an iteration without an error, also while it waits', async () => {
  const { client } = await reader()
  const controller = new AbortController()
  const walk = take(client.events.follow({ signal: controller.signal }), 1)
  await client.account.get()
  controller.abort()
  assert.deepEqual(await walk, [])
})

test('after a gap an iteration restarts near the retention limit, calls onGap and keeps the new filter', async () => {
  const { happen, client } = await reader()
  await happen(1)
  const [old] = await take(client.events.follow({ interval: 10 }), 1)
  await server.advance(8 * day)
  await happen(3)
  const gaps: Gap[] = []
  const after = old?.cursor
  const seen = await take(client.events.follow({ after, interval: 10, onGap: (gap) => void gaps.push(gap) }), 3)
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

test('a gap replaces a since filter that is older than the retention limit', async () => {
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
  await take(client.events.follow({ after: old?.cursor, filters, onGap }), 1)
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
    for await (const one of client.events.follow({ interval: 1 })) seen.push(one.action)
  }
  await assert.rejects(walk(), AuthenticationError)
  assert.deepEqual(seen, ['some.new_action'])
  assert.equal(peer.requests[5]?.url, '/preview/v2/events?limit=200&starting_after=evtc_1')
})
