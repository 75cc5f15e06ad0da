/** The lanes of the calendar from what the API says, and the trade that a drag means. Pure. */
import type { Instance, Order, Pool, Procurement } from '@bourse/sdk'
import { combined, restOf, type Steps, stepsOf, summed, valueAt } from '../../live/steps.rules.ts'

/** A window with something in it: an order, a procurement, maintenance. */
export type Bar = {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly nodes: number
  readonly text: string
}

type User = Pick<Instance, 'id' | 'name' | 'state' | 'created_at'>

/** What one pool has of one SKU over time. */
export type Lane = {
  readonly key: string
  readonly pool: { readonly id: string; readonly name: string; readonly kind: Pool['kind'] }
  readonly sku: { readonly id: string; readonly alias: string }
  readonly owned: Steps
  readonly promised: Steps
  readonly free: Steps
  readonly used: Steps
  /** What open buys still ask for. */
  readonly wanted: Steps
  readonly orders: readonly (Bar & { readonly side: Order['side'] })[]
  readonly managed: readonly Bar[]
  readonly users: readonly User[]
}

/** What lanes are made of. */
export type LaneSources = {
  readonly pools: readonly Pick<Pool, 'id' | 'name' | 'kind' | 'allocation_schedule'>[]
  readonly skus: readonly { readonly id: string; readonly alias: string }[]
  readonly orders: readonly Order[]
  readonly instances: readonly Instance[]
  readonly procurements: readonly Procurement[]
}

/** The lanes: those of one pool together, by name; a pool's SKUs by theirs. */
export function lanesOf({ pools, skus, orders, instances, procurements }: LaneSources, now: number): Lane[] {
  const aliases = new Map(skus.map(({ id, alias }) => [id, alias]))
  const ordersOf = Map.groupBy(orders, ({ pool, sku }) => keyOf(pool?.id, sku.id))
  const usersOf = Map.groupBy(instances, ({ pool, sku }) => keyOf(pool?.id, sku.id))
  const managedOf = Map.groupBy(procurements, ({ pool, sku }) => keyOf(pool.id, sku.id))
  for (const { sku } of [...orders, ...instances, ...procurements]) aliases.set(sku.id, sku.alias)
  const lanes = pools.flatMap((pool) => {
    const bySku: Readonly<Record<string, Parameters<typeof stepsOf>[0]>> = pool.allocation_schedule.by_sku
    const others = [...ordersOf.keys(), ...usersOf.keys(), ...managedOf.keys()]
      .filter((key) => key.startsWith(`${pool.id} `))
      .map((key) => key.slice(pool.id.length + 1))
    return [...new Set([...Object.keys(bySku), ...others])].map((sku) => {
      const key = keyOf(pool.id, sku)
      return laneOf({
        key,
        pool,
        sku: { id: sku, alias: aliases.get(sku) ?? sku },
        owned: stepsOf(bySku[sku] ?? []),
        now,
        orders: ordersOf.get(key) ?? [],
        users: usersOf.get(key) ?? [],
        procurements: managedOf.get(key) ?? [],
      })
    })
  })
  const name = ({ pool, sku }: Lane) => `${pool.name} ${pool.id} ${sku.alias}`
  return lanes.toSorted((a, b) => name(a).localeCompare(name(b), 'en', { numeric: true }))
}

function keyOf(pool: string | undefined, sku: string): string {
  return `${pool ?? ''} ${sku}`
}

type LaneParts = Pick<Lane, 'key' | 'sku' | 'owned' | 'users'> & {
  readonly pool: LaneSources['pools'][number]
  readonly orders: readonly Order[]
  readonly procurements: readonly Procurement[]
  readonly now: number
}

function laneOf({ key, pool, sku, owned, users, orders, procurements, now }: LaneParts): Lane {
  const rests = orders.map((order) => ({
    order,
    rest: restOf(order.allocation_schedule_delta, order.filled_allocation_schedule_delta),
  }))
  const ofSide = (side: Order['side']) =>
    summed(rests.filter(({ order }) => order.side === side).map(({ rest }) => rest))
  const promised = ofSide('sell')
  const started = users.map(({ created_at }): Steps => [[created_at, 1]])
  const next = Math.ceil(now / 60) * 60
  return {
    key,
    sku,
    owned,
    promised,
    users,
    pool: { id: pool.id, name: pool.name, kind: pool.kind },
    free: combined([owned, promised], (all = 0, sold = 0) => Math.max(0, all - sold)),
    // What runs now goes on as long as the pool owns its node.
    used: combined([owned, summed(started)], Math.min),
    wanted: ofSide('buy'),
    orders: rests.flatMap(({ order, rest }) => barsOf(order, rest)),
    managed: procurements
      .filter(({ enabled }) => enabled)
      .map(({ id, name, target, managed_window_minutes }) => ({
        id,
        start: next,
        end: next + managed_window_minutes * 60,
        nodes: target === 'node_count' ? 0 : target,
        text: `${name} keeps ${target === 'node_count' ? 'a node for each instance' : `${target} nodes`}`,
      })),
  }
}

function barsOf(order: Order, rest: Steps): Lane['orders'] {
  const { id, side, limit_price_dollars_per_node_hour: limit } = order
  return rest.flatMap(([start, nodes], index) => {
    const end = rest[index + 1]?.[0]
    if (nodes === 0 || end === undefined) return []
    const verb = side === 'buy' ? 'buys' : 'sells'
    return [{ id, side, start, end, nodes, text: `an order ${verb} ${nodes} at $${Number(limit)}` }]
  })
}

