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
