import { monotonicMilliseconds } from './clock.ts'

/**
 * A reading that is shared: it is made anew only when the last one began at least so many milliseconds ago and has
 * ended. Callers in between get the same one, failed or not.
 */
export function atMostEvery<T>(
  milliseconds: number,
  read: () => Promise<T>,
  now: () => number = monotonicMilliseconds,
): () => Promise<T> {
  let last: { readonly began: number; readonly reading: Promise<T>; isPending: boolean } | undefined
  return () => {
    if (last && (last.isPending || now() - last.began < milliseconds)) return last.reading
    const reading = read()
    const made = { began: now(), reading, isPending: true }
    const end = () => {
      made.isPending = false
    }
    reading.then(end, end)
    last = made
    return reading
  }
}
