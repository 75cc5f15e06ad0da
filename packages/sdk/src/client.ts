/** The client: every operation of the contract as a method, in groups by noun, and what is more than a request. */
import { type MoreMethods, withMoreMethods } from './client-methods.ts'
import type { Groups } from './generated/types.ts'
import { type ClientOptions, createOperations } from './plain-client.ts'

/** A client of one server. It holds no connection or timer between calls, so nothing closes it. */
export type Client = Groups & MoreMethods

/** Creates a client. Throws BourseError if the address or the token is malformed. */
export function createClient(options: ClientOptions = {}): Client {
  const { groups, streams } = createOperations(options)
  return withMoreMethods(groups, streams)
}
