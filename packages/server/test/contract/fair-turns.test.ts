import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Commands of one account that stop before their transaction begins, until the test lets them go on. */
function createPause(expected: number) {
  const reached = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let started = 0
  const failpoint = (name: string, requestId: string): Promise<void> | undefined => {
    if (name !== 'before_claim' || !requestId.startsWith('paused-')) return undefined
    started += 1
    if (started === expected) reached.resolve()
    return over.promise
  }
  return { started: () => started, failpoint, reached: reached.promise, letGoOn: () => over.resolve() }
}

/** Deletes a deployment that does not exist. The operation has neither a rate nor a place. */
function deletion(server: TestServer, token: string, id: string) {
  return server.attempt('delete_deployment', { params: { id: 'depl_absent' }, token, headers: { 'X-Request-Id': id } })
}

test('an account that deletes deployments as fast as it can leaves connections to the others', async () => {
  const pause = createPause(12)
  const server = await startTestServer({ failpoint: pause.failpoint })
  const [greedy, quiet] = [await server.account(), await server.account()]
  const deletions = Array.from({ length: 60 }, (_, number) => deletion(server, greedy.token, `paused-${number}`))
  await pause.reached
  const made = await server.attempt('create_firewall', { token: quiet.token, body: {} })
  const started = pause.started()
  pause.letGoOn()
  assert.equal(made.status, 201, made.text)
  assert.equal(started, 12, 'the others wait for a turn')
  for (const response of await Promise.all(deletions)) assert.equal(response.status, 404, response.text)
})

test('a request that waits too long for a turn of its account is 429, or 503 if its operation has no 429', async () => {
  const pause = createPause(12)
  const server = await startTestServer({ failpoint: pause.failpoint })
  const { token } = await server.account()
  const deletions = Array.from({ length: 12 }, (_, number) => deletion(server, token, `paused-${number}`))
  await pause.reached
  const [limited, unlisted] = await Promise.all([
    server.attempt('create_firewall', { token, body: {} }),
    deletion(server, token, 'one-more'),
  ])
  pause.letGoOn()
  assert.deepEqual([limited.status, limited.body.error.type], [429, 'rate_limited'])
  assert.deepEqual([unlisted.status, unlisted.body.error.type], [503, 'api_error'])
  for (const { headers } of [limited, unlisted]) assert.equal(headers.get('retry-after'), '1')
  await Promise.all(deletions)
})
