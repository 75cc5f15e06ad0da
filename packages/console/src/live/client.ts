/** The client of the API with the session of the person at this browser. */
import { createClient } from '@bourse/sdk'
import { recordingFetch } from './requests.ts'

/** Every request of the console goes through it. */
export const client = createClient({
  baseUrl: location.origin,
  session: true,
  fetch: recordingFetch,
  maxRetries: 1,
  timeout: 30_000,
})
