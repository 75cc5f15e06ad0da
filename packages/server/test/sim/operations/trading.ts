/** Traders: market pools, orders of both sides, resales, transfers, views of the order book. */

import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  maybeKey,
  pickResource,
  recording,
  refTo,
  removal,
  type SimActor,
  type SimContext,
  type SimOperation,
  tagsFor,
  then,
} from '../context.ts'
import type { Resource } from '../inventory.ts'
import type { ReplicaResponse } from '../replicas/client.ts'

const hour = 3600
const day = 86_400
/** The number of consecutive reads, so that due work runs and the clock moves between them. */
const looksMeanwhile = 7
const threeYears = 3 * 365 * 24 * hour
/** A few prices, so that many are equal and most others cross. For some the values and holds have to be rounded. */
const prices = ['1.080000', '1.140001', '1.2', '1.200000', '1.260059', '1.320000']
/** Combinations of standing and partial orders. */
const manners = [
  { weight: 50, allow_standing: true, allow_partial: true },
  { weight: 15, allow_standing: true, allow_partial: false },
  { weight: 20, allow_standing: false, allow_partial: true },
  { weight: 15 },
]

type OrderWindow = { readonly start_at: number; readonly end_at: number; readonly node_count: number }
type OrderSide = 'buy' | 'sell'

/** A SKU to trade, mostly the same one. */
export function tradedSku({ choices, world, inventory }: SimContext): string {
  const { plain, fabric, south } = world.skus
  return choices.weighted([
    { weight: 80, id: plain },
    { weight: 8, id: south },
    { weight: 6, id: fabric },
    ...inventory.all('sku').map(({ id }) => ({ weight: 1, id })),
  ]).id
}

/** Windows that touch, nest and coincide: near ones, or whole hours ahead. */
function anyWindow({ choices, now }: SimContext): OrderWindow {
  const minute = now - (now % 60)
  const node_count = choices.chance(5) ? 30 : 1 + choices.integer(4)
  if (choices.chance(45)) {
    const start_at = minute + 60 * choices.pick([0, 1, 1, 1, 2, 5])
    return { start_at, end_at: start_at + 60 * choices.pick([1, 5, 30, 45]), node_count }
  }
  const start_at = Math.ceil((minute + 60) / hour) * hour + hour * choices.integer(2)
  return { start_at, end_at: start_at + hour * (1 + choices.integer(2)), node_count }
}

/** Sometimes a window that cannot be traded. */
function spoilt({ choices, now }: SimContext, window: OrderWindow): OrderWindow {
  if (!choices.chance(4)) return window
  const length = window.end_at - window.start_at
  const far = now - (now % 60) + threeYears
  const start_at = choices.chance(50) ? window.start_at - 6 * hour : far
  return { ...window, start_at, end_at: start_at + length }
}

type SimOrderParams = {
  readonly actor: SimActor
  readonly pool: string
  readonly sku: string
  readonly side: OrderSide
  readonly window: OrderWindow
  readonly price: string
  readonly allow_standing?: boolean
  readonly allow_partial?: boolean
  readonly next?: (response: ReplicaResponse) => CallPlan | undefined
}

function orderOf(context: SimContext, request: SimOrderParams): CallPlan {
  const { actor, pool, sku, side, window, price, allow_standing, allow_partial, next } = request
  const body = {
    pool,
    side,
    sku,
    allocation_schedule_delta: [window],
    limit_price_dollars_per_node_hour: price,
    ...defined({ allow_standing, allow_partial }),
  }
  return {
    op: 'create_order',
    actor,
    body,
    key: maybeKey(context),
    record: recording(context, actor, 'order'),
    verify: ({ status, body: order }) => (status === 201 ? violationOfOrder(order) : undefined),
    ...(next ? { next } : {}),
  }
}

