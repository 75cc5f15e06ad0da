/** Tickets that are filled in with an order: the same once more, other terms, more of it, a sale of it. Pure. */
import type { Order } from '@bourse/sdk'
import { typedLimit } from '../ticket/limit.rules.ts'
import { emptyTicket, type Ticket } from '../ticket/ticket.rules.ts'
import { type OrderWindow, windowOf } from './order.rules.ts'
import { startFrom } from './window.rules.ts'

/** A ticket for the same order once more, all of it; from now on for as long where its window has begun. */
export function againTicket(order: Order, now: number): Partial<Ticket> {
  const window = windowOf(order)
  const same = ticketOf(order, window)
  return window.start > now ? same : { ...same, start: 'now', end: `+${window.end - window.start}` }
}

/** The ticket that amends an order: its total, from the current minute on where its window has begun. */
export function amendTicket(order: Order, now: number): Partial<Ticket> {
  const { start_at, end_at, node_count } = order.total
  return { ...ticketOf(order, { start: startFrom(start_at, now), end: end_at, nodes: node_count }), amends: order.id }
}

/** The ticket that keeps what was bought for as long again. */
export function extendingTicket(
  order: Pick<Order, 'sku' | 'pool'>,
  { start, end, nodes }: OrderWindow,
): Partial<Ticket> {
  return {
    side: 'buy',
    sku: order.sku.id,
    pool: order.pool?.id ?? '',
    nodes: String(nodes),
    start: String(end),
    end: String(end + end - start),
  }
}

/** The ticket that sells what is left of what was bought. */
export function sellingTicket(
  order: Pick<Order, 'sku' | 'pool'>,
  { start, end, nodes }: OrderWindow,
  now: number,
): Partial<Ticket> {
  return {
    side: 'sell',
    sku: order.sku.id,
    pool: order.pool?.id ?? '',
    nodes: String(nodes),
    start: start > now ? String(start) : 'now',
    end: String(end),
  }
}

function ticketOf(order: Order, { start, end, nodes }: OrderWindow): Partial<Ticket> {
  const whole = {
    ...emptyTicket,
    side: order.side,
    sku: order.sku.id,
    pool: order.pool?.id ?? '',
    nodes: String(nodes),
    start: String(start),
    end: String(end),
    limit: typedLimit(order.limit_price_dollars_per_node_hour),
    standing: order.allow_standing ? '1' : '',
    partial: order.allow_partial ? '1' : '',
  }
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== ''))
}
