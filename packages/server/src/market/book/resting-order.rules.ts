// An order as the book sees it: what it says of itself, and the node that stands for it while it rests.

import { EMPTY, rectangle, type Schedule } from '../schedule/schedule.rules.ts'

export type Side = 'buy' | 'sell'

/** What an order says of itself; it never changes. Fields of the caller's own may ride along. */
export type Order = {
  readonly id: string
  /** Orders of one account never meet. */
  readonly account_id: string
  readonly side: Side
  /** The limit, in micro-dollars per node-minute. */
  readonly price_micros: bigint
  /** Place in the one sequence of the book: the smaller, the older. */
  readonly seq: number
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
  /** Whether what does not match at once rests. */
  readonly allow_standing: boolean
  /** False: all or nothing. */
  readonly allow_partial: boolean
}

/** One step in the life of a price: every order of one rank in one ladder, oldest first. */
export type Level<O extends Order> = {
  readonly rank: number
  readonly ladder: Ladder<O>
  oldest: Resting<O> | undefined
  youngest: Resting<O> | undefined
  better: Level<O> | undefined
  worse: Level<O> | undefined
}

/** The levels of one cell of a time grid, best first; `price-ladder.rules.ts` is the only one to change it. */
export type Ladder<O extends Order> = {
  readonly cell: number
  readonly cells: Map<number, Ladder<O>>
  readonly runs: Level<O>[][]
  best: Level<O> | undefined
  /** No order here has anything left before or after these minutes. */
  earliest: number
  latest: number
}

/** An order in the book: what is left of it, and its places in the ladder and in the agenda. */
export type Resting<O extends Order> = {
  readonly order: O
  /** The price so turned that smaller is better on both sides: the price of a sell, minus the price of a buy. */
  readonly rank: number
  readonly seq: number
  readonly account_id: string
  /** All or nothing: what is left is then the whole rectangle. */
  readonly whole: boolean
  remaining: Schedule
  /** First and end minute of what is left. */
  first: number
  end: number
  /** Whether minutes passed by unfilled. */
  lapsed: boolean
  level: Level<O> | undefined
  older: Resting<O> | undefined
  younger: Resting<O> | undefined
  agenda_index: number
  /** The last command that changed it; what follows is that command's. */
  changed_by: number
  lost: Schedule
  ended: CancelReason | undefined
}

/** Why an order was cancelled: `unfilled` and `expired` by the book itself, the others by whoever cancels. */
export type CancelReason =
  | 'user'
  | 'unfilled'
  | 'expired'
  | 'automation'
  | 'deployment_deleted'
  | 'sku_retired'
  | 'account_frozen'

/** The node of an order that wants or offers its whole rectangle. */
export function nodeOf<O extends Order>(order: O): Resting<O> {
  const price = Number(order.price_micros)
  return {
    order,
    rank: order.side === 'sell' ? price : 0 - price,
    seq: order.seq,
    account_id: order.account_id,
    whole: !order.allow_partial,
    remaining: rectangle(order.start_minute, order.end_minute, order.node_count),
    first: order.start_minute,
    end: order.end_minute,
    lapsed: false,
    level: undefined,
    older: undefined,
    younger: undefined,
    agenda_index: -1,
    changed_by: 0,
    lost: EMPTY,
    ended: undefined,
  }
}

/** The worst rank of the other side that a limit still accepts: a buy at p takes sells up to p, a sell buys from p. */
export function worstRankAccepted(node: { readonly rank: number }): number {
  return 0 - node.rank
}
