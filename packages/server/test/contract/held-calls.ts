/** Two replicas, one of which holds a call that has claimed its idempotency key and has not committed. */
import { atEnd } from '../../../../test/at-end.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts'

export type HeldCalls = {
  readonly slow: TestServer
  readonly other: TestServer
  /** Returns what sends the call to either replica. The slow one has claimed the key and holds its call by then. */
  hold(path: string, options: { readonly token: string; readonly body: object }): Promise<HeldCall>
}

export type HeldCall = {
  /** Sends the same call with the same key to the other replica. */
  again(): Promise<TestResponse>
  /** Lets the first call commit, and returns its answer. */
  release(): Promise<TestResponse>
}

export async function startHeldCalls(): Promise<HeldCalls> {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  const keys = loadKeys(makeKeys('sandbox', createCryptoRandom()))
  /** Called when the next call has claimed its key, which waits for its end. */
  let onClaim: (() => Promise<void>) | undefined
  const slow = await startTestServer({
    target: database.target,
    keys,
    // A call is held for as long as a test takes.
    idle_milliseconds: 600_000,
    failpoint: (name, requestId) => {
      // Steps of reconcilers and other work of the system have no key.
      if (name !== 'after_claim' || !requestId.startsWith('req_')) return undefined
      const held = onClaim?.()
      onClaim = undefined
      return held
    },
  })
  const other = await startTestServer({ target: database.target, keys })
  const hold: HeldCalls['hold'] = async (path, options) => {
    const sent = { ...options, headers: { 'Idempotency-Key': 'in-use' } }
    const claimed = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    onClaim = () => {
      claimed.resolve()
      return released.promise
    }
    const first = slow.request('POST', path, sent)
    await claimed.promise
    const release = () => {
      released.resolve()
      return first
    }
    return { again: () => other.request('POST', path, sent), release }
  }
  return { slow, other, hold }
}
