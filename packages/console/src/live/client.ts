/** The client of the API with the session of the person at this browser. */
import { createOperations } from '@bourse/sdk/plain-client.ts'
import { recordingFetch } from './requests.ts'

/** Every request of the console goes through it. What follows streams is in `stream-client.ts`, loaded after a page. */
export const { groups: client, streams } = createOperations({
  baseUrl: location.origin,
  session: true,
  fetch: recordingFetch,
  maxRetries: 1,
  timeout: 30_000,
})
