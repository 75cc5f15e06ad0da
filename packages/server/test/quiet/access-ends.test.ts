/** Within which time the end of a token or a grant acts: on every replica, under load, and on an open stream. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { closeStreamsAfterwards, openEvents } from '../events/stream-reader.ts'
import { makeToken, whenRefused } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const database = await createTestDatabase()
atEnd(() => database[Symbol.asyncDispose]())
const shared = { target: database.target, keys: loadKeys(makeKeys('sandbox', createCryptoRandom())) }
const replicas = [await startTestServer(shared), await startTestServer(shared)] as const
closeStreamsAfterwards()
const [server] = replicas
const account = await server.account()
const rights = { pool: ['*'] }

/** A second, and the requests that tell. */
const millisecondsMax = 2_000

/** Other requests at both replicas, which let the reads of tokens wait. */
async function load(): Promise<void> {
  await Promise.all(replicas.flatMap((one) => Array.from({ length: 5 }, () => one.attempt('list_pools'))))
}

/** How long after `end` the requests of a token get this status on every replica. */
async function millisecondsToEnd(token: string, status: number, end: () => Promise<unknown>): Promise<number> {
  const ask = (one: TestServer) => one.attempt('list_pools', { token })
  for (const one of replicas) assert.equal((await ask(one)).status, 200)
  await end()
  const began = performance.now()
  for (const one of replicas) {
    const refused = await whenRefused(async () => {
      await load()
      return ask(one)
    })
    assert.equal(refused.status, status)
  }
  return performance.now() - began
}

for (let round = 1; round <= 3; round++) {
  test(`under load, a deleted token and a deleted grant act within a second everywhere: ${round}`, async () => {
    const { token: by } = account
    const [deleted, stripped] = [await makeToken(server, account, rights), await makeToken(server, account, rights)]
    const { data } = await server.call('list_grants', { query: { principal_id: [stripped.id] }, token: by })
    const took = await Promise.all([
      millisecondsToEnd(deleted.token, 401, () =>
        server.call('delete_token', { params: { id: deleted.id }, token: by }),
      ),
      millisecondsToEnd(stripped.token, 403, () =>
        server.call('delete_grant', { params: { id: data[0].id }, token: by }),
      ),
    ])
    for (const milliseconds of took) assert.ok(milliseconds < millisecondsMax, `${milliseconds} ms`)
  })
}

test('a stream ends within five seconds after its token', async () => {
  const { id, token } = await makeToken(server, account, { event: ['list'] })
  const reader = await openEvents(server.url, { token })
  await server.call('delete_token', { params: { id }, token: account.token })
  const began = performance.now()
  await reader.toTheEnd()
  const took = performance.now() - began
  assert.ok(took < 5_000, `${took} ms`)
})