/** Describes a wrong order in a response, whatever it was matched with. */
function violationOfOrder(order: any): string | undefined {
  const isOpen = order.state === 'standing' || order.state === 'partially_filled'
  if (isOpen && !order.allow_standing) return `${order.id} rests although it may not`
  if (!order.allow_partial && order.state === 'partially_filled') return `${order.id} is filled in part`
  if (!order.allow_partial && order.state === 'cancelled' && order.fills.length > 0) return `${order.id} has a fill`
  const limit = Number(order.limit_price_dollars_per_node_hour)
  const isPast = (price: number) => (order.side === 'buy' ? price > limit : price < limit)
  const bad = order.fills.find((fill: any) => isPast(Number(fill.price_dollars_per_node_hour)))
  return bad && `${order.id} is filled at ${bad.price_dollars_per_node_hour}, past its limit`
}

function isPool(kind: string): (resource: Resource) => boolean {
  return ({ facts }) => facts.kind === kind
}

/** A seller and its pool: an owner of hosts, the platform, or a buyer that resells. */
function anySeller(context: SimContext): { actor: SimActor; pool: Resource } | undefined {
  const { choices, platform, inventory } = context
  const actor = choices.chance(35) ? platform : anyActor(context)
  const supply = inventory.all('pool', (resource) => resource.account === actor.id && isPool('originating')(resource))
  const kind = choices.chance(95) ? 'market' : 'read_only'
  const pool =
    supply.length > 0 && choices.chance(85) ? choices.pick(supply) : pickResource(context, actor, 'pool', isPool(kind))
  return pool && { actor, pool }
}

function sell(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const seller = anySeller(context)
  if (!seller) return undefined
  const { actor, pool } = seller
  const { weight: _, ...manner } = choices.weighted(manners)
  const terms = { sku: tradedSku(context), side: 'sell' as const, window: spoilt(context, anyWindow(context)) }
  return orderOf(context, {
    actor,
    pool: inventory.ref(pool, choices),
    ...terms,
    price: choices.pick(prices),
    ...manner,
  })
}

function buy(context: SimContext): CallPlan | undefined {
  const { choices } = context
  const actor = anyActor(context)
  const isMarket = isPool('market')
  const pool = choices.chance(1) ? 'pool_0000000000000000000zz' : refTo(context, actor, 'pool', isMarket)
  if (pool === undefined) return undefined
  const { weight: _, ...manner } = choices.weighted(manners)
  const price = choices.chance(3) ? '900.000000' : choices.pick(prices)
  const terms = { sku: tradedSku(context), side: 'buy' as const, window: spoilt(context, anyWindow(context)), price }
  const next = ({ status, body }: ReplicaResponse) =>
    status === 201 && body.state === 'filled' && choices.chance(75) ? resaleOf(context, actor, body) : undefined
  return orderOf(context, { actor, pool, ...terms, ...manner, next })
}

/** Offers at a higher price what an order bought. */
function resaleOf(context: SimContext, actor: SimActor, order: any): CallPlan | undefined {
  const [window] = order.allocation_schedule_delta
  if (!order.pool || window.start_at < context.now - (context.now % 60)) return undefined
  const terms = { pool: order.pool.id, sku: order.sku.id, side: 'sell' as const, window }
  const price = context.choices.pick(['1.140000', '1.260000', '1.320000'])
  return orderOf(context, { actor, ...terms, price, allow_standing: true, allow_partial: context.choices.chance(80) })
}

/** Sells the allocation of a running instance to a resting bid. */
function sellFromUnder(context: SimContext): CallPlan | undefined {
  const { choices, inventory, actors } = context
  const machine = pickResource(context, anyActor(context), 'instance', ({ facts }) => facts.state !== 'terminated')
  const pool = machine && inventory.resources.get(machine.pool ?? '')
  const seller = actors.find(({ id }) => id === machine?.account)
  const buyer = choices.pick(actors)
  const [to] = inventory.all(
    'pool',
    (resource) => resource.account === buyer.id && resource.isAlive && isPool('market')(resource),
  )
  if (!machine || !seller || buyer === seller || pool?.facts.kind !== 'market' || !to) return undefined
  const sku = machine.facts.sku_id as string
  const window = { start_at: context.now - (context.now % 60) + 60, node_count: 1 + choices.integer(4) }
  const terms = { sku, window: { ...window, end_at: window.start_at + 60 * choices.pick([5, 30]) }, price: '1.320000' }
  const sale = () =>
    orderOf(context, { actor: seller, pool: pool.id, side: 'sell', ...terms, allow_partial: true, price: '1.080000' })
  const bid = { ...terms, allow_standing: true, allow_partial: true, next: sale }
  return orderOf(context, { actor: buyer, pool: to.id, side: 'buy', ...bid })
}

