/** What must have happened in a run of many seeds, so that "nothing was found" means something. */

import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import { eventActions } from '@bourse/api/events/actions.ts'
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import { errorCodes } from '@bourse/api/kit/errors.ts'
import { allFaults } from './options.ts'

/** Counts that a hundred seeds of 180 steps must reach. */
const least: Readonly<Record<string, number>> = {
  commits: 10_000,
  replayed: 100,
  preempted: 30,
  'preempted by a sale': 3,
  fills: 150,
  'partial fills': 150,
  'partly filled orders': 30,
  'twin transactions': 2_000,
  'cancelled user': 50,
  'cancelled unfilled': 50,
  'cancelled expired': 100,
  resales: 15,
  releases: 1_000,
  'sold off': 3,
  'folded schedules': 10,
  'status 402': 10,
  twins: 20,
  'waits for a paused command': 20,
  'code replace_instance idempotency_key_in_use': 0,
}
const injectedLeast = 3
/** A cursor grows too old only in the few seeds in which weeks pass. */
const tooOldLeast = 25

/**
 * Operations that no run drives: what moves the clock or makes the world anew, which a run does itself; makers, whose
 * orders would drown what traders do; what tells the real time, which no two runs share; pages and figures for people.
 */
const undriven = new RegExp(
  `^(${[
    ...['advance_clock', 'freeze_clock', 'resume_clock', 'set_clock_rate', 'settle', 'load_scenario', 'reset_sandbox'],
    ...['create_market_maker', 'update_market_maker', 'get_clock', 'get_openapi', 'get_docs', 'get_metrics'],
  ].join('|')})$`,
)

/** Codes that an operation lists and that no run can meet, with the reason. */
const outOfReach: readonly `${OperationName} ${ErrorCode}`[] = [
  // 128 GiB would have to be sent.
  'complete_image image_too_large',
  // Only where an object store keeps the parts: files take their room when they come.
  'complete_image limit_exceeded',
]

/**
 * What a run of so many hundred seeds has not met, each as a line. Of fewer than a hundred only what comes often enough
 * to be counted in parts is asked for, not each event and code.
 */
export function unmetGuards(counts: Readonly<Record<string, number>>, hundreds: number): string[] {
  const unmet: string[] = []
  const want = (what: string, times: number) => {
    const got = counts[what] ?? 0
    if (got < times) unmet.push(`${what}: ${got} of ${times}`)
  }
  for (const [what, times] of Object.entries(least)) want(what, Math.floor(times * hundreds))
  for (const { kind, at } of allFaults) want(`injected ${kind} ${at}`, Math.floor(injectedLeast * hundreds))
  if (hundreds < 1) return unmet
  want('410', Math.floor(tooOldLeast * hundreds))
  for (const action of Object.keys(eventActions)) want(`action ${action}`, 1)
  for (const { name } of driven) want(`done ${name}`, 1)
  for (const what of drivenCodes()) want(`code ${what}`, 1)
  return unmet
}

const driven = endpoints.filter(({ name }) => !undriven.test(name))

/** Each 402, 409 and 422 code of each operation that runs drive. */
function drivenCodes(): string[] {
  return driven
    .flatMap(({ name, errors, idempotent }) => {
      const own = (errors as readonly ErrorCode[]).filter((code) => [402, 409, 422].includes(errorCodes[code].status))
      const ofKeys: ErrorCode[] = idempotent && keyed.has(name) ? ['idempotency_key_reused'] : []
      return [...own, ...ofKeys].map((code) => `${name} ${code}` as const)
    })
    .filter((what) => !outOfReach.includes(what))
}

/** Operations whose keys are tried again with another body often enough. */
const keyed = new Set<string>(['create_instance', 'replace_instance'])
