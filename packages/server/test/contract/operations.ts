/** Sends the calls of the cases: their parameters, their tokens, and the comparison of responses. */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { sampleOf } from '@bourse/api/kit/sample.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import type { TestResponse, TestServer } from '../support/server.ts'
import type { CaseCall } from './case.ts'
import { cases } from './cases.ts'
import type { ContractWorld } from './world.ts'

export type NamedEndpoint = Endpoint & { name: OperationName }

const random = createSeededRandom('operations')

/** Every operation of the contract. */
export const operations = endpoints as unknown as readonly NamedEndpoint[]

/** Lists whose rows have no ids, such as sums and consoles. Tests in test/api cover them. */
export const sums: ReadonlySet<OperationName> = new Set([
  'list_orderbook_windows',
  'list_orderbook_fills',
  'list_price_history',
  'list_usage',
  'export_usage',
  'export_ledger',
  'list_revenue',
  'list_platform_usage',
  'list_sku_availability',
  'get_orderbook_status',
  'get_orderbook_quote',
  'get_orderbook_depth',
  'get_orderbook_curve',
  'get_orderbook_board',
  'get_orderbook_heatmap',
  'get_sku_availability',
  'list_instance_logs',
])

/** Sends a call. An operation with a body gets an empty one if the call has none. */
export function send(
  server: TestServer,
  operation: NamedEndpoint,
  call: CaseCall,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const body = call.body ?? (operation.body ? {} : undefined)
  const query = call.query ? `?${call.query}` : ''
  const path = pathOf(operation, call) + query
  return server.request(operation.method, path, { token, headers, ...(body ? { body } : {}) })
}

/** The path of a call with its parameters. */
export function pathOf({ path }: NamedEndpoint, { params = {} }: CaseCall): string {
  return path.replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no-${name}`))
}

/** A call that succeeds, with the token of an admin. */
export async function goodCall(
  world: ContractWorld,
  operation: NamedEndpoint,
): Promise<{ call: CaseCall; token: string }> {
  const call = (await cases[operation.name].call?.(world)) ?? {}
  return { call, token: (await cases[operation.name].token?.(world)) ?? tokenFor(world, operation) }
}

/** A call that is only well-formed: its ids refer to no resource, and rules between fields may be broken. */
export function shapedCall({ params, body }: NamedEndpoint): CaseCall {
  const shaped = { params: sampleOf(params, random) as Record<string, string> }
  return body ? { ...shaped, body: sampleOf(body, random) as object } : shaped
}

/** A token with all rights that an operation needs. */
export function tokenFor(world: ContractWorld, { access }: NamedEndpoint): string {
  return access.startsWith('platform:') ? world.platform.token : world.account.token
}

/** The parts of a response that a client can distinguish. */
export function visible({ status, headers, text }: TestResponse) {
  const own = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-)/.test(name))
  return { status, headers: own, text }
}
