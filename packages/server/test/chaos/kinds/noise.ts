/** One account that asks for more than its share. */
import { pause } from '@bourse/text/time/pause.ts'
import { sendPatiently } from '../load.ts'
import type { ChaosAccount } from '../setting.ts'
import type { Stage } from '../stage.ts'
import { lists } from '../verdict.ts'
import type { ChaosKind } from './kind.ts'

const callers = 32

export const noisyAccount: ChaosKind = {
  what: `One account sends as fast as it can from ${callers} callers, beside ten that stay within their rates.`,
  promise: 'The others are never refused for their rate, and need no more than the retries of the SDK.',
  database: 'synchronous pair',
  goals: { limits_nobody: true, retries_suffice: true },
  inject: async (stage, fault) => {
    const { noisy } = stage.database.world
    const ended = new AbortController()
    const statuses = new Map<number, number>()
    fault.begin()
    const work = Array.from({ length: callers }, () => call(stage, { noisy, statuses, ended: ended.signal }))
    await pause(fault.milliseconds)
    ended.abort()
    await Promise.all(work)
    fault.end()
    stage.note(`the noisy account got ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  },
}

type Noise = {
  readonly noisy: ChaosAccount
  readonly statuses: Map<number, number>
  readonly ended: AbortSignal
}

async function call({ balancer }: Stage, { noisy, statuses, ended }: Noise): Promise<void> {
  const headers = { authorization: `Bearer ${noisy.token}`, 'content-type': 'application/json' }
  for (let turn = 0; !ended.aborted; turn++) {
    const write = { method: 'POST', headers, body: '{}' }
    const sent = turn % 2 === 0 ? write : { headers }
    const { status } = await sendPatiently(`${balancer.url}${lists.firewalls}`, sent)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}
