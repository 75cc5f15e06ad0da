// When the download of a version is tried again. Milliseconds.

/** How often, and for how long, a download is tried: a rollout gives a host ten minutes, restart included. */
export const attemptsMax = 8
export const downloadMilliseconds = 300_000
/** The pause after the first attempt. Each further one is twice as long as the one before. */
export const firstPauseMilliseconds = 2_000
const doublingsMax = 5

/** An attempt that brought no archive. */
type FailedAttempt = {
  /** Counted from 1. */
  readonly attempt: number
  /** The status of the answer; 0: there was none, or it was cut off. */
  readonly status: number
  /** How long all attempts have taken so far, with the pauses between them. */
  readonly spent_milliseconds: number
}

/** Whether an answer says nothing about the next one: there was none, or the server could not give one. */
export function isPassing(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** How long to wait before the next attempt; undefined if there is none. */
export function pauseAfter(
  { attempt, status, spent_milliseconds }: FailedAttempt,
  firstPause: number,
): number | undefined {
  if (!isPassing(status) || attempt >= attemptsMax) return undefined
  const milliseconds = firstPause * 2 ** Math.min(attempt - 1, doublingsMax)
  return spent_milliseconds + milliseconds < downloadMilliseconds ? milliseconds : undefined
}
