import { Refusal } from '../base/refusal.ts'

/** The refusal while the image store is unavailable. `message` is for users. */
export function storeUnavailable(message: string): Refusal {
  return new Refusal({ code: 'unavailable', message, retry_after_seconds: 5 })
}
