import type { AdvancedClock, SandboxClock } from '@bourse/api/sandbox/clock.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import { refuse } from '../../core/base/refusal.ts'
import { systemOrigin } from '../../core/work/command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { hasUnreportedMachines } from '../../fleet/hosts/machines.service.ts'
import { forgetCallers } from '../../iam/tokens/gate.service.ts'
import {
  advanceClock,
  type ClockPace,
  hasDueWork,
  readPace as readPaceRow,
  readClock as readRow,
  setClock,
} from './clock.store.ts'

const advanceMilliseconds = 60_000
const pollMilliseconds = 5

/** Reads the clock of the sandbox. */
export async function readClock(runtime: Runtime): Promise<SandboxClock> {
  const { now_ms, real_now_ms, frozen, rate, next_due_at } = await readRow(runtime.database.reader)
  const now = Math.floor(now_ms / 1000)
  const real_now = Math.floor(real_now_ms / 1000)
  return { object: 'clock', now, real_now, offset_seconds: now - real_now, frozen, rate, next_due_at }
}

/** Freezes the clock, resumes it from the shown time, or sets its rate. */
export async function changeClock(
  runtime: Runtime,
  change: { frozen?: boolean; rate?: number },
): Promise<SandboxClock> {
  await setClock(runtime.database.reader, change)
  runtime.kick()
  return readClock(runtime)
}

/**
 * Advances the clock and waits at most 60 s for the work that falls due on the way; each piece runs at its own time.
 * `seconds`: by how much; `to`: the new time in Unix seconds. 400 required; 422 mutually_exclusive, in_the_past.
 */
export async function moveClock(
  runtime: Runtime,
  { seconds, to }: { seconds?: number; to?: number },
): Promise<AdvancedClock> {
  if (seconds === undefined && to === undefined) refuse('required', 'Give either seconds or to.', 'seconds')
  if (seconds !== undefined && to !== undefined) refuse('mutually_exclusive', 'Give either seconds or to.', 'to')
  const { now_ms } = await readRow(runtime.database.reader)
  const milliseconds = to === undefined ? (seconds ?? 0) * 1000 : to * 1000 - now_ms
  if (milliseconds <= 0) refuse('in_the_past', 'Give a time later than now.', 'to')
  await passMilliseconds(runtime, milliseconds)
  const settled = await waitUntilIdle(runtime, advanceMilliseconds)
  return { ...(await readClock(runtime)), settled }
}

/** Advances the clock without waiting for the work that falls due on the way. */
export function passTime(runtime: Runtime, seconds: number): Promise<void> {
  return passMilliseconds(runtime, seconds * 1000)
}

/** A token may have expired on the way, so none that was read before is used. */
async function passMilliseconds(runtime: Runtime, milliseconds: number): Promise<void> {
  await advanceClock(runtime.database.reader, milliseconds)
  forgetCallers(runtime)
}

/** The rate of the clock, and the seconds by which due work holds it back. */
export function readPace({ db }: Ctx): Promise<ClockPace> {
  return readPaceRow(db)
}

/** Waits until nothing is due and every machine has reported. False after the timeout. */
export async function settle(runtime: Runtime, timeoutSeconds: number): Promise<boolean> {
  const deadline = monotonicMilliseconds() + timeoutSeconds * 1000
  for (;;) {
    const left = deadline - monotonicMilliseconds()
    if (left <= 0 || !(await waitUntilIdle(runtime, left))) return false
    if (!(await query(runtime, systemOrigin, hasUnreportedMachines))) return true
    await pause(pollMilliseconds)
  }
}

async function waitUntilIdle(runtime: Runtime, milliseconds: number): Promise<boolean> {
  const deadline = monotonicMilliseconds() + milliseconds
  while (await hasDueWork(runtime.database.reader)) {
    if (monotonicMilliseconds() > deadline) return false
    runtime.kick()
    await pause(pollMilliseconds)
  }
  return true
}
