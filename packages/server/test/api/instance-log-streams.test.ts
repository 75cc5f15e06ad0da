import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { makeToken, platformAccount } from '../support/access.ts'
import { enrol } from '../support/agents.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const operator = await platformAccount(server)
const account = await server.account()
const { token } = account
const sku = await makeSku(server)
const permit = await server.call('create_host_enrolment', { token: operator.token, body: { sku, slots: 8 } })
const agent = await enrol(server, permit.token)
const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
const pool = await grantNodes(server, account, { sku, supply, nodes: 8 })
const image = (await makeImage(server, account)).id
await server.advance(60)

const open: AbortController[] = []
afterAll(() => {
  for (const controller of open) controller.abort()
})

/** An instance that is placed on the host. */
async function placed(): Promise<string> {
  const { generation } = await agent.call('get_desired_state')
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await agent.call('get_desired_state', { query: { generation, wait_seconds: 55 } })
  return id
}

function append(id: string, from: number, count: number) {
  const chunks = Array.from({ length: count }, (_, index) => {
    const seqnum = from + index
    return { seqnum, logged_at: 1_000 + seqnum, data: Buffer.from(`line ${seqnum}\n`).toString('base64') }
  })
  return agent.call('append_instance_logs', { params: { id }, body: { chunks } })
}

async function stop(id: string): Promise<void> {
  await server.call('terminate_instance', { params: { id }, token })
  const { generation, instances } = await agent.call('get_desired_state')
  const own = instances.find((one) => one.id === id)
  const entry = { id, generation: own.generation, state: 'stopped' } as const
  await agent.call('report_host', { body: { epoch: agent.epoch, generation, health: 'healthy', instances: [entry] } })
}

type StreamOpeningOptions = { path?: string; query?: string; headers?: Record<string, string>; by?: string }

function request(
  id: string,
  { path = 'logs', query = '', headers = {}, by = token }: StreamOpeningOptions = {},
): Promise<Response> {
  const controller = new AbortController()
  open.push(controller)
  const all = { authorization: `Bearer ${by}`, accept: 'text/event-stream', ...headers }
  return fetch(`${server.url}/v2/instances/${id}/${path}?${query}`, { headers: all, signal: controller.signal })
}

