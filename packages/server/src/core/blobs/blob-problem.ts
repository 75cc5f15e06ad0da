import { Refusal } from '../base/refusal.ts'

/** The refusal while the store of images cannot be used; `message` says what is wrong with it, in words for users. */
export function storeUnavailable(message: string): Refusal {
  return new Refusal({ code: 'unavailable', message, retry_after_seconds: 5 })
}
