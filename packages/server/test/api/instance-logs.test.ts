import assert from 'node:assert/strict'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import { enrol } from '../support/agents.ts'
import { grantNodes, makeCapacity } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { assertRights, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const operator = await platformAccount(server)
const account = await server.account()
const { token } = account
const sku = await makeSku(server)
const permit = await server.call('create_host_enrolment', { token: operator.token, body: { sku, slots: 8, uses: 2 } })
const agent = await enrol(server, permit.token)
const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
const pool = await grantNodes(server, account, { sku, supply, nodes: 8 })
const image = (await makeImage(server, account)).id
await server.advance(60)

type Chunk = { seqnum: number; logged_at: number; data: string }

function chunks(from: number, count: number, bytes = 4): Chunk[] {
  return Array.from({ length: count }, (_, index) => {
    const seqnum = from + index
    const data = Buffer.alloc(bytes, `${seqnum % 10}`).toString('base64')
    return { seqnum, logged_at: 1_000 + seqnum, data }
  })
}

/** An instance that is placed on the host. */
async function placed(): Promise<string> {
  const { generation } = await agent.call('get_desired_state')
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await agent.call('get_desired_state', { query: { generation, wait_seconds: 55 } })
  return id
}

function append(id: string, sent: readonly object[], by = agent) {
  return by.attempt('append_instance_logs', { params: { id }, body: { chunks: sent } })
}

async function read(id: string, query = ''): Promise<{ data: Chunk[]; has_more: boolean }> {
  return server.call('list_instance_logs', { params: { id }, query, token })
}

async function numbers(id: string, query = ''): Promise<number[]> {
  return (await read(id, query)).data.map(({ seqnum }) => seqnum)
}

test('append_instance_logs stores each chunk once, even if it is sent again', async () => {
  const id = await placed()
  assert.deepEqual(await read(id), { object: 'list', data: [], has_more: false })
  assert.deepEqual((await append(id, [])).body, { next_seqnum: 1 })
  assert.deepEqual((await append(id, chunks(1, 3))).body, { next_seqnum: 4 })
  assert.deepEqual((await append(id, chunks(2, 4))).body, { next_seqnum: 6 })
  assert.deepEqual((await read(id)).data, chunks(1, 5))
  // The server does not wait for chunks that the host has discarded.
  assert.deepEqual((await append(id, chunks(9, 1))).body, { next_seqnum: 10 })
  const sent = await Promise.all(Array.from({ length: 8 }, () => append(id, chunks(10, 20))))
  assert.deepEqual(new Set(sent.map(({ body }) => body.next_seqnum)), new Set([30]))
  assert.deepEqual(await numbers(id), [1, 2, 3, 4, 5, 9, ...chunks(10, 20).map(({ seqnum }) => seqnum)])
})

test('list_instance_logs returns any range in both directions, and shows whether there is more', async () => {
  const id = await placed()
  await append(id, chunks(1, 120))
  for (const [query, first, last, has_more] of [
    ['', 1, 100, true],
    ['limit=2500', 1, 120, false],
    ['seqnum_after=101', 101, 120, false],
    ['seqnum_after=5&seqnum_before=7', 5, 7, false],
    ['logged_after=1005&logged_before=1007', 5, 7, false],
    ['sort_by=-seqnum&limit=3', 120, 118, true],
    ['sort_by=-seqnum&seqnum_before=2', 2, 1, false],
  ] as const) {
    const response = await read(id, query)
    const seqnums = response.data.map(({ seqnum }) => seqnum)
    assert.deepEqual([seqnums[0], seqnums.at(-1), response.has_more], [first, last, has_more], query)
  }
  for (const [query, code, field] of [
    ['limit=0', 'out_of_range', 'limit'],
    ['limit=2501', 'out_of_range', 'limit'],
    ['sort_by=logged_at', 'invalid_value', 'sort_by'],
    ['seqnum_after=-1', 'out_of_range', 'seqnum_after'],
    ['colour=red', 'unknown_field', 'colour'],
  ]) {
    const response = await server.attempt('list_instance_logs', { params: { id }, query, token })
    assert.deepEqual(refusalOf(response), [400, code, field], query)
  }
})

test('a page of logs has at most 1 MiB, and the next one goes on after it', async () => {
  const id = await placed()
  for (let from = 1; from <= 512; from += 256) await append(id, chunks(from, 256, 4096))
  const pages: { data: Chunk[]; has_more: boolean }[] = []
  for (let next = 1; next <= 512; ) {
    const { text, body } = await server.attempt('list_instance_logs', {
      params: { id },
      query: { limit: 2500, seqnum_after: next },
      token,
    })
    assert.ok(text.length <= 1_048_576, `${text.length} bytes`)
    pages.push(body)
    next = body.data.at(-1).seqnum + 1
    assert.equal(body.has_more, next <= 512)
  }
  assert.ok(pages.length <= 3, `${pages.length} pages`)
  const seqnums = pages.flatMap(({ data }) => data.map(({ seqnum }) => seqnum))
  assert.deepEqual(
    seqnums,
    chunks(1, 512).map(({ seqnum }) => seqnum),
  )
  const newest = await read(id, 'limit=2500&sort_by=-seqnum')
  assert.deepEqual([newest.data[0]?.seqnum, newest.has_more], [512, true])
})

test('the newest 16 MiB of a console are kept', async () => {
  const id = await placed()
  for (let from = 1; from <= 4_352; from += 256) {
    assert.equal((await append(id, chunks(from, 256, 4096))).status, 200)
  }
  assert.deepEqual(await numbers(id, 'limit=1'), [257])
  assert.deepEqual(await numbers(id, 'limit=1&sort_by=-seqnum'), [4352])
})

test('at most 16,384 chunks of a console are kept, however short they are', async () => {
  const id = await placed()
  const before = 17_000 - 1_000
  for (let from = 1; from <= 17_000; from += 250) {
    const body = chunks(from, 250, from > before ? 0 : 1)
    assert.equal((await append(id, body)).status, 200)
  }
  assert.deepEqual(await numbers(id, 'limit=1'), [17_000 - 16_384 + 1])
})

test('a request with too large, too many or invalid chunks stores none of them', async () => {
  const id = await placed()
  for (const [sent, field] of [
    [[...chunks(1, 1), { ...chunks(2, 1)[0], data: 'a' }], 'chunks.1.data'],
    [chunks(1, 1, 4097), 'chunks.0.data'],
    [chunks(1, 257), 'chunks'],
    [chunks(0, 1), 'chunks.0.seqnum'],
  ] as const) {
    const response = await append(id, sent)
    assert.deepEqual([response.status, response.body.error.details[0].field], [400, field], response.text)
  }
  assert.deepEqual(await numbers(id), [])
})

test('a host can append only logs of its own machines, and the record and its logs are deleted together', async () => {
  const id = await placed()
  const other = await enrol(server, permit.token)
  assert.equal((await append(id, chunks(1, 1), other)).status, 404)
  assert.equal((await append('inst_absent', chunks(1, 1))).status, 404)
  assert.equal((await append(id, chunks(1, 1))).status, 200)
  await server.call('terminate_instance', { params: { id }, token })
  assert.equal((await append(id, chunks(2, 1))).status, 200)
  assert.deepEqual(await numbers(id), [1, 2])
  await server.call('delete_instance', { params: { id }, token })
  assert.equal((await append(id, chunks(3, 1))).status, 404)
  assert.equal((await server.attempt('list_instance_logs', { params: { id }, token })).status, 404)
})

test('simulated machines also have consoles and host keys', async () => {
  const capacity = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const body = { pool: capacity.pool, sku: capacity.sku, image: capacity.image }
  const { id } = await server.call('create_instance', { token, body })
  await server.advance(30)
  const { data } = await read(id)
  assert.match(Buffer.from(data.map((chunk) => chunk.data).join(''), 'base64').toString(), /sshd: listening/)
  const ssh = await server.call('get_instance_ssh', { params: { id }, token })
  assert.equal(ssh.host_keys[0].key_type, 'ssh-ed25519')
  assert.match(Buffer.from(ssh.host_keys[0].key, 'base64').toString('latin1'), /ssh-ed25519/)
})

test('each operation needs its verb', async () => {
  const capacity = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const body = { pool: capacity.pool, sku: capacity.sku, image: capacity.image }
  const { id } = await server.call('create_instance', { token, body })
  await server.advance(30)
  await assertRights(server, account, 'instance', {
    list_instance_logs: { method: 'GET', path: `/v2/instances/${id}/logs`, verb: 'read' },
    get_instance_ssh: { method: 'GET', path: `/v2/instances/${id}/ssh`, verb: 'read' },
  })
})
