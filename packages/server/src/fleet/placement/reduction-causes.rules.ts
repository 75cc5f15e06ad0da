// Attributes a capacity reduction of a pool to a sale, a transfer, or the end of a purchase. Not decided here: which
// instances end (placement.rules.ts).

import { type AllocationStep, allocationAt } from '../hosts/victims.rules.ts'

/** Nodes that left the pool for another one, and when that was decided. */
export type PoolOutflow = {
  readonly kind: 'sold' | 'transferred'
  readonly decided_at: number
  readonly steps: readonly AllocationStep[]
}

/** Why allocation is missing, and how many nodes left for that reason. */
export type ReductionCause = { readonly reason: 'allocation_ended' | PoolOutflow['kind']; readonly node_count: number }

/**
 * Attributes a capacity reduction to the latest decided outflow that affects it. An outflow does not count if it was
 * decided before the machine started and already took as many nodes then. `outflows` are sorted latest first.
 */
export function causeOfReduction(
  outflows: readonly PoolOutflow[],
  { reduced_at, running_at }: { readonly reduced_at: number; readonly running_at: number },
): ReductionCause {
  for (const { kind, decided_at, steps } of outflows) {
    const node_count = allocationAt(steps, reduced_at)
    if (node_count === 0) continue
    if (decided_at >= running_at || allocationAt(steps, running_at) < node_count) return { reason: kind, node_count }
  }
  return { reason: 'allocation_ended', node_count: 0 }
}

/** The allocation of a pool from a time on, and the allocation when it was last higher. */
export function allocationAround(
  steps: readonly AllocationStep[],
  reducedAt: number,
): { readonly before: number; readonly after: number } {
  const after = allocationAt(steps, reducedAt)
  const higher = steps.findLast((step) => step.start_at < reducedAt && step.node_count > after)
  return { before: higher?.node_count ?? after, after }
}
