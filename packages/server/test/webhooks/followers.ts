/** Readers of event logs that go on while servers are killed, as clients behind a load balancer do. */
import assert from 'node:assert/strict'
import { createClient } from '@bourse/sdk/client.ts'
import { eventually } from '../../../../test/eventually.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import type { TradingReplicas } from '../restart/trading/replicas.ts'
import type { TestAccount } from '../support/server.ts'

/** One reader: the ids of the events that it has got, in this order. */
export type FollowedEvents = {
  readonly ids: readonly string[]
  /** Waits until it has got this many events. */
  until(count: number): Promise<void>
}

export type Followers = AsyncDisposable & {
  /** The gaps that readers were told. */
  readonly gaps: readonly unknown[]
  /** Reads the log of an account by stream or by poll. */
  follow(account: TestAccount, options: { streams: boolean; filters: { action?: string } }): FollowedEvents
}

/** Readers whose requests go to any of some servers. They end with the test. */
export function openFollowers(replicas: TradingReplicas, servers: number): Followers {
  const random = createSeededRandom('followers')
  const ending = new AbortController()
  const gaps: unknown[] = []
  const running: Promise<void>[] = []
  const balanced: typeof fetch = (url, init) => {
    const { pathname, search } = new URL(String(url))
    return fetch(replicas.server(random.integer(servers)).url + pathname + search, init)
  }
  return {
    gaps,
    follow: ({ token }, options) => {
      const client = createClient({ token, baseUrl: 'http://balanced.example', fetch: balanced })
      const ids: string[] = []
      const read = async () => {
        const onGap = (gap: unknown) => void gaps.push(gap)
        const wanted = { ...options, interval: 50, signal: ending.signal, onGap }
        for await (const { id, action } of client.events.follow(wanted)) if (action.startsWith('image.')) ids.push(id)
      }
      running.push(read())
      return {
        ids,
        until: async (count) => {
          await eventually(`a reader has ${count} events (${JSON.stringify(options)})`, () => {
            assert.ok(ids.length >= count, `${ids.length} were read`)
            return true
          })
        },
      }
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await Promise.allSettled(running)
    },
  }
}
