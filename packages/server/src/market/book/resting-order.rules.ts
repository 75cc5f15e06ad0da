// An order of the book: its terms, and the node that holds its state while it rests.

import { empty, rectangle, type Schedule } from '../schedule/schedule.rules.ts'

export type Side = 'buy' | 'sell'

/** The terms of an order, which never change. The caller can add fields of its own. */
export type Order = {
  readonly id: string
  /** Orders of one account never match. */
  readonly account_id: string
  readonly side: Side
  /** The limit, in micro-dollars per node-hour. */
  readonly price_micros: bigint
  /** The place in the queue of its price: the smaller, the older. An amended order may keep that of the one before. */
  readonly seq: number
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
  /** What it asks for, if that is not all of its rectangle: a part was filled before it was amended. */
  readonly requested?: Schedule
  /** Whether the part that does not match at once rests. */
  readonly allow_standing: boolean
  /** False: all or nothing. */
  readonly allow_partial: boolean
}

/** A price level: the orders of one rank in one ladder, oldest first. */
export type Level<O extends Order> = {
  readonly rank: number
  readonly ladder: Ladder<O>
  oldest: RestingOrder<O> | undefined
  youngest: RestingOrder<O> | undefined
  better: Level<O> | undefined
  worse: Level<O> | undefined
}

/** The levels of one cell of a time grid, best first. Only `price-ladder.rules.ts` changes it. */
export type Ladder<O extends Order> = {
  readonly cell: number
  readonly cells: Map<number, Ladder<O>>
  readonly runs: Level<O>[][]
  best: Level<O> | undefined
  /** All remaining schedules of its orders lie between these minutes. */
  earliest: number
  latest: number
}

/** An order in the book: its remaining schedule, and its positions in the ladder and in the expiry queue. */
export type RestingOrder<O extends Order> = {
  readonly order: O
  /** The price of a sell, or the negated price of a buy, so that a smaller rank is better on both sides. */
  readonly rank: number
  readonly seq: number
  readonly account_id: string
  /** Whether it is all or nothing. Its remaining schedule then is all that it asks for. */
  readonly whole: boolean
  remaining: Schedule
  /** First and end minute of the remaining schedule. */
  first: number
  end: number
  /** Whether any of its minutes passed unfilled. */
  lapsed: boolean
  level: Level<O> | undefined
  older: RestingOrder<O> | undefined
  younger: RestingOrder<O> | undefined
  expiry_index: number
  /** The last command that changed it. The fields below belong to that command. */
  changed_by: number
  lost: Schedule
  ended: CancelReason | undefined
}

/** Why an order was cancelled. The book sets `unfilled` and `expired`; the caller of a cancel sets the others. */
export type CancelReason =
  | 'user'
  | 'amended'
  | 'unfilled'
  | 'expired'
  | 'automation'
  | 'deployment_deleted'
  | 'sku_retired'
  | 'account_frozen'

/** What an order asks for. */
export function requestedOf({ start_minute, end_minute, node_count, requested }: Order): Schedule {
  return requested ?? rectangle(start_minute, end_minute, node_count)
}

/** The node of a new order. */
export function nodeOf<O extends Order>(order: O): RestingOrder<O> {
  const price = Number(order.price_micros)
  const remaining = requestedOf(order)
  return {
    order,
    rank: order.side === 'sell' ? price : 0 - price,
    seq: order.seq,
    account_id: order.account_id,
    whole: !order.allow_partial,
    remaining,
    first: remaining[0] as number,
    end: remaining[remaining.length - 2] as number,
    lapsed: false,
    level: undefined,
    older: undefined,
    younger: undefined,
    expiry_index: -1,
    changed_by: 0,
    lost: empty,
    ended: undefined,
  }
}

/** The worst opposite rank that a limit accepts: a buy at p accepts sells up to p, a sell at p buys from p on. */
export function worstRankAccepted(node: { readonly rank: number }): number {
  return 0 - node.rank
}