/** Reads the text of a stream while it arrives. */
function reader(response: Response) {
  const parts = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const ids = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  /** Reads until the condition is true. Returns false if the stream ends first. */
  const until = async (holds: () => boolean): Promise<boolean> => {
    while (!holds()) {
      const { done, value } = await parts.read()
      if (done) return false
      text += value
    }
    return true
  }
  return { ids, until, text: () => text, toTheEnd: () => until(() => false), leave: () => parts.cancel() }
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

test('list_instance_logs streams stored and new chunks, and ends when the machine is gone', async () => {
  const id = await placed()
  await append(id, 1, 120)
  const response = await request(id)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.ok(response.headers.get('x-request-id'))
  assert.match(response.headers.get('ratelimit-policy') ?? '', /^"read"/)
  const stream = reader(response)
  assert.ok(await stream.until(() => stream.ids().length >= 120))
  await append(id, 121, 3)
  assert.ok(await stream.until(() => stream.ids().length >= 123))
  await append(id, 124, 1)
  await stop(id)
  await stream.toTheEnd()
  assert.deepEqual(stream.ids(), numbers(1, 124))
  const [first, second] = stream.text().split('\n\n')
  assert.equal(first, 'retry: 2000')
  const data = Buffer.from('line 1\n').toString('base64')
  assert.equal(second, `id: 1\ndata: ${JSON.stringify({ seqnum: 1, logged_at: 1001, data })}`)

  const again = reader(await request(id, { headers: { 'last-event-id': '122' }, query: 'seqnum_after=5' }))
  await again.toTheEnd()
  assert.deepEqual(again.ids(), [123, 124])
  const over = await request(id, { headers: { 'last-event-id': '124' } })
  assert.deepEqual([over.status, await over.text()], [204, ''])
})

test('stream_instance_logs has a path of its own, with the errors of the list, and needs no Accept', async () => {
  const id = await placed()
  await append(id, 1, 3)
  await stop(id)
  const opening = { path: 'logs/stream', headers: { accept: 'application/json' } }
  const response = await request(id, opening)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const stream = reader(response)
  await stream.toTheEnd()
  assert.deepEqual(stream.ids(), [1, 2, 3])
  const over = await request(id, { ...opening, headers: { 'last-event-id': '3' } })
  assert.equal(over.status, 204)
  const refused = async (path: string) => refusalOf(await server.request('GET', path, { token }))[0]
  assert.equal(await refused(`/v2/instances/${id}/logs/stream?sort_by=-seqnum`), 422)
  assert.equal(await refused('/v2/instances/inst_none/logs/stream'), 404)
})

test('a stream begins at the requested chunk and ends with its range', async () => {
  const id = await placed()
  await append(id, 1, 9)
  const ranged = reader(await request(id, { query: 'seqnum_after=3&seqnum_before=12&limit=2' }))
  await ranged.until(() => ranged.ids().length >= 7)
  await append(id, 10, 9)
  await ranged.toTheEnd()
  assert.deepEqual(ranged.ids(), numbers(3, 10))
  const timed = reader(await request(id, { query: 'logged_after=1017&logged_before=1018' }))
  await timed.toTheEnd()
  assert.deepEqual(timed.ids(), [17, 18])
})

test('a request that prefers JSON gets the list, and a refused stream is a JSON error', async () => {
  const id = await placed()
  await append(id, 1, 1)
  for (const accept of ['application/json', '*/*', 'text/event-stream;q=0.5, application/json']) {
    const response = await request(id, { headers: { accept } })
    assert.match(await response.text(), /^\{"object":"list"/)
    assert.equal(response.headers.get('vary'), 'Accept')
  }
  const head = await server.request('HEAD', `/v2/instances/${id}/logs`, {
    token,
    headers: { accept: 'text/event-stream' },
  })
  assert.match(head.headers.get('content-type') ?? '', /^application\/json/)
  const accept = { accept: 'text/event-stream, application/json' }
  const refused = (query: string, headers = {}) =>
    server.attempt('list_instance_logs', { params: { id }, query, token, headers: { ...accept, ...headers } })
  assert.deepEqual(refusalOf(await refused('sort_by=-seqnum')), [422, 'mutually_exclusive', 'sort_by'])
  for (const last of ['x', '-1', '1.5', '99999999999999999']) {
    assert.deepEqual(refusalOf(await refused('', { 'last-event-id': last })), [400, 'invalid_format', 'Last-Event-ID'])
  }
  const stranger = await server.account()
  assert.equal((await request(id, { by: stranger.token })).status, 404)
})

test('streams count against event_streams until they end', async () => {
  const id = await placed()
  await server.call('put_account_limit', { params: { account: account.id, name: 'event_streams' }, body: { value: 2 } })
  const used = async () => (await server.call('get_limit', { params: { name: 'event_streams' }, token })).used
  const usedOnce = (count: number) =>
    eventually('the server has detected the closed streams', async () => {
      assert.equal(await used(), count)
      return true
    })
  await usedOnce(0)
  const streams = [reader(await request(id)), reader(await request(id))]
  assert.equal(await used(), 2)
  const third = await request(id)
  assert.equal(third.status, 429)
  assert.match(await third.text(), /"rate_limited"/)
  assert.ok(third.headers.get('retry-after'))
  await streams[0]?.leave()
  await usedOnce(1)
  assert.equal((await request(id)).status, 200)
  await server.call('delete_account_limit', { params: { account: account.id, name: 'event_streams' } })
})

test('a stream ends within seconds after its token, and when the record of its instance is deleted', async () => {
  const id = await placed()
  const { id: tokenId, token: own } = await makeToken(server, account, { instance: ['read'] })
  const stream = reader(await request(id, { by: own }))
  const other = reader(await request(id))
  await server.call('delete_token', { params: { id: tokenId }, token })
  await stream.toTheEnd()
  await server.call('terminate_instance', { params: { id }, token })
  await server.call('delete_instance', { params: { id }, token })
  await other.toTheEnd()
})
