/** One account that asks for more than its share. */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { attemptMilliseconds, isBeyondRate } from '../load.ts'
import type { Stage } from '../stage.ts'
import { countRefused, lists } from '../verdict.ts'
import type { ChaosKind } from './kind.ts'

const callers = 32
/** One call in so many is a write, which costs the database more than the others, and has a rate of its own. */
const callsPerWrite = 16
/** What costs a replica least, so that the rate of the account is reached on a slow machine too. */
const cheapRead = '/v2/skus'
/** The noise lasts until so many are refused, since the load says nothing while all is still allowed. */
const refusedMin = 100

export const noisyAccount: ChaosKind = {
  what:
    `One account sends as fast as it can from ${callers} callers, mostly reads, and is refused (429) for its rate or ` +
    'for too many requests at once, beside ten accounts that stay within their limits.',
  promise: 'The others are never refused for their rate, and need no more than the retries of the SDK.',
  database: 'synchronous pair',
  goals: { limits_noise: true, limits_nobody: true, retries_suffice: true },
  inject: async (stage, fault) => {
    const { noise } = stage
    const ended = new AbortController()
    const isRefused = () => {
      assert.ok(countRefused(noise) >= refusedMin, describe(stage))
      return true
    }
    fault.begin()
    const work = Array.from({ length: callers }, (_, first) => call(stage, { first, ended: ended.signal }))
    await pause(fault.milliseconds)
    // Where it is not, the verdict says so.
    await eventually(`${refusedMin} calls are refused`, isRefused).catch(() => undefined)
    fault.end()
    ended.abort()
    await Promise.all(work)
    stage.note(`the noisy account got ${describe(stage)}`)
  },
}

function describe({ noise }: Stage): string {
  return [...noise.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}

type NoisyCaller = { readonly first: number; readonly ended: AbortSignal }

async function call({ balancer, database, noise }: Stage, { first, ended }: NoisyCaller): Promise<void> {
  const headers = { authorization: `Bearer ${database.world.noisy.token}` }
  const write = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
  for (let turn = first; !ended.aborted; turn++) {
    const isWrite = turn % callsPerWrite === 0
    const url = `${balancer.url}${isWrite ? lists.firewalls : cheapRead}`
    const { status, has_retry_after } = await send(url, isWrite ? write : { headers })
    noise.statuses.set(status, (noise.statuses.get(status) ?? 0) + 1)
    if (status.startsWith('429') && !has_retry_after) noise.without_retry_after += 1
  }
}

/** Sends a call, and reads its answer whole, so that the connection is used again. */
async function send(url: string, init: RequestInit): Promise<{ status: string; has_retry_after: boolean }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(attemptMilliseconds) })
    await response.arrayBuffer()
    const has_retry_after = /^[1-9]\d{0,4}$/.test(response.headers.get('retry-after') ?? '')
    const isForAnother = response.status === 429 && !isBeyondRate(response)
    return { status: isForAnother ? '429 (too many at once)' : String(response.status), has_retry_after }
  } catch {
    // A server may close the connections of those that send too much.
    return { status: 'no answer', has_retry_after: false }
  }
}
