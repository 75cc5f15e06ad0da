/** What must take a while does: a delay that was asked for, and a wait before a refusal. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startHeldCalls } from '../contract/held-calls.ts'
import { startTestServer } from '../support/server.ts'

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('a fault of latency delays a response by its time', async () => {
  const server = await startTestServer()
  const { token } = await server.account()
  const body = { kind: 'http_latency', milliseconds: 300, operation: 'list_firewalls' } as const
  await server.call('create_fault', { body })
  // A timer counts whole milliseconds.
  assert.ok((await millisecondsOf(() => server.call('list_firewalls', { token }))) >= 299)
})

test('a call waits two seconds for another one with its key before it is refused', async () => {
  const { slow, hold } = await startHeldCalls()
  const { token } = await slow.account()
  const held = await hold('/preview/v2/firewalls', { token, body: {} })
  const waited = await millisecondsOf(async () => assert.equal((await held.again()).status, 409))
  assert.ok(waited > 1_900, `${waited} ms`)
  assert.equal((await held.release()).status, 201)
})
