/**
 * Whether the database accepts writes, as the answers of real writes say. A probe may succeed where other writes fail.
 */
import type { FailureCause } from './failure-causes.ts'

/** What a process knows of its refused writes. Times are monotonic milliseconds. */
export type WriteHealth = {
  /** When a write was last refused, by cause. */
  readonly refused_at: Readonly<Partial<Record<FailureCause, number>>>
  /** The cause for which two writes were refused within five seconds, and when the last of them was. */
  readonly broken: { readonly cause: FailureCause; readonly at: number } | undefined
}

/** The health of a process that has refused no write. */
export const healthy: WriteHealth = { refused_at: {}, broken: undefined }

/** Two refusals within this time are one problem. */
const togetherMilliseconds = 5_000

/**
 * The causes for which every write fails, and for how long after the last refusal a probe that succeeds is no proof of
 * the contrary: it may have found the last free page. The other causes are contention and load. They concern some
 * writes only, and all replicas at once: to take replicas out of a load balancer for them would make it worse.
 */
const doubtMilliseconds: Readonly<Partial<Record<FailureCause, number>>> = {
  disk_full: 5_000,
  unconfirmed: 5_000,
  read_only: 0,
  replaced_server: 0,
  starting_up: 0,
  unreachable: 0,
  unsafe_settings: 0,
}

/** The health after a write was refused. */
export function afterRefusal(health: WriteHealth, cause: FailureCause, now: number): WriteHealth {
  if (doubtMilliseconds[cause] === undefined) return health
  const before = health.refused_at[cause]
  const isRepeated = before !== undefined && now - before <= togetherMilliseconds
  return {
    refused_at: { ...health.refused_at, [cause]: now },
    broken: isRepeated ? { cause, at: now } : health.broken,
  }
}

/** The health after a probe has written durably, which began at a moment. */
export function afterProbe(health: WriteHealth, beganAt: number): WriteHealth {
  const { broken } = health
  if (!broken || beganAt < broken.at + (doubtMilliseconds[broken.cause] ?? 0)) return health
  return { ...health, broken: undefined }
}
