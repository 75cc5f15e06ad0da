/** Sends the calls of the cases: what an operation is called with, by whom, and what makes two answers the same. */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { sampleOf } from '@bourse/api/kit/sample.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import type { TestAnswer, TestServer } from '../support/server.ts'
import type { Call } from './case.ts'
import { cases } from './cases.ts'
import type { World } from './world.ts'

export type Operation = Endpoint & { name: OperationName }

const random = createSeededRandom('operations')

/** Every operation of the contract. */
export const operations = endpoints as unknown as readonly Operation[]

/** Lists whose rows have no ids, of sums and consoles: their own tests under test/api try them, one by one. */
export const sums: ReadonlySet<OperationName> = new Set([
  'list_orderbook_windows',
  'list_orderbook_fills',
  'list_price_history',
  'list_sku_availability',
  'get_orderbook_quote',
  'get_orderbook_depth',
  'get_sku_availability',
  'list_instance_logs',
])

/** Sends a call. An operation that takes a body gets an empty one where the call has none. */
export function send(
  server: TestServer,
  operation: Operation,
  call: Call,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const body = call.body ?? (operation.body ? {} : undefined)
  const query = call.query ? `?${call.query}` : ''
  const path = pathOf(operation, call) + query
  return server.request(operation.method, path, { token, headers, ...(body ? { body } : {}) })
}

/** The path of a call, its parameters filled in. */
export function pathOf({ path }: Operation, { params = {} }: Call): string {
  return path.replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no-${name}`))
}

/** A call that succeeds, with the token of the one who may do everything there. */
export async function goodCall(world: World, operation: Operation): Promise<{ call: Call; token: string }> {
  const call = (await cases[operation.name].call?.(world)) ?? {}
  return { call, token: tokenFor(world, operation) }
}

/** A call that is well-formed, no more: its ids name nothing, and rules between its fields are not kept. */
export function shapedCall({ params, body }: Operation): Call {
  const shaped = { params: sampleOf(params, random) as Record<string, string> }
  return body ? { ...shaped, body: sampleOf(body, random) as object } : shaped
}

/** Whose token may do everything that an operation does. */
export function tokenFor(world: World, { access }: Operation): string {
  return access.startsWith('platform:') ? world.platform.token : world.account.token
}

/** Everything of an answer that its reader could tell apart from another's. */
export function visible({ status, headers, text }: TestAnswer) {
  const own = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-)/.test(name))
  return { status, headers: own, text }
}
