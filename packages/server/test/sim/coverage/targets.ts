/** The targets that a run must reach for its result to be meaningful. They derive from the contract and the program. */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import { eventActions } from '@bourse/api/events/actions.ts'
import { terminationReasons } from '@bourse/api/fleet/explanations.ts'
import { type ErrorCode, errorCodes } from '@bourse/api/kit/errors.ts'
import { cancelReasons } from '@bourse/api/market/order-states.ts'
import { marketTransitions, storedTransitions } from '../checks/transitions.ts'
import { allFaults } from '../options.ts'
import { done, injected, refusal } from './item.ts'

/**
 * Operations that no run sends: a run controls the clock and creates the world itself; orders of market makers would
 * outnumber those of traders; real times, attestations with them, and
 * metrics differ between runs; on pages, a person approves a program, uses a
 * passkey and comes from a provider; an account locks itself out only while hours pass.
 */
const notSent: ReadonlySet<OperationName> = new Set([
  ...(['advance_clock', 'freeze_clock', 'resume_clock', 'set_clock_rate', 'get_clock', 'settle'] as const),
  ...(['load_scenario', 'reset_sandbox', 'create_market_maker', 'update_market_maker'] as const),
  ...(['get_openapi', 'get_docs', 'get_metrics', 'finish_device_login', 'get_instance_attestation'] as const),
  ...(['start_passkey_registration', 'create_user_passkey', 'create_recovery_codes', 'update_user_passkey'] as const),
  ...(['start_passkey_sign_in', 'finish_passkey_sign_in', 'use_recovery_code'] as const),
  ...(['delete_user_passkey', 'delete_user_identity', 'create_account_sign_in_link'] as const),
])

/** Refusals that an operation lists but no run can reach, with the reason. */
const outOfReach: readonly string[] = [
  // It would need an upload of 128 GiB.
  refusal('complete_image', 'image_too_large'),
  // Only an object store keeps parts. The file store counts the bytes when they arrive.
  refusal('complete_image', 'limit_exceeded'),
  // A sandbox takes webhooks of every address.
  refusal('create_webhook', 'address_not_allowed'),
  refusal('update_webhook', 'address_not_allowed'),
  // It would need more than a thousand pending deliveries.
  refusal('test_webhook', 'limit_exceeded'),
  refusal('redeliver_webhook_delivery', 'limit_exceeded'),
  // Only a session can have made the last admin, and people begin sessions on pages.
  refusal('end_user_sessions', 'last_admin'),
  // A 402 has no code on the wire but its type; the item budget-that-stops looks at the message.
  refusal('create_order', 'budget_exceeded'),
  refusal('create_instance', 'budget_exceeded'),
  refusal('amend_order', 'budget_exceeded'),
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

/**
 * Events that no run has: production writes the first where an invariant is violated. Those of webhooks tell of
 * receivers that fail many times, whose order is that of real time. The hardware of simulated hosts does not change,
 * and they have no agents.
 */
const unreachedActions: readonly string[] = [
  'audit.violated',
  'webhook.failing',
  'webhook.recovered',
  'webhook.disabled',
  'host.facts_changed',
  'host.unfit',
  'host.fit',
  'agent_rollout.halted',
  'agent_rollout.completed',
]

/** Guests of the simulation do not shut down, and its hosts do not lose hardware. */
const unreachedEnds: readonly string[] = ['guest_shutdown', 'host_unfit']
const reachedEnds = terminationReasons.filter((reason) => !unreachedEnds.includes(reason))

/** Counts of the run that must not be zero, each covered by an item of the coverage list. */
export const targets: readonly string[] = [
  ...sent.map(({ name }) => done(name)),
  ...refusals(),
  ...allFaults.map(injected),
  ...Object.keys(eventActions)
    .filter((action) => !unreachedActions.includes(action))
    .map((action) => `action ${action}`),
  ...cancelReasons.map((reason) => `cancelled ${reason}`),
  ...reachedEnds.map((reason) => `ended ${reason}`),
  ...marketTransitions,
  ...storedTransitions,
  'replayed',
  'cursors past retention',
  'duplicates',
  'waits for a paused command',
  refusal('create_firewall', 'idempotency_key_in_use'),
]

/** Counts that the random operations of a seed reach many times. */
const volumes: Readonly<Record<string, number>> = {
  commits: 100,
  'reconciler steps': 60,
  'reference transactions': 25,
  'cancelled expired': 2,
  releases: 20,
  'streamed events': 4,
  'delivered events': 4,
}

/** Volumes of random operations that `seeds` seeds of 180 steps do not reach. Each is a third of the mean or less. */
export function missingVolumes(counts: Readonly<Record<string, number>>, seeds: number): string[] {
  return Object.entries(volumes).flatMap(([what, each]) => {
    const [got, least] = [counts[what] ?? 0, each * seeds]
    return got < least ? [`${what}: ${got} of ${least}`] : []
  })
}