/** Buys nodes that are offered now and starts an instance on them. */
function buyAndRun(context: SimContext): CallPlan | undefined {
  const { choices, now } = context
  const actor = anyActor(context)
  const pool = pickResource(context, actor, 'pool', isPool('market'))
  if (!pool) return undefined
  const start_at = now - (now % 60)
  const window = { start_at, end_at: start_at + 60 * choices.pick([30, 60, 180]), node_count: 1 + choices.integer(2) }
  const sku = context.world.skus.plain
  const image = context.inventory.all(
    'image',
    ({ account, facts }) => account === actor.id && facts.state === 'completed',
  )[0]
  if (image && choices.chance(40)) return purchase(context, actor, { pool: pool.id, sku, image: image.id }, window)
  const start = (): CallPlan | undefined =>
    image &&
    then(
      {
        op: 'create_instance',
        actor,
        body: { pool: pool.id, sku, image: image.id },
        key: maybeKey(context),
        record: recording(context, actor, 'instance'),
      },
      ({ id }) => (choices.chance(70) ? lendAndTakeBack(context, actor, { machine: id, pool, window }) : undefined),
    )
  const next = ({ status }: ReplicaResponse) => (status === 201 ? start() : undefined)
  return orderOf(context, {
    actor,
    pool: pool.id,
    side: 'buy',
    sku,
    window,
    price: '1.320000',
    allow_partial: true,
    next,
  })
}

/** Buys a node and starts an instance on it in one call. Reading the order acknowledges it. */
function purchase(context: SimContext, actor: SimActor, launch: object, { start_at, end_at }: OrderWindow): CallPlan {
  const buy = { start_at, end_at, limit_price_dollars_per_node_hour: '1.320000' }
  const call = {
    op: 'create_instance',
    actor,
    body: { ...launch, buy },
    key: maybeKey(context),
    record: recording(context, actor, 'instance'),
  } as const
  return then(call, ({ order: id }) => {
    return { op: 'get_order', actor, params: { id }, record: recording(context, actor, 'order') }
  })
}

type RunningMachine = { readonly machine: string; readonly pool: Resource; readonly window: OrderWindow }

/** Transfers the allocation of a running instance away, and back when its notice may have been given. */
function lendAndTakeBack(context: SimContext, actor: SimActor, { machine, pool, window }: RunningMachine): CallPlan {
  const looks = (times: number, after: () => CallPlan): CallPlan => {
    const next = () => (times > 1 ? looks(times - 1, after) : after())
    return { op: 'explain_instance', actor, params: { id: machine }, next }
  }
  const move = (from_pool: string, to_pool: string, start_at: number): CallPlan => {
    const delta = [{ start_at, end_at: window.end_at, node_count: window.node_count }]
    const body = { from_pool, to_pool, sku: context.world.skus.plain, allocation_schedule_delta: delta }
    const record = recording(context, actor, 'pool_transfer')
    return { op: 'create_pool_transfer', actor, body, key: maybeKey(context), record }
  }
  const lend = (other: string): CallPlan => {
    const start_at = context.now - (context.now % 60) + 60 * (5 + context.choices.integer(4))
    return then(move(pool.id, other, start_at), () => looks(looksMeanwhile, () => move(other, pool.id, start_at)))
  }
  const place = pool.workspace === null ? {} : { workspace: pool.workspace }
  const keep = recording(context, actor, 'pool')
  const make: CallPlan = { op: 'create_pool', actor, body: { ...place, name: context.nextKey() }, record: keep }
  return looks(looksMeanwhile, () => then(make, ({ id }) => lend(id)))
}

