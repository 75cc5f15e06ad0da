/** The kinds of automations, and their history as lines of charts. Pure. */
import type { AutomationStatus, Deployment, Event, Instance, PriceBucket } from '@bourse/sdk'
import { type Steps, valueAt } from '../live/steps.rules.ts'

/** The colour of a status: what waits is not what is well. */
export function statusTone({
  state,
  code,
}: Pick<AutomationStatus, 'state' | 'code'>): 'good' | 'busy' | 'warn' | 'bad' {
  if (state === 'info') return code === 'ok' ? 'good' : 'busy'
  return state === 'warning' ? 'warn' : 'bad'
}

/** A line of a chart: its steps, and until when they are known. */
export type ChartLine = { readonly steps: Steps; readonly until?: number }

/** The times at which any line changes within a range, with its ends, and the value of each line at each of them. */
export function chartOf(
  { from, to }: { from: number; to: number },
  lines: readonly ChartLine[],
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
type FleetEvent = Pick<Event, 'action' | 'occurred_at' | 'targets'>

/**
 * How many of a deployment's instances ran over time, from what runs now and the events of a range. An instance that
 * ended without having started in the range counts as running before only if it was created before the range.
 */
export function runningSteps(instances: readonly Living[], events: readonly FleetEvent[], from: number): Steps {
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

/** The kind of a deployment: `spot` also buys what its instances run on. */
export function kindOf({ object }: Pick<Deployment, 'object'>): 'spot' | 'generic' {
  return object === 'spot_deployment' ? 'spot' : 'generic'
}
