// Why the allocation of a pool fell: a sale, a transfer, or the end of a purchase. Placement decides which instances
// end.

import { type AllocationStep, allocationAt } from '../hosts/victims.rules.ts'

/** Nodes that left the pool for another one, and when that was decided. */
export type Departure = {
  readonly kind: 'sold' | 'transferred'
  readonly decided_at: number
  readonly steps: readonly AllocationStep[]
}

/** Why allocation is missing, and how many nodes left for that reason. */
export type DropCause = { readonly reason: 'allocation_ended' | Departure['kind']; readonly node_count: number }

/**
 * Attributes a drop to the latest decided departure that affects it. A departure does not count if it was decided
 * before the machine started and already took as many nodes then. `departures` are sorted latest first.
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

/** The allocation of a pool from a time on, and the allocation when it was last higher. */
export function allocationAround(
  steps: readonly AllocationStep[],
  drop_at: number,
): { readonly before: number; readonly after: number } {
  const after = allocationAt(steps, drop_at)
  const higher = steps.findLast((step) => step.start_at < drop_at && step.node_count > after)
  return { before: higher?.node_count ?? after, after }
}
