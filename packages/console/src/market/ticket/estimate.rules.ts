/** What an estimate says, in figures that a ticket shows. Pure. */

import type { Budget, CreateOrderBody, Order, OrderEstimate, ScheduleEntry } from '@bourse/sdk'
import { counted, nodeHoursOf } from '@bourse/text/formats/amounts.ts'
import { parseDollars, printDollars } from '@bourse/text/money.ts'
import { nodeMinutes } from '../orders/order.rules.ts'

/** A budget that a buy counts against, and what is left of it then. */
export type BudgetAfter = {
  readonly name: string
  readonly hard_stop: boolean
  readonly left_dollars: string
  readonly isExceeded: boolean
}

/** The change of the available balance that an estimate tells, in micro-dollars: negative for a buy. */
export function changeOf({ available_dollars, available_after_dollars, worst_case_dollars }: OrderEstimate): bigint {
  const [before, after] = [micros(available_dollars), micros(available_after_dollars)]
  return before === undefined || after === undefined ? -(micros(worst_case_dollars) ?? 0n) : after - before
}

/** The budgets of an account and of the workspace of a buy, as they stand after it; the tightest first. */
export function budgetsAfter(
  budgets: readonly Budget[],
  estimate: OrderEstimate,
  workspace: string | undefined,
): readonly BudgetAfter[] {
  if (estimate.post_order_body?.side !== 'buy') return []
  const change = changeOf(estimate)
  return budgets
    .filter((budget) => budget.workspace === null || budget.workspace === workspace)
    .map(({ name, period, amount_dollars, spent_dollars, held_dollars, hard_stop }) => {
      const used = (micros(spent_dollars) ?? 0n) + (micros(held_dollars) ?? 0n)
      const left = (micros(amount_dollars) ?? 0n) - used + change
      return { left, name: name ?? `${period} budget`, hard_stop }
    })
    .toSorted((a, b) => (a.left < b.left ? -1 : 1))
    .map(({ left, ...rest }) => ({ ...rest, left_dollars: printDollars(left), isExceeded: left < 0n }))
}

/**
 * The most that an order can cost, by its own figures: its limit for all of its nodes and hours. For a sell that is
 * nothing. The server's estimate says the same, but it may be away.
 */
export function worstCaseOf({ side, limit_price_dollars_per_node_hour, ...rest }: CreateOrderBody): string | undefined {
  if (side !== 'buy') return undefined
  const minutes = nodeMinutes(rest.allocation_schedule_delta as readonly ScheduleEntry[])
  const product = (micros(limit_price_dollars_per_node_hour) ?? 0n) * BigInt(minutes)
  return printDollars((product + 59n) / 60n)
}

/**
 * What a buy lacks of the available balance, in dollars; undefined where it is enough, or not known. Its worst case is
 * held, also where all of it trades at once for less. An order that is amended frees what it holds.
 */
export function lackOf(
  { available_dollars, worst_case_dollars, post_order_body }: OrderEstimate,
  amended?: Pick<Order, 'held_dollars'>,
): string | undefined {
  const [available, worst] = [micros(available_dollars), micros(worst_case_dollars)]
  if (post_order_body?.side !== 'buy' || available === undefined || worst === undefined) return undefined
  const lack = worst - available - (micros(amended?.held_dollars) ?? 0n)
  return lack > 0n ? printDollars(lack) : undefined
}

/** A price that an order trades at: its share of what trades at once, and what trades at it. */
export type TradedLevel = { readonly price: string; readonly share: number; readonly text: string }

/** The prices that an order trades at, best first. */
export function tradedLevels({ offers = [], post_order_body }: OrderEstimate): readonly TradedLevel[] {
  const all = offers.reduce((sum, { node_minutes }) => sum + node_minutes, 0)
  const [window] = post_order_body?.allocation_schedule_delta ?? []
  return offers.map(({ price_dollars_per_node_hour: price, node_minutes, allocation_schedule_delta: delta }) => {
    const [only] = delta
    const isWhole = delta.length === 1 && only?.start_at === window?.start_at && only?.end_at === window?.end_at
    const text = isWhole && only ? counted(only.node_count, 'node') : nodeHoursOf(node_minutes)
    return { price, share: all === 0 ? 0 : node_minutes / all, text }
  })
}

/** Why nothing can be had. The windows that there are instead are shown by themselves. */
export function unavailableText(
  { message, free_node_count: free }: OrderEstimate,
  { side, nodes }: { readonly side: string; readonly nodes: string },
): string {
  if (free === undefined || free >= Number(nodes)) return message ?? ''
  const found = free === 0 ? 'No node is' : `Only ${free} of ${nodes} nodes ${free === 1 ? 'is' : 'are'}`
  return `${found} ${side === 'sell' ? 'wanted' : 'offered'} for the whole window.`
}

/** What of an order would not trade at once, as a sentence. */
export function restText({ node_minutes = 0, traded_node_minutes = 0, post_order_body }: OrderEstimate): string {
  const rest = node_minutes - traded_node_minutes
  if (rest === 0) return 'Nothing: all of it trades at once.'
  const hours = nodeHoursOf(rest)
  if (post_order_body?.allow_standing) return `${hours} would rest on the order book at the limit price.`
  return `${hours} would not be traded, and be cancelled.`
}

function micros(dollars: string | null | undefined): bigint | undefined {
  return typeof dollars === 'string' ? parseDollars(dollars) : undefined
}
