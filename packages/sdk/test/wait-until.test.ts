import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../src/client.ts'
import { NotFoundError, UnreachableStateError, WaitTimeoutError } from '../src/errors.ts'
import { answerError, answerJson, startPeer } from './peer.ts'

/** A client of a peer that returns an instance in one state after the other, and then always in the last one. */
async function clientOf(...states: string[]) {
  const peer = await startPeer((response, _, number) => {
    const state = states[Math.min(number, states.length - 1)]
    if (state === 'trouble') answerError(response, 503, 'api_error')
    else if (state === 'absent') answerError(response, 404, 'not_found')
    else answerJson(response, 200, { object: 'instance', id: 'inst_1', state })
  })
  return { client: createClient({ token: 'a', baseUrl: peer.url, maxRetries: 0 }), requests: peer.requests }
}

test('an instance is polled until it is in the state, through unknown states and transient errors', async () => {
  const { client, requests } = await clientOf('awaiting_allocation', 'warming_up', 'trouble', 'running')
  const instance = await client.instances.waitUntil('inst_1', 'running', { interval: 1 })
  assert.equal(instance.state, 'running')
  assert.equal(requests.length, 4)
})

test('a state that can no longer be reached ends the wait', async () => {
  const { client, requests } = await clientOf('failed')
  await assert.rejects(client.instances.waitUntil('inst_1', 'running'), (error) => {
    return error instanceof UnreachableStateError && error.state === 'failed'
  })
  assert.equal(requests.length, 1)
})

test('the wait ends at its time limit, and the error has the last state', async () => {
  const { client } = await clientOf('awaiting_allocation')
  await assert.rejects(client.instances.waitUntil('inst_1', 'running', { timeout: 60, interval: 10 }), (error) => {
    return error instanceof WaitTimeoutError && error.state === 'awaiting_allocation'
  })
})

test('an absent instance gives NotFoundError, and a signal aborts the wait', async () => {
  const { client } = await clientOf('absent')
  await assert.rejects(client.instances.waitUntil('inst_1', 'terminated'), NotFoundError)
  const reason = new Error('enough')
  const controller = new AbortController()
  const peer = await startPeer((response) => {
    answerJson(response, 200, { state: 'running' })
    response.on('close', () => controller.abort(reason))
  })
  const other = createClient({ token: 'a', baseUrl: peer.url })
  const { signal } = controller
  await assert.rejects(other.instances.waitUntil('inst_1', 'terminated', { signal }), reason)
})

test('a wait takes several states or a condition, and shows each response', async () => {
  const { client } = await clientOf('pending', 'partially_filled', 'cancelled')
  const seen: string[] = []
  const order = await client.orders.waitUntil('ordr_1', ['filled', 'cancelled'], {
    interval: 1,
    onPoll: ({ state }) => void seen.push(state),
  })
  assert.equal(order.state, 'cancelled')
  assert.deepEqual(seen, ['pending', 'partially_filled', 'cancelled'])
  const { client: other } = await clientOf('active', 'draining')
  const host = await other.hosts.waitUntil('host_1', ({ state }) => state !== 'active', { interval: 1 })
  assert.equal(host.state, 'draining')
})

test('several states are out of reach only together, and a condition never is', async () => {
  const { client } = await clientOf('filled')
  await assert.rejects(client.orders.waitUntil('ordr_1', ['standing', 'cancelled']), UnreachableStateError)
  assert.equal((await client.orders.waitUntil('ordr_1', ['cancelled', 'filled'])).state, 'filled')
  const { client: partly } = await clientOf('partially_filled', 'cancelled')
  const ended = await partly.orders.waitUntil('ordr_1', ['standing', 'cancelled'], { interval: 1 })
  assert.equal(ended.state, 'cancelled')
  await assert.rejects(
    client.orders.waitUntil('ordr_1', () => false, { timeout: 30, interval: 10 }),
    (error) => error instanceof WaitTimeoutError && error.state === 'filled',
  )
})

test('each kind with states has its waiter, and those without known transitions end only at the limit', async () => {
  const { client } = await clientOf('executed')
  const limits = { timeout: 20, interval: 5 }
  for (const kind of ['poolTransfers', 'webhooks', 'pools', 'deployments', 'procurements'] as const) {
    const wait = client[kind].waitUntil as (id: string, state: string, options: object) => Promise<{ state: string }>
    assert.equal((await wait('x_1', 'executed', limits)).state, 'executed')
    await assert.rejects(wait('x_1', 'rejected', limits), WaitTimeoutError)
  }
  for (const [kind, state] of [
    ['instances', 'running'],
    ['images', 'completed'],
    ['orders', 'filled'],
    ['hosts', 'active'],
  ] as const) {
    const { client: other } = await clientOf('trouble', state)
    const wait = other[kind].waitUntil as (id: string, state: string, options: object) => Promise<{ state: string }>
    assert.equal((await wait('x_1', state, { interval: 1 })).state, state)
  }
})