/** Bids and offers of one account at one price: its own orders never match. */
function bothWays(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const sellers = context.actors.filter(({ id }) =>
    inventory.all('pool', (pool) => pool.account === id && isPool('originating')(pool)).some(({ isAlive }) => isAlive),
  )
  if (sellers.length === 0) return undefined
  const actor = choices.pick(sellers)
  const own = (kind: string) => inventory.all('pool', (pool) => pool.account === actor.id && isPool(kind)(pool))
  const [from, to] = [own('originating')[0], own('market').find(({ isAlive }) => isAlive)]
  if (!from || !to) return undefined
  const terms = { actor, sku: context.world.skus.plain, window: anyWindow(context), price: '1.200000' }
  const standing = { allow_standing: true, allow_partial: true }
  const bid = () => orderOf(context, { ...terms, ...standing, pool: to.id, side: 'buy' })
  return orderOf(context, { ...terms, ...standing, pool: from.id, side: 'sell', next: bid })
}

function cancel(context: SimContext): CallPlan | undefined {
  const { choices, platform } = context
  const actor = choices.chance(15) ? platform : anyActor(context)
  const order = pickResource(context, actor, 'order', ({ facts }) => facts.state === undefined || choices.chance(10))
  if (!order) return undefined
  return {
    op: 'cancel_order',
    actor,
    params: { id: order.id },
    touches: [order],
    record: () => Object.assign(order.facts, { state: 'cancelled', cancel_reason: 'user' }),
    verify: ({ status }) => (status === 204 && order.facts.state !== undefined ? `${order.id} ended twice` : undefined),
  }
}

/** Other terms for an open order, which another one continues. */
function amend(context: SimContext): CallPlan | undefined {
  const { choices, platform, now } = context
  const actor = choices.chance(15) ? platform : anyActor(context)
  const order = pickResource(context, actor, 'order', ({ facts }) => facts.state === undefined || choices.chance(5))
  if (!order) return undefined
  const minute = now - (now % 60)
  const body = defined({
    node_count: maybe(context, 60, () => 1 + choices.integer(5)),
    start_at: maybe(context, 10, () => minute + 60 * (choices.integer(6) - 1)),
    end_at: maybe(context, 20, () => minute + 60 * (1 + choices.integer(90))),
    limit_price_dollars_per_node_hour: maybe(context, 40, () => choices.pick(prices)),
    allow_standing: maybe(context, 5, () => false),
    allow_partial: maybe(context, 15, () => choices.chance(50)),
  })
  return {
    op: 'amend_order',
    actor,
    params: { id: order.id },
    body,
    key: maybeKey(context),
    touches: [order],
    record: (response) => {
      recording(context, actor, 'order')(response)
      Object.assign(order.facts, { state: 'cancelled', cancel_reason: 'amended' })
    },
    verify: ({ status, body: made }) => {
      if (status !== 201) return undefined
      return made.amends === order.id ? violationOfOrder(made) : `${made.id} does not amend ${order.id}`
    },
  }
}

function estimate(context: SimContext): CallPlan {
  const { choices, world } = context
  const actor = anyActor(context)
  const { node_count, start_at, end_at } = spoilt(context, anyWindow(context))
  const side = choices.pick(['buy', 'buy', 'sell'] as const)
  const pool = refTo(context, actor, 'pool', isPool(choices.chance(90) ? 'market' : 'read_only'))
  const sku = maybe(context, 70, () => (choices.chance(95) ? world.skus.plain : tradedSku(context)))
  const requirements = maybe(context, 10, () => ({ region: ['north'] }))
  const body = defined({ side, sku, requirements, start_at, duration_seconds: end_at - start_at, node_count, pool })
  return {
    op: 'create_order_estimate',
    actor,
    body,
    next: ({ status, body: found }) => {
      if (status !== 200 || found.type !== 'quoted' || !found.post_order_body.pool || choices.chance(30))
        return undefined
      const key = maybeKey(context)
      return { op: 'create_order', actor, body: found.post_order_body, key, record: recording(context, actor, 'order') }
    },
  }
}

function createPool(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const body = defined({
    name: maybe(context, 60, () => anyName(context, 'pool', 6)),
    workspace: maybe(context, 30, () => refTo(context, actor, 'workspace')),
    tags: maybe(context, 30, () => tagsFor(context) ?? undefined),
  })
  return { op: 'create_pool', actor, body, key: maybeKey(context), record: recording(context, actor, 'pool') }
}

