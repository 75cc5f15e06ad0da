/** Which requests the panel shows. Pure. */
import type { SentRequest } from '../live/requests.ts'

/** The shown requests, with the answers that have come since. The same array where none has. */
export function withResponses(shown: readonly SentRequest[], kept: readonly SentRequest[]): readonly SentRequest[] {
  const newest = new Map(kept.map((one) => [one.number, one]))
  const next = shown.map((one) => newest.get(one.number) ?? one)
  return next.some((one, index) => one !== shown[index]) ? next : shown
}
