/**
 * Streams and webhooks of a run (G11). Between two steps readers catch up by stream, from cursor to cursor, and servers
 * deliver to webhooks. Both draw from places of their own in the random stream, so other steps are as without them. The
 * order of what happens within a turn is that of real time; what a turn comes to does not depend on it.
 */
import { recordViolation, type SimRun } from '../run.ts'
import { advanceClock, drain, readClock } from '../step.ts'
import { countTaken, type Hook, openHook, pendingOf, verifyHook } from './hooks.ts'
import { finishStream, pickReader, readStream, type SimStreamReader } from './streams.ts'
import { runDeliveries } from './worker.ts'

/** What a run delivers. */
export type Delivery = { readonly readers: SimStreamReader[]; readonly hooks: Hook[] }

/** The area of the run that `--leave-out` names. */
export const deliveryArea = 'delivery'

/** Of 100 steps, those after which readers read, and servers deliver. */
const streamPercent = 5
const hookPercent = 4
const hooksMax = 3
/** A second attempt follows after five seconds, and succeeds. */
const retrySeconds = 10
/** A round whose worker is killed may bring nothing. */
const idleRoundsMax = 4

/** The turn after a step. */
export async function takeTurn(run: SimRun, delivery: Delivery): Promise<void> {
  const { choices } = run
  choices.goTo(`${deliveryArea} ${run.step}`)
  if (run.paused || run.violations.length > 0) return
  if (choices.chance(streamPercent)) await readStream(run, pickReader(run, delivery.readers))
  if (!choices.chance(hookPercent)) return
  if (delivery.hooks.length < hooksMax) await openHook(run, delivery.hooks)
  await runDeliveries(run, delivery.hooks)
}

/** Delivers everything at the end of a run, and compares it with the logs. */
export async function finishDelivery(run: SimRun, delivery: Delivery): Promise<void> {
  run.choices.goTo(`${deliveryArea} at the end`)
  // Events of one target wait for each other's second attempts, so rounds go on while they bring something.
  for (let [before, idle] = [-1, 0]; idle < idleRoundsMax; ) {
    await runDeliveries(run, delivery.hooks)
    const taken = delivery.hooks.reduce((sum, hook) => sum + countTaken(hook), 0)
    if ((await pendingOf(run, delivery.hooks)) === 0) break
    idle = taken === before ? idle + 1 : 0
    before = taken
    await advanceClock(run, retrySeconds)
    await drain(run)
    await readClock(run)
  }
  for (const hook of delivery.hooks) for (const what of await verifyHook(run, hook)) recordViolation(run, what)
  for (const reader of delivery.readers) {
    const violation = await finishStream(run, reader)
    if (violation) recordViolation(run, violation)
  }
}
