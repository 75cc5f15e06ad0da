/** Forms about automations as requests, and their history as lines of charts. Pure. */

import type { Event, Instance, PriceBucket } from '@bourse/sdk'
import { minutesOf, priceOf, spanText } from '../live/forms/typed.rules.ts'
import { type Steps, valueAt } from '../live/steps.rules.ts'

/** A line of a chart: its steps, and until when they are known. */
export type Line = { readonly steps: Steps; readonly until?: number }

/** The times at which any line changes within a range, with its ends, and the value of each line at each of them. */
export function chartOf(
  { from, to }: { from: number; to: number },
  lines: readonly Line[],
): { times: number[]; values: (number | null)[][] } {
  const times = new Set([from, to])
  for (const { steps, until } of lines) {
    for (const [at] of steps) if (at > from && at < to) times.add(at)
    if (until !== undefined && until > from && until < to) times.add(until)
  }
  const ascending = [...times].toSorted((a, b) => a - b)
  const values = lines.map(({ steps, until }) =>
    ascending.map((at) => (until !== undefined && at > until ? null : valueAt(steps, at))),
  )
  return { times: ascending, values }
}

type Living = Pick<Instance, 'id' | 'state' | 'created_at'>
type Happened = Pick<Event, 'action' | 'occurred_at' | 'targets'>

/**
 * How many of a deployment's instances ran over time, from what runs now and the events of a range. An instance that
 * ended without having started in the range counts as running before only if it was created before the range.
 */
export function runningSteps(instances: readonly Living[], events: readonly Happened[], from: number): Steps {
  const own = new Map(instances.map((instance) => [instance.id as string, instance]))
  const started = new Set<string>()
  const over = new Set<string>()
  const changes: [number, number][] = []
  for (const { action, occurred_at, targets } of events) {
    const id = targets[0]?.id ?? ''
    const instance = own.get(id)
    if (!instance || occurred_at < from) continue
    if (action === 'instance.running') {
      started.add(id)
      changes.push([occurred_at, 1])
    }
    const hasEnded = action === 'instance.terminated' || action === 'instance.failed'
    const ran = started.has(id) || instance.created_at < from
    if (hasEnded && ran && !over.has(id)) {
      over.add(id)
      changes.push([occurred_at, -1])
    }
  }
  const now = instances.filter(({ state }) => state === 'running').length
  let count = Math.max(0, now - changes.reduce((sum, [, change]) => sum + change, 0))
  const steps: [number, number][] = [[from, count]]
  for (const [at, change] of changes.toSorted((a, b) => a[0] - b[0])) {
    count = Math.max(0, count + change)
    if (steps.at(-1)?.[0] === at) steps.pop()
    steps.push([at, count])
  }
  return steps
}

/** The average price of each bucket, which lasts until the next one that has trades. */
export function priceSteps(
  buckets: readonly Pick<PriceBucket, 'start_at' | 'vwap_price_dollars_per_node_hour'>[],
): Steps {
  return buckets.map(({ start_at, vwap_price_dollars_per_node_hour: price }) => [start_at, Number(price)])
}

/** What a form says, or what is wrong with one of its fields. */
export type Asked<F extends string> =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly wrong: F; readonly message: string }

/** The form of a deployment. */
export type DeploymentDraft = Readonly<
  Record<'kind' | 'name' | 'pool' | 'sku' | 'template' | 'count' | 'names' | 'price', string>
>

/** An empty form of a deployment. */
export const emptyDeployment: DeploymentDraft = {
  ...{ kind: 'generic', name: '', pool: '', sku: '', template: '', count: '1', names: '', price: '' },
}

/** The creation of a deployment. */
export function deploymentRequest(draft: DeploymentDraft): Asked<keyof DeploymentDraft> {
  const places = { pool: 'Choose a pool.', sku: 'Choose a SKU.', template: 'Choose a template.' }
  for (const [name, message] of Object.entries(places) as [keyof typeof places, string][]) {
    if (draft[name] === '') return { wrong: name, message }
  }
  if (!/^\d{1,5}$/.test(draft.count.trim())) return { wrong: 'count', message: 'A whole number of instances.' }
  const isSpot = draft.kind === 'spot'
  const price = priceOf(draft.price)
  if (isSpot && !isPrice(price)) return { wrong: 'price', message: pricePlease }
  const body = {
    ...(isSpot ? { kind: 'spot' } : {}),
    ...given('name', draft.name.trim()),
    ...{ pool: draft.pool, sku: draft.sku, instance_template: draft.template },
    target_instance_count: Number(draft.count),
    ...given('instance_name_template', draft.names.trim()),
    ...(isSpot ? { max_buy_price_dollars_per_node_hour: price } : {}),
  }
  return { body }
}

/** The form of a procurement. */
export type ProcurementDraft = Readonly<
  Record<'name' | 'pool' | 'sku' | 'target' | 'buy' | 'sell' | 'window', string>
> & { readonly follows: boolean }

/** An empty form of a procurement. */
export const emptyProcurement: ProcurementDraft = {
  ...{ name: '', pool: '', sku: '', target: '1', buy: '', sell: '', window: '1d', follows: false },
}

/** The creation of a procurement. On an originating pool it never buys. */
export function procurementRequest(draft: ProcurementDraft, buys = true): Asked<keyof ProcurementDraft> {
  if (draft.pool === '') return { wrong: 'pool', message: 'Choose a pool.' }
  if (draft.sku === '') return { wrong: 'sku', message: 'Choose a SKU.' }
  if (!draft.follows && !/^\d{1,5}$/.test(draft.target.trim())) {
    return { wrong: 'target', message: 'A whole number of nodes.' }
  }
  const [buy, sell, minutes] = [priceOf(draft.buy), priceOf(draft.sell), minutesOf(draft.window)]
  if (buys && !isPrice(buy)) return { wrong: 'buy', message: pricePlease }
  if (!isPrice(sell)) return { wrong: 'sell', message: pricePlease }
  if (minutes === undefined || minutes < 1) return { wrong: 'window', message: 'A span such as 90m, 24h or 7d.' }
  const body = {
    ...given('name', draft.name.trim()),
    ...{ pool: draft.pool, sku: draft.sku },
    target: draft.follows ? 'node_count' : Number(draft.target),
    min_sell_price_dollars_per_node_hour: sell,
    ...(buys ? { max_buy_price_dollars_per_node_hour: buy } : {}),
    managed_window_minutes: minutes,
  }
  return { body }
}

const pricePlease = 'A price in dollars, such as 2.50.'

function isPrice(text: string): boolean {
  return /^\d{1,9}(\.\d{1,6})?$/.test(text)
}

function given(name: string, value: string): Record<string, string> {
  return value === '' ? {} : { [name]: value }
}

/** The fields of a body that differ from those of what it changes. Prices are compared by their value. */
export function changesOf(
  body: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) =>
      name.includes('dollars') ? Number(value) !== Number(before[name]) : value !== before[name],
    ),
  )
}

/** Fields of requests with another name on the command line. */
const flags: Readonly<Record<string, string>> = {
  max_buy_price_dollars_per_node_hour: 'max-buy-price',
  min_sell_price_dollars_per_node_hour: 'min-sell-price',
  managed_window_minutes: 'managed-window',
}

/** A body as the options of a command. */
export function flagsOf(body: Readonly<Record<string, unknown>>): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'enabled') return [value ? 'enabled' : 'no-enabled', true]
      const text = name === 'managed_window_minutes' ? spanText(Number(value)) : String(value)
      return [flags[name] ?? name.replaceAll('_', '-'), text]
    }),
  )
}