/** A stretch of time in which nothing of a lane changes. */
export type Segment = {
  readonly start: number
  readonly end: number
  readonly owned: number
  readonly promised: number
  readonly free: number
  readonly used: number
  readonly wanted: number
}

/** The stretches of a lane within a range, those without anything included. */
export function segmentsOf(lane: Lane, from: number, to: number): Segment[] {
  const all = [lane.owned, lane.promised, lane.free, lane.used, lane.wanted]
  const inside = all.flatMap((steps) => steps.map(([at]) => at)).filter((at) => at > from && at < to)
  const edges = [...new Set([from, ...inside, to])].toSorted((a, b) => a - b)
  return edges.slice(0, -1).map((start, index) => {
    const [owned = 0, promised = 0, free = 0, used = 0, wanted = 0] = all.map((steps) => valueAt(steps, start) ?? 0)
    return { start, end: edges[index + 1] ?? to, owned, promised, free, used, wanted }
  })
}

/** Every moment at which something of a lane begins or ends. */
export function edgesOf(lane: Lane): number[] {
  return [lane.owned, lane.promised, lane.wanted].flatMap((steps) => steps.map(([at]) => at))
}

/** What a drag or a chosen stretch leads to. */
export type LaneTrade =
  | { readonly side: 'buy' | 'sell'; readonly start: number; readonly end: number; readonly nodes: number }
  | { readonly refused: string }

/**
 * The order that a drag from one moment to another means. Where it begins decides: on free nodes it sells them, where
 * the pool owns nothing it buys as many as the pool has beside. It ends where this no longer holds.
 */
export function tradeOf(lane: Lane, { begin, end }: { begin: number; end: number }, now: number): LaneTrade {
  const first = Math.floor(now / 60) * 60 + 60
  const [low, high] = [Math.max(first, Math.min(begin, end)), Math.max(begin, end)]
  if (high <= low) return { refused: 'This time has passed.' }
  // A drag to the left begins with the minute before the place where it was pressed.
  const anchor = Math.min(Math.max(begin <= end ? begin : begin - 60, low), high - 60)
  const sells = (valueAt(lane.free, anchor) ?? 0) > 0
  const owns = (valueAt(lane.owned, anchor) ?? 0) > 0
  if (!sells && owns) return { refused: 'Every node here is promised to an open sell already.' }
  if (lane.pool.kind === 'read_only') return { refused: 'What the operator granted cannot be traded.' }
  if (!sells && lane.pool.kind === 'originating')
    return { refused: 'This pool receives nodes of hosts; it only sells.' }
  const steps = sells ? lane.free : lane.owned
  const holds = (value: number) => (sells ? value > 0 : value === 0)
  const { start, end: until } = stretchOf(steps, anchor, holds)
  const window = { start: Math.max(low, start), end: Math.min(high, until) }
  if (sells) return { side: 'sell', ...window, nodes: leastOf(lane.free, window) }
  const before = start > Number.NEGATIVE_INFINITY ? (valueAt(lane.owned, start - 1) ?? 0) : 0
  const after = until < Number.POSITIVE_INFINITY ? (valueAt(lane.owned, until) ?? 0) : 0
  return { side: 'buy', ...window, nodes: Math.max(1, window.start === start ? before : before || after) }
}

/** The longest stretch around a moment in which a condition on the value holds. */
function stretchOf(steps: Steps, at: number, holds: (value: number) => boolean): { start: number; end: number } {
  let start = Number.NEGATIVE_INFINITY
  for (const [time, value] of steps) {
    if (time > at) {
      if (!holds(value)) return { start, end: time }
    } else if (!holds(value)) start = Number.POSITIVE_INFINITY
    else if (start === Number.POSITIVE_INFINITY) start = time
    else if (start === Number.NEGATIVE_INFINITY && !holds(0)) start = time
  }
  return { start, end: Number.POSITIVE_INFINITY }
}

function leastOf(steps: Steps, { start, end }: { start: number; end: number }): number {
  const inside = steps.filter(([at]) => at > start && at < end).map(([, value]) => value)
  return Math.min(valueAt(steps, start) ?? 0, ...inside)
}

/** The address of the ticket for a trade. */
export function ticketSearch(lane: Pick<Lane, 'pool' | 'sku'>, trade: Exclude<LaneTrade, { refused: string }>) {
  const { side, start, end, nodes } = trade
  return { side, sku: lane.sku.id, pool: lane.pool.id, nodes: `${nodes}`, start: `${start}`, end: `${end}` }
}

/** The greatest number of nodes that is drawn in any lane, at least one. */
export function mostNodes(lanes: readonly Lane[]): number {
  return lanes.reduce((most, { owned, promised, wanted }) => {
    return [owned, promised, wanted].flat().reduce((all, [, nodes]) => Math.max(all, nodes), most)
  }, 1)
}

/** A stretch in words, for those who hear it. What is promised and what is free add up to what is owned. */
export function segmentText({ owned, used, promised, free, wanted }: Segment): string {
  if (owned === 0) return wanted > 0 ? `nothing owned, ${wanted} wanted by open buys` : 'nothing owned'
  const more = wanted > 0 ? `, ${wanted} wanted` : ''
  return `${owned} owned, of which ${promised} promised and ${free} free to sell; ${used} in use${more}`
}
