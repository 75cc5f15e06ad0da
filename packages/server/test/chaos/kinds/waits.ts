import { eventually } from '../../../../../test/eventually.ts'
import { attemptMilliseconds } from '../load.ts'
import type { Replica, Stage } from '../stage.ts'
import type { Fault } from './kind.ts'

/** Waits until the balancer sends requests to all replicas again. */
export async function allAreReady({ balancer, replicas }: Pick<Stage, 'balancer' | 'replicas'>): Promise<void> {
  const isReady = ({ url }: Replica) => balancer.isReady(url)
  await eventually('all replicas are ready again', () => replicas.every(isReady), { usual_seconds: 6 })
}

/** How long a fault lasts that clients notice only by the time limit of their attempts, in milliseconds. */
export function untilBroken({ milliseconds }: Fault): number {
  return attemptMilliseconds + milliseconds
}
