/** The same client with the methods that follow streams. */
import { withMoreMethods } from '@bourse/sdk/client-methods.ts'
import { client, streams } from './client.ts'

/** For those who follow events or logs. */
export const streamClient = withMoreMethods(client, streams)
