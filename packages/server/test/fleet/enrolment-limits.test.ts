import assert from 'node:assert/strict'
import { test } from 'vitest'
import { enrol, facts, introduction, makeHostKey } from '../support/agents.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

let transactions = 0
const server = await startTestServer({
  rate_multiplier: 4,
  // No bucket refills while the tests run.
  monotonic: () => 1_000_000,
  failpoint: (name, requestId) => {
    if (name === 'before_claim' && requestId !== 'system') transactions++
  },
})

async function makePermit(body: object = {}): Promise<string> {
  return (await server.call('create_host_enrolment', { body: { sku: await makeSku(server), ...body } })).token
}

function send(body: object): Promise<TestResponse> {
  return server.attempt('enrol_host', { token: null, body })
}

/** A token of the right form that no master key derives. */
function forged(token: string): string {
  return `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
}

test('an enrolment without a valid secret begins no transaction, and the rest of it is not validated', async () => {
  const token = await makePermit()
  const wrong = { facts: { accelerators: Array(100).fill(7) }, public_key: 5 }
  const before = transactions
  for (const enrol_token of [forged(token), 'bhe_absent', '', 7, null, undefined, { bhe_: 1 }]) {
    const response = await send({ ...wrong, enrol_token })
    assert.deepEqual([response.status, response.body.error.type], [401, 'authentication_error'], response.text)
  }
  for (const raw of ['[]', '7', 'null', '""']) {
    assert.equal((await server.attempt('enrol_host', { token: null, raw })).status, 401, raw)
  }
  assert.equal(transactions, before)
  assert.equal((await send({ ...wrong, enrol_token: token })).status, 400)
})

test('an enrolment has at most 16 KiB', async () => {
  const body = introduction(await makePermit(), makeHostKey(), { facts: { ...facts, more: 'x'.repeat(16_384) } })
  assert.deepEqual(refusalOf(await send(body)), [413, 'body_too_large', null])
})

test('the largest facts of a host take at most 16 KiB of a page of hosts', async () => {
  const token = await makePermit({ uses: 3 })
  const key = makeHostKey()
  const withAddresses = (count: number) => {
    const accelerators = Array.from({ length: 256 }, () => 'x'.repeat(40))
    const public_ipv4s = Array.from({ length: count }, (_, index) => `198.51.100.${index}`)
    return introduction(token, key, { facts: { ...facts, accelerators, public_ipv4s } })
  }
  const { host } = (await send(withAddresses(200))).body
  const { text, body } = await server.attempt('list_hosts', { query: { id: [host] } })
  assert.equal(body.data[0].facts.accelerators.length, 256)
  assert.ok(Buffer.byteLength(JSON.stringify(body.data[0].facts)) <= 16_384)
  assert.ok(Buffer.byteLength(text) <= 16_384 + 4096, `a page of one host has ${text.length} bytes`)
  assert.equal((await send({ ...withAddresses(200), more: 'x'.repeat(4_096) })).status, 413)
})

test('a permit has the rate limit of a token', async () => {
  const [token, other] = [await makePermit(), await makePermit()]
  const responses = await Promise.all(Array.from({ length: 250 }, () => send({ enrol_token: token })))
  const refused = responses.filter(({ status }) => status === 429)
  assert.equal(refused.length, 50)
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
  assert.equal((await enrol(server, other)).epoch, 1)
})

test('beyond the bucket of its address, an enrolment without a valid secret carries Retry-After', async () => {
  const token = await makePermit()
  const responses = await Promise.all(Array.from({ length: 80 }, () => send({ enrol_token: forged(token) })))
  assert.ok(responses.every(({ status }) => status === 401))
  assert.ok(responses.some(({ headers }) => Number(headers.get('retry-after')) >= 1))
  assert.equal((await enrol(server, token)).epoch, 1)
})
