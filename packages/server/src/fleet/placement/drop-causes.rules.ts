// What took the place of a machine when the allocation of its pool fell: a sale, a transfer, or nothing but time. Who
// ends and when is placement's to say.

import { type AllocationStep, allocationAt } from '../hosts/victims.rules.ts'

/** Nodes that went from the pool to another one, and when that was decided. */
export type Departure = {
  readonly kind: 'sold' | 'transferred'
  readonly decided_at: number
  readonly steps: readonly AllocationStep[]
}

/** Why allocation is missing, and how many nodes went away for that reason. */
export type DropCause = { readonly reason: 'allocation_ended' | Departure['kind']; readonly node_count: number }

/**
 * Puts a drop down to the departure that was decided last among those that touch it. One that the machine was started
 * in spite of, as it was decided before and took as much then already, is not to blame. `departures` come latest first.
 */
export function causeOfDrop(
  departures: readonly Departure[],
  { drop_at, running_at }: { readonly drop_at: number; readonly running_at: number },
): DropCause {
  for (const { kind, decided_at, steps } of departures) {
    const node_count = allocationAt(steps, drop_at)
    if (node_count === 0) continue
    if (decided_at >= running_at || allocationAt(steps, running_at) < node_count) return { reason: kind, node_count }
  }
  return { reason: 'allocation_ended', node_count: 0 }
}

/** What a pool has from a time on, and what it had when it last had more. */
export function allocationAround(
  steps: readonly AllocationStep[],
  drop_at: number,
): { readonly before: number; readonly after: number } {
  const after = allocationAt(steps, drop_at)
  const higher = steps.findLast((step) => step.start_at < drop_at && step.node_count > after)
  return { before: higher?.node_count ?? after, after }
}
