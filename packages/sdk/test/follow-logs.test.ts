import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { createClient } from '../src/client.ts'
import { NotFoundError } from '../src/errors.ts'
import { readServerEvents } from '../src/server-events.ts'
import { answerError, startPeer } from './peer.ts'

const id = 'inst_1'
const line = (seqnum: number) => `id: ${seqnum}\ndata: {"seqnum":${seqnum},"logged_at":1,"data":"eA=="}\n\n`

async function numbers(chunks: AsyncIterable<{ seqnum: number }>): Promise<number[]> {
  const seen: number[] = []
  for await (const { seqnum } of chunks) seen.push(seqnum)
  return seen
}

test('followLogs yields the console from the first chunk to the end of the machine', async () => {
  const server = await startTestServer()
  const account = await server.account()
  const { pool, sku, image } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const client = createClient({ token: account.token, baseUrl: server.url })
  const instance = await client.instances.create({ pool, sku, image } as never)
  await server.advance(60)
  const listed = (await client.instances.listLogs(instance.id)).data.map(({ seqnum }) => seqnum)
  const seen: number[] = []
  for await (const { seqnum } of client.instances.followLogs(instance.id, { interval: 10 })) {
    if (seen.push(seqnum) === listed.length) {
      await client.instances.terminate(instance.id)
      await server.advance(1)
    }
  }
  assert.deepEqual(seen, listed)
  assert.deepEqual(await numbers(client.instances.followLogs(instance.id, { after: listed.at(-1), interval: 10 })), [])
  await assert.rejects(numbers(client.instances.followLogs('inst_absent')), NotFoundError)
})

test('a stream that breaks or ends is opened again after the last chunk, until no chunk can follow', async () => {
  const peer = await startPeer((response, { headers }, number) => {
    if (number === 1) return answerError(response, 503, 'api_error', { headers: { 'retry-after': '0' } })
    if (number === 4) return response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 2000\n\n:\n\n')
    if (number === 0) {
      // Cut in the middle of the second chunk.
      response.write(line(1) + line(2).slice(0, 20))
      return void setImmediate(() => response.destroy())
    }
    assert.equal(headers.accept, 'text/event-stream')
    response.end(line(number))
  })
  const client = createClient({ token: 't', baseUrl: peer.url, maxRetries: 0 })
  assert.deepEqual(await numbers(client.instances.followLogs(id, { interval: 5 })), [1, 2, 3])
  assert.deepEqual(
    peer.requests.map(({ headers }) => headers['last-event-id']),
    [undefined, '1', '1', '2', '3'],
  )
})

test('the caller’s signal ends a waiting iteration, and the silence limit ends a dead connection', async () => {
  const peer = await startPeer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(line(1))
  })
  const client = createClient({ token: 't', baseUrl: peer.url })
  const leaving = new AbortController()
  const seen: number[] = []
  for await (const { seqnum } of client.instances.followLogs(id, { signal: leaving.signal })) {
    seen.push(seqnum)
    queueMicrotask(() => leaving.abort())
  }
  assert.deepEqual(seen, [1])
  const { body } = await fetch(peer.url)
  const events = readServerEvents(body as ReadableStream<Uint8Array>, { silence: 50 })
  assert.equal((await events.next()).value?.id, '1')
  assert.equal((await events.next()).done, true)
})