function updatePool(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const pool = pickResource(context, actor, 'pool', isPool('market'))
  if (!pool) return undefined
  const name = maybe(context, 50, () => anyName(context, 'pool', 6))
  const body = defined({ name, tags: maybe(context, 50, () => tagsFor(context)) })
  return {
    op: 'update_pool',
    actor,
    params: { id: context.inventory.ref(pool, context.choices) },
    body,
    touches: [pool],
    record: recording(context, { id: pool.account }, 'pool'),
  }
}

function transfer(context: SimContext): CallPlan | undefined {
  const { choices, now } = context
  const actor = anyActor(context)
  const to = refTo(context, actor, 'pool', isPool('market'))
  const from = choices.chance(6) ? to : refTo(context, actor, 'pool', isPool(choices.pick(['market', 'originating'])))
  if (from === undefined || to === undefined) return undefined
  const window = spoilt(context, anyWindow(context))
  const isOpen = choices.chance(15)
  const delta = [isOpen ? { ...window, start_at: now - (now % 60), end_at: null } : window]
  const body = { from_pool: from, to_pool: to, sku: tradedSku(context), allocation_schedule_delta: delta }
  const record = recording(context, actor, 'pool_transfer')
  const read = ({ status, body: made }: ReplicaResponse): CallPlan | undefined =>
    status === 201 && choices.chance(40) ? { op: 'get_pool_transfer', actor, params: { id: made.id } } : undefined
  return { op: 'create_pool_transfer', actor, body, key: maybeKey(context), record, next: read }
}

/** Views of the market. */
function lookAtMarket(context: SimContext): CallPlan {
  const { choices, now } = context
  const actor = anyActor(context)
  const order = pickResource(context, actor, 'order')
  const from = now - (now % hour)
  const range = `start_at=${from}&end_at=${from + 6 * hour}`
  const own = order ? [{ op: 'explain_order', params: { id: order.id } } as const] : []
  const monthsAgo = from - 31 * 24 * hour
  return {
    actor,
    ...choices.pick([
      { op: 'get_orderbook_status', query: `sku=${context.world.skus.plain}` },
      { op: 'get_orderbook_quote', query: range },
      { op: 'get_orderbook_depth', query: range },
      { op: 'get_orderbook_curve', query: `sku=${context.world.skus.plain}&node_count=2&length_minutes=90` },
      { op: 'get_orderbook_board', query: `hours=${1 + choices.integer(168)}` },
      { op: 'get_orderbook_heatmap', query: `from=${from}` },
      { op: 'list_orderbook_windows', query: `range_start_at=${from}&range_end_at=${from + 6 * hour}` },
      { op: 'list_price_history', query: `sku=${context.world.skus.plain}&interval=hour` },
      { op: 'list_price_history', query: `interval=minute&since=${monthsAgo}&until=${from}` },
      { op: 'list_orderbook_fills', query: choices.chance(30) ? `${range}&since_at=${monthsAgo}` : range },
      { op: 'get_balance' },
      {
        op: 'list_usage',
        query: `from=${from - (from % day) - day}&to=${from - (from % day) + 2 * day}&group_by=pool`,
      },
      { op: 'list_limits' },
      ...own,
    ] as const),
  }
}

export const traderOperations: readonly SimOperation[] = [
  { name: 'buy', weight: 70, plan: buy },
  { name: 'sell', weight: 70, plan: sell },
  { name: 'sell from under a machine', weight: 30, plan: sellFromUnder },
  { name: 'buy and run', weight: 20, plan: buyAndRun },
  { name: 'offer both ways', weight: 4, plan: bothWays },
  { name: 'cancel order', weight: 14, plan: cancel },
  { name: 'amend order', weight: 16, plan: amend },
  { name: 'estimate', weight: 6, plan: estimate },
  { name: 'create pool', weight: 6, plan: createPool },
  { name: 'change pool', weight: 3, plan: updatePool },
  { name: 'delete pool', weight: 3, plan: (context) => removal(context, 'delete_pool', 'pool') },
  { name: 'transfer', weight: 9, plan: transfer },
  { name: 'request at the market', weight: 8, plan: lookAtMarket },
]
