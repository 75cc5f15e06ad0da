/** What must have happened in a run, so that "no violation" means something: the contract and the program name it. */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import { eventActions } from '@bourse/api/events/actions.ts'
import { terminationReasons } from '@bourse/api/fleet/explanations.ts'
import { type ErrorCode, errorCodes } from '@bourse/api/kit/errors.ts'
import { cancelReasons } from '@bourse/api/market/order-states.ts'
import { marketTransitions, storedTransitions } from '../checks/transitions.ts'
import { allFaults } from '../options.ts'
import { done, injected, refusal } from './item.ts'

/**
 * Operations that no run sends: a run moves the clock and makes the world itself; orders of market makers would drown
 * those of traders; the real time and figures for people differ from run to run.
 */
const notSent: ReadonlySet<OperationName> = new Set([
  ...(['advance_clock', 'freeze_clock', 'resume_clock', 'set_clock_rate', 'get_clock', 'settle'] as const),
  ...(['load_scenario', 'reset_sandbox', 'create_market_maker', 'update_market_maker'] as const),
  ...(['get_openapi', 'get_docs', 'get_metrics'] as const),
])

/** Refusals that an operation lists and that no run can reach, with the reason. */
const outOfReach: readonly string[] = [
  // 128 GiB would have to be sent.
  refusal('complete_image', 'image_too_large'),
  // Only an object store keeps parts: files take their room when they come.
  refusal('complete_image', 'limit_exceeded'),
]

const sent = endpoints.filter(({ name }) => !notSent.has(name))

/** Each 402, 409 and 422 code of each operation that a run sends. */
function refusals(): string[] {
  const listed = sent.flatMap(({ name, errors, idempotent }) => {
    const own = (errors as readonly ErrorCode[]).filter((code) => [402, 409, 422].includes(errorCodes[code].status))
    const ofKeys: readonly ErrorCode[] = idempotent ? ['idempotency_key_reused'] : []
    return [...own, ...ofKeys].map((code) => refusal(name, code))
  })
  return listed.filter((target) => !outOfReach.includes(target))
}

/** Nothing in the simulation shuts a machine down from within. */
const reachedEnds = terminationReasons.filter((reason) => reason !== 'guest_shutdown')

/** Counts of the run that must not be zero, each covered by an item of the coverage list. */
export const targets: readonly string[] = [
  ...sent.map(({ name }) => done(name)),
  ...refusals(),
  ...allFaults.map(injected),
  ...Object.keys(eventActions).map((action) => `action ${action}`),
  ...cancelReasons.map((reason) => `cancelled ${reason}`),
  ...reachedEnds.map((reason) => `ended ${reason}`),
  ...marketTransitions,
  ...storedTransitions,
  ...['replayed', 'cursors past retention', 'duplicates', 'waits for a paused command'],
  refusal('create_firewall', 'idempotency_key_in_use'),
]

/** What the random operations of a seed do many times. */
const volumes: Readonly<Record<string, number>> = {
  commits: 100,
  'reconciler steps': 60,
  'reference transactions': 25,
  'cancelled expired': 2,
  releases: 20,
}

/** Volumes of random operations that so many seeds of 180 steps do not reach: a third of the mean or less. */
export function missingVolumes(counts: Readonly<Record<string, number>>, seeds: number): string[] {
  return Object.entries(volumes).flatMap(([what, each]) => {
    const [got, least] = [counts[what] ?? 0, each * seeds]
    return got < least ? [`${what}: ${got} of ${least}`] : []
  })
}
