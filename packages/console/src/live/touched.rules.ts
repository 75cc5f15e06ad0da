/** What an event makes outdated. Pure: the cache asks, and reads again what is shown. */
import type { Event } from '@bourse/sdk'
import type { Noun } from './nouns.rules.ts'

/** What has changed: single resources by their noun, and nouns whose lists and figures have to be read again. */
export type Touched = {
  readonly items: ReadonlyMap<string, ReadonlySet<string>>
  readonly nouns: ReadonlySet<string>
}

type NamedEvent = Pick<Event, 'action' | 'targets'>

/** Further nouns that change with an action, by the word before its dot or by the whole action. */
const besides: Readonly<Record<string, readonly Noun[]>> = {
  'instance.termination_imminent': ['attention'],
  'instance.termination_withdrawn': ['attention'],
  'instance.failed': ['attention', 'deployment', 'host'],
  'instance.terminated': ['attention', 'deployment', 'host'],
  'order.created': ['balance', 'hold', 'orderbook', 'estimate'],
  'order.partially_filled': ['balance', 'hold', 'transaction', 'orderbook', 'pool', 'usage', 'estimate'],
  'order.filled': ['balance', 'hold', 'transaction', 'orderbook', 'pool', 'usage', 'estimate'],
  'order.cancelled': ['balance', 'hold', 'orderbook', 'estimate'],
  instance: ['deployment', 'host'],
  host: ['pool'],
  instance_sku_override: ['sku'],
  'account.balance_low': ['balance'],
  trust_level: ['account', 'limit'],
  budget: ['budget', 'balance'],
  pool_transfer: ['pool'],
}

/** Everything that a batch of events makes outdated. */
export function touchedBy(events: readonly NamedEvent[]): Touched {
  const items = new Map<string, Set<string>>()
  const nouns = new Set<string>()
  for (const { action, targets } of events) {
    for (const { type, id } of targets) {
      const ids = items.get(type) ?? new Set()
      items.set(type, ids.add(id))
    }
    const word = action.slice(0, action.indexOf('.'))
    for (const noun of besides[action] ?? besides[word] ?? []) nouns.add(noun)
  }
  return { items, nouns: nouns.add('event') }
}
