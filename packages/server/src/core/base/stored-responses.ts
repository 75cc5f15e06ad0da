import { hourSeconds, weekSeconds } from '@bourse/text/time/units.ts'

/** For how long a replay of the response under an idempotency key is promised, in seconds. */
export const replaySeconds = weekSeconds

/**
 * For how long the response is stored, in seconds. A margin keeps a replay from racing with the expiry. What makes the
 * secrets of a replay again has to last for longer.
 */
export const storedResponseSeconds = replaySeconds + 6 * hourSeconds
