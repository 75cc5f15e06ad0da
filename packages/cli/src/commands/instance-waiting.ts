/** Waits for the state of an instance, says what it waits for, and ends at once where it cannot start in time. */
import { instanceStates } from '@bourse/api/fleet/instance-states.ts'
import { ApiError, UnreachableStateError } from '@bourse/sdk/errors.ts'
import { readSpan, spanForms } from '@bourse/text/grammar/spans.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Session } from '../input/session.ts'
import { unknownWord } from '../input/suggestions.ts'
import { usageProblem } from '../output/usage.ts'
import { whileWaiting } from '../output/waits.ts'
import { prospectOf } from './instance-prospects.ts'

type InstanceId = `inst_${string}`

/** The state to wait for, and the longest wait. */
export type InstanceWait = { readonly state: string; readonly milliseconds: number }

/** Between two questions why an instance waits. Milliseconds. */
const askEvery = 2_000

/** Reads what to wait for: before anything is sent, since a refusal afterwards would hide what was made. */
export function readInstanceWait(state: string, timeout: string | undefined): InstanceWait {
  const states = Object.keys(instanceStates)
  if (!states.includes(state)) throw usageProblem(unknownWord('state of an instance', state, states))
  return { state, milliseconds: readTimeout(timeout) }
}

/**
 * Waits until an instance is in a state, and says so meanwhile. Where it waits for allocation that its pool will not
 * have in time, and nothing buys for this pool, it throws UnreachableStateError with the reason.
 */
export async function waitForInstance(session: Session, id: InstanceId, { state, milliseconds }: InstanceWait) {
  const ending = new AbortController()
  const { signal } = ending
  let reason = ''
  const watch = { id, milliseconds, signal, tell: (text: string) => (reason = text) }
  const wait = { what: () => `Waiting for ${id} to become ${state}.${reason}`, stays: 'the instance' }
  return whileWaiting(session.terminal, wait, async () => {
    const reached = session.client.instances.waitUntil(id, state, { timeout: milliseconds, signal })
    try {
      if (state !== 'running') return await reached
      return await Promise.race([reached, refuseWhereHopeless(session, watch)])
    } finally {
      ending.abort()
    }
  })
}

/** Converts a duration to milliseconds. The default is 10 minutes. */
function readTimeout(text: string | undefined): number {
  const seconds = readSpan(text ?? '10m')
  if (seconds === undefined) throw usageProblem(`"${text}" is not a duration.`, spanForms)
  return seconds * 1000
}

type InstanceWatch = {
  readonly id: InstanceId
  readonly milliseconds: number
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

/** Asks again and again why the instance waits. It never resolves, and throws where the wait cannot succeed. */
async function refuseWhereHopeless(
  session: Session,
  { id, milliseconds, signal, tell }: InstanceWatch,
): Promise<never> {
  const { lookup } = session
  const ends = performance.now() + milliseconds
  for (;;) {
    const explained = await lookup.instances.explain(id, { signal }).catch(withoutAnswer)
    if (explained) {
      const { reason, obstacle } = prospectOf(explained, (ends - performance.now()) / 1000)
      tell(reason === undefined ? '' : ` ${reason}`)
      if (obstacle !== undefined && !(await somethingBuys(session, id))) {
        throw new UnreachableStateError(`${id} cannot become running now. ${obstacle}`, explained.state)
      }
    }
    await pause(askEvery, signal)
    signal.throwIfAborted()
  }
}

/** A caller that may not read the reason still waits for the state. */
function withoutAnswer(error: unknown): undefined {
  if (error instanceof ApiError) return undefined
  throw error
}

/** Whether an automation or a resting order buys for the pool of an instance. Unknown counts as yes. */
async function somethingBuys({ lookup }: Session, id: InstanceId): Promise<boolean> {
  try {
    const instance = await lookup.instances.get(id)
    const pool = instance.pool?.id as `pool_${string}` | undefined
    if (pool === undefined) return true
    const [{ procurements, deployments }, orders] = await Promise.all([
      lookup.pools.get(pool),
      lookup.orders.list({ pool, side: 'buy', state: ['standing', 'partially_filled'], limit: 1 }),
    ])
    return procurements.length > 0 || deployments.length > 0 || orders.data.length > 0
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}
