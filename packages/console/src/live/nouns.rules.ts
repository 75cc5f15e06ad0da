/** The keys of the cache. They begin with a noun, by which events say what is outdated. Pure. */

import type { OperationName } from '@bourse/sdk'
import { singular } from '@bourse/text/nouns.ts'

type Verb = 'get' | 'list'
/** An operation that reads. */
export type ReadName = Extract<OperationName, `${Verb}_${string}`>
type Singular<T extends string> = T extends `${infer Stem}ies` ? `${Stem}y` : T extends `${infer Stem}s` ? Stem : T
type Regular<N extends string> = N extends `get_${infer Noun}`
  ? Noun
  : N extends `list_${infer Plural}`
    ? Singular<Plural>
    : never

/** Operations whose rows are those of another noun: events of that noun make them outdated. */
const irregular = {
  get_administered_account: 'account',
  list_account_limits: 'limit',
  list_account_transactions: 'transaction',
  list_order_fills: 'order',
  list_platform_skus: 'sku',
  list_sku_overrides: 'sku',
  list_sku_properties: 'sku',
  list_usage: 'usage',
  list_webhook_deliveries: 'delivery',
} as const satisfies Partial<Record<ReadName, string>>

/** The noun of an operation that reads: instance, of `list_instances` and `get_instance`. */
export type NounOf<N extends OperationName> = N extends keyof typeof irregular ? (typeof irregular)[N] : Regular<N>

/** A noun: of an operation that reads, or of figures that are put together from several. */
export type Noun =
  | NounOf<ReadName>
  | 'attention'
  | 'estimate'
  /** Of the past: what comes is added to them, so events do not make them outdated. */
  | 'logged_event'
  | 'maintenance'
  | 'market_average'
  | 'metrics'
  | 'orderbook'
  | 'palette'
  | 'permission'
  | 'referrer'

/** The noun of an operation that reads, from its name. */
export function nounOf<N extends ReadName>(operation: N): NounOf<N>
export function nounOf(operation: string): string {
  if (Object.hasOwn(irregular, operation)) return irregular[operation as keyof typeof irregular]
  const [verb = '', ...words] = operation.split('_')
  const noun = words.join('_')
  if (verb !== 'list') return noun
  return singular(noun)
}

/** The filters that have a value. */
export function givenOf<T extends object>(filters: T): T {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(given) as T
}

/** The key of a list. The operation tells lists of one noun apart. */
export function listKey<N extends ReadName>(operation: N, given: object): readonly [NounOf<N>, 'list', object, N] {
  return [nounOf(operation), 'list', given, operation]
}
