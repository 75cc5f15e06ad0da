import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { closeStreamsAfterwards, openEvents, type StreamedEntry } from '../events/stream-reader.ts'
import { makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { makeImage } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
closeStreamsAfterwards()
const path = '/preview/v2/events'
const day = 86_400
const stream = (account: { token: string }, query = '', headers: Record<string, string> = {}) =>
  openEvents(server.url, { token: account.token, query, headers })
const listed = async (account: { token: string }, query = ''): Promise<any[]> =>
  (await server.call('list_events', { query: `limit=200&${query}`, token: account.token })).data
const idsOf = (entries: readonly StreamedEntry[]): string[] => entries.map(({ data }) => data.id)

/** Changes the trust level. Each change emits an event of the account itself. */
async function makeEvents(account: TestAccount, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { trust_level } = await server.call('get_administered_account', { params: { account: account.id } })
    const body = { trust_level: trust_level === 'trusted' ? 'basic' : 'trusted' } as const
    await server.call('set_trust_level', { params: { account: account.id }, body })
  }
}

async function now(): Promise<number> {
  return (await server.call('get_account')).server.now
}

test('list_events streams the oldest events first, then new ones, each with its cursor', async () => {
  const account = await server.account()
  await makeEvents(account, 3)
  const reader = await stream(account)
  assert.equal(reader.response.status, 200)
  assert.equal(reader.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(reader.response.headers.get('cache-control'), 'no-store')
  assert.equal(reader.response.headers.get('vary'), 'Accept')
  assert.match(reader.response.headers.get('ratelimit-policy') ?? '', /^"events"/)
  await reader.take(3)
  await makeEvents(account, 2)
  await reader.take(5)
  const events = await listed(account)
  assert.ok(reader.text().startsWith('retry: 2000\n\n'))
  const expected = events.map((event) => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  assert.equal(reader.text().slice('retry: 2000\n\n'.length), expected)
})

test('a token that is limited to resources gets no events, also beside a reader of those of the account', async () => {
  const account = await server.account()
  const body = { roles: ['role_admin'], resources: ['pool_x'] }
  const limited = await server.call('create_token', { token: account.token, body })
  const ofAccount = await stream(await makeToken(server, account, { pool: ['read'] }))
  const ofLimited = await stream(limited)
  // Both are soon served by the same poll.
  for (let count = 1; count <= 5; count++) {
    await makeEvents(account, 1)
    await ofAccount.take(count)
  }
  await server.call('delete_token', { params: { id: limited.id }, token: account.token })
  assert.deepEqual(await ofLimited.toTheEnd(), [])
})

test('a stream resumes behind Last-Event-ID, which wins over starting_after, or behind starting_after', async () => {
  const account = await server.account()
  await makeEvents(account, 4)
  const events = await listed(account)
  const [first, second, third, fourth] = events.map(({ id }) => id)
  const after = `starting_after=${events[0].cursor}`
  assert.deepEqual(idsOf(await (await stream(account, after)).take(3)), [second, third, fourth])
  const both = await stream(account, after, { 'last-event-id': events[2].cursor })
  assert.deepEqual(idsOf(await both.take(1)), [fourth])
  const empty = await stream(account, '', { 'last-event-id': '' })
  assert.deepEqual(idsOf(await empty.take(4)), [first, second, third, fourth])
  await makeEvents(account, 1)
  assert.equal(idsOf(await both.take(2))[1], (await listed(account))[4].id)
  // The id of any entry continues a list as well.
  const [last] = both.entries
  assert.equal((await listed(account, `starting_after=${last?.id}`)).length, 1)
})

test('a stream has exactly the events of its filters, under cursors of those filters', async () => {
  const account = await server.account()
  const sku = await server.call('create_sku', { body: { num_vcpus: 8 } })
  const change = (num_vcpus: number) =>
    server.call('put_sku_override', { params: { account: account.id, sku: sku.id }, body: { num_vcpus } })
  await makeEvents(account, 1)
  await change(4)
  const query = `target_type=instance_sku&target=${sku.id}&since=1`
  const reader = await stream(account, query)
  await reader.take(1)
  await makeEvents(account, 2)
  await change(3)
  await reader.take(2)
  const events = await listed(account, query)
  assert.deepEqual(
    reader.entries.map(({ id, data }) => ({ id, data })),
    events.map((event) => ({ id: event.cursor, data: event })),
  )
  const again = await stream(account, query, { 'last-event-id': events[0].cursor })
  assert.deepEqual(idsOf(await again.take(1)), [events[1].id])
  const wrong = await stream(account, 'target_type=instance_sku', { 'last-event-id': events[0].cursor })
  assert.equal(wrong.response.status, 400)
})

test('a request that ranks JSON higher gets the list, and HEAD opens no stream', async () => {
  const account = await server.account()
  for (const accept of [
    'application/json',
    '*/*',
    'text/event-stream;q=0.5, application/json',
    'text/event-stream;q=0',
  ]) {
    const response = await server.attempt('list_events', { token: account.token, headers: { accept } })
    assert.deepEqual(response.body, { object: 'list', data: [], has_more: false })
    assert.equal(response.headers.get('vary'), 'Accept')
  }
  for (const accept of ['application/json, TEXT/event-stream', 'text/event-stream, */*;q=0.1']) {
    const reader = await stream(account, '', { accept })
    assert.match(reader.response.headers.get('content-type') ?? '', /^text\/event-stream/)
    reader.leave()
  }
  const head = await server.request('HEAD', path, {
    token: account.token,
    headers: { accept: 'text/event-stream' },
  })
  assert.match(head.headers.get('content-type') ?? '', /^application\/json/)
})

test('stream_events has a path of its own, with the rate and the errors of the list, and needs no Accept', async () => {
  const account = await server.account()
  await makeEvents(account, 3)
  const events = await listed(account)
  const own = `${path}/stream`
  for (const accept of ['text/event-stream', 'application/json', '*/*']) {
    const after = { 'last-event-id': events[0].cursor, accept }
    const reader = await openEvents(server.url, { token: account.token, path: own, headers: after })
    assert.deepEqual([reader.response.status, reader.response.headers.get('vary')], [200, null])
    assert.equal(reader.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(reader.response.headers.get('cache-control'), 'no-store')
    assert.match(reader.response.headers.get('ratelimit-policy') ?? '', /^"events"/)
    assert.deepEqual(idsOf(await reader.take(2)), [events[1].id, events[2].id])
    reader.leave()
  }
  const refused = async (query: string, token: string | null = account.token) =>
    refusalOf(await server.request('GET', `${own}?${query}`, { token }))
  assert.deepEqual(await refused('starting_after=x'), [400, 'invalid_cursor', 'starting_after'])
  assert.deepEqual(await refused('until=1&since=2'), [400, 'invalid_range', 'since'])
  assert.equal((await refused('', null))[0], 401)
  assert.equal((await server.request('GET', `${own}?until=1`, { token: account.token })).status, 204)
  assert.equal((await server.request('POST', own, { token: account.token })).status, 405)
  const head = await server.request('HEAD', own, { token: account.token })
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-type'), 'text/event-stream; charset=utf-8')
})

test('errors before the start of a stream are JSON', async () => {
  const account = await server.account()
  const stranger = await server.account()
  await makeEvents(account, 1)
  await makeEvents(stranger, 1)
  const [foreign] = await listed(stranger)
  const [own] = await listed(account)
  const refused = async (query: string, headers: Record<string, string> = {}, token: string | null = account.token) => {
    const all = { accept: 'text/event-stream, application/json', ...headers }
    return refusalOf(await server.attempt('list_events', { query, token, headers: all }))
  }
  const forged = `${own.cursor.slice(0, -5)}AAAA${own.cursor.slice(-1)}`
  for (const last of [
    foreign.cursor,
    forged,
    'x',
    'evtc_',
    `evtc_${'A'.repeat(8_000)}`,
    `${own.cursor}, ${own.cursor}`,
  ]) {
    assert.deepEqual(await refused('', { 'last-event-id': last }), [400, 'invalid_cursor', 'Last-Event-ID'], last)
  }
  assert.deepEqual(await refused(`starting_after=${foreign.cursor}`), [400, 'invalid_cursor', 'starting_after'])
  assert.deepEqual(await refused('since=2&until=1'), [400, 'invalid_range', 'since'])
  assert.deepEqual(await refused('on_gap=stop'), [400, 'invalid_value', 'on_gap'])
  assert.deepEqual(await refused('limit=201'), [400, 'out_of_range', 'limit'])
  assert.equal((await refused('', {}, null))[0], 401)
  assert.equal((await refused('', {}, 'x'))[0], 401)
})

test('where until has passed a stream ends with the last event, and a reconnect gets 204', async () => {
  const account = await server.account()
  await makeEvents(account, 3)
  await server.advance(10)
  const until = `until=${(await now()) - 5}`
  await makeEvents(account, 1)
  const reader = await stream(account, until)
  assert.equal((await reader.toTheEnd()).length, 3)
  const over = await stream(account, until, { 'last-event-id': reader.entries[2]?.id as string })
  assert.deepEqual([over.response.status, over.text()], [204, ''])
  assert.equal((await stream(account, `${until}&action=none`)).response.status, 204)
  const waiting = await stream(account, `until=${(await now()) + 50}`)
  await waiting.take(4)
  await makeEvents(account, 1)
  await waiting.take(5)
  await server.advance(60)
  assert.equal((await waiting.toTheEnd()).length, 5)
})

test('a reader sees the events of the workspaces where it holds event:list, also after its grants change', async () => {
  const account = await server.account()
  const other = await server.call('create_workspace', { token: account.token, body: { name: 'other' } })
  const reading = await makeToken(server, account, { event: ['list'] })
  const blind = await makeToken(server, account, { secret: ['read'] })
  const [reader, nothing, all] = [await stream(reading), await stream(blind), await stream(account)]
  const own = (await makeImage(server, account)).id
  const image = (await makeImage(server, account, other.id)).id
  await server.call('revoke_public_image', { params: { id: own } })
  await server.call('revoke_public_image', { params: { id: image } })
  await makeEvents(account, 1)
  await all.take(3)
  await reader.take(2)
  await nothing.take(1)
  assert.deepEqual(
    [reader.entries[0]?.data.targets[0].id, reader.entries[1]?.data.action],
    [own, 'trust_level.updated'],
  )
  const role = await makeRole(server, account, { event: ['list'] })
  const body = { principal_type: 'token', principal_id: reading.id, role, workspace: other.id } as const
  const grant = await server.call('create_grant', { token: account.token, body })
  /** Whether the reader sees the next event of the other workspace, which an event of the account follows. */
  const seesOther = async () => {
    const before = reader.entries.length
    await server.call('reinstate_public_image', { params: { id: image } })
    await server.call('revoke_public_image', { params: { id: image } })
    await makeEvents(account, 1)
    const later = () => reader.entries.slice(before)
    await reader.until(() => later().some(({ data }) => data.action === 'trust_level.updated'))
    return later().some(({ data }) => data.targets[0].id === image)
  }
  // The rights of a token are read again after two seconds, and its streams take them a second later.
  const patience = { usual_seconds: 3, every_milliseconds: 100 }
  await eventually('the reader sees the other workspace', seesOther, patience)
  await server.call('delete_grant', { params: { id: grant.id }, token: account.token })
  await eventually('the reader no longer sees it', async () => !(await seesOther()), patience)
  const shown = idsOf(reader.entries)
  assert.deepEqual([...shown].sort(), [...new Set(shown)].sort())
  const whole = (await listed(account)).map(({ id }) => id)
  assert.deepEqual(
    whole.filter((id) => shown.includes(id)),
    shown,
  )
})

test('open streams count against event_streams, and a further one gets 429', async () => {
  const account = await server.account()
  await server.call('put_account_limit', { params: { account: account.id, name: 'event_streams' }, body: { value: 2 } })
  const used = async () =>
    (await server.call('get_limit', { params: { name: 'event_streams' }, token: account.token })).used
  const readers = [await stream(account), await stream(account)]
  assert.equal(await used(), 2)
  const third = await stream(account)
  assert.equal(third.response.status, 429)
  assert.ok(third.response.headers.get('retry-after'))
  await third.toTheEnd()
  assert.match(third.text(), /"rate_limited"/)
  // A page of the list is no stream.
  assert.deepEqual(await listed(account), [])
  readers[0]?.leave()
  await eventually('the server has detected the closed stream', async () => {
    assert.equal(await used(), 1)
    return true
  })
  assert.equal((await stream(account)).response.status, 200)
})

test('a stream ends after its token', async () => {
  const account = await server.account()
  const { id, token } = await makeToken(server, account, { event: ['list'] })
  const reader = await stream({ token })
  await server.call('delete_token', { params: { id }, token: account.token })
  await reader.toTheEnd()
})

test('a cursor that is gone gets 410, or with on_gap=continue one gap and then the oldest events', async () => {
  const account = await server.account()
  await makeEvents(account, 2)
  const old = (await listed(account))[1].cursor
  await server.advance(5 * day)
  await makeEvents(account, 2)
  await server.advance(3 * day)
  const headers = { 'last-event-id': old }
  const refused = await server.attempt('list_events', {
    token: account.token,
    headers: { ...headers, accept: 'text/event-stream' },
  })
  assert.deepEqual([refused.status, refused.body.error.type], [410, 'gone'])
  const reader = await stream(account, 'on_gap=continue', headers)
  await reader.take(3)
  const [gap, ...events] = reader.entries
  assert.equal(gap?.event, 'gap')
  assert.deepEqual(gap?.data, { object: 'gap', reason: 'expired' })
  assert.deepEqual(
    events.map(({ data }) => data),
    await listed(account),
  )
  // The id of the gap is a cursor before the oldest event.
  assert.deepEqual(await listed(account, `starting_after=${gap?.id}`), await listed(account))
  // Without events, it is a cursor at the end of the log.
  await server.advance(8 * day)
  const empty = await stream(account, 'on_gap=continue', headers)
  const [next] = await empty.take(1)
  await server.advance(day)
  const resumed = await stream(account, '', { 'last-event-id': next?.id as string })
  assert.equal(resumed.response.status, 200)
  await makeEvents(account, 1)
  const [both, alone] = [await empty.take(2), await resumed.take(1)]
  assert.equal(both[1]?.data.id, alone[0]?.data.id)
  const everywhere = await makeAccountToken(server, account, { event: ['list'] })
  assert.equal((await stream(everywhere, '', { 'last-event-id': next?.id as string })).response.status, 200)
})
