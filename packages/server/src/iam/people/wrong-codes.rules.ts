/** Guesses of codes that people type: the codes of programs, and recovery codes. */

/** How many wrong codes a network may type of a kind, in how many seconds. */
export const wrongCodesMax = 5
export const wrongCodesSeconds = 60

/** Whether a network has typed too many wrong codes lately. `failed_at` are the last ones, oldest first. */
export function hasGuessedTooOften(failed_at: readonly number[], now: number): boolean {
  return failed_at.filter((at) => at > now - wrongCodesSeconds).length >= wrongCodesMax
}

/** The wrong codes to remember once there is another one. */
export function withFailure(failed_at: readonly number[], now: number): number[] {
  return [...failed_at, now].slice(-wrongCodesMax)
}
