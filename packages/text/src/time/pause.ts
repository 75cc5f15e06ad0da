/** Waiting, in every program. Milliseconds. */

/** The longest time that a timer can have: one that gets more ends at once. */
const longestMilliseconds = 2 ** 31 - 1

/** Waits for a time. Ends early, without an error, when the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(milliseconds, longestMilliseconds))
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** How something is waited for that gives no signal, such as a process, a file or a socket. */
export type PollOptions = { readonly every?: number; readonly at_most: number; readonly signal?: AbortSignal }

/**
 * Asks again and again until the answer is neither undefined nor false. Undefined at the time limit, or when the signal
 * is aborted.
 */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { every = 5, at_most, signal }: PollOptions,
): Promise<Exclude<T, undefined | false> | undefined> {
  const end = performance.now() + at_most
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
    if (performance.now() >= end || signal?.aborted) return undefined
    await pause(every, signal)
  }
}
