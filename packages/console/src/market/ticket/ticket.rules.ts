/**
 * The ticket: what it holds, as texts. All of it is part of the address, so that a link opens it filled in:
 *
 *   /ticket?side=sell&sku=sku_…&start=1800000000&end=1800021600
 *
 * | Parameter | Holds | Without it |
 * |---|---|---|
 * | `side` | `buy` or `sell` | `buy` |
 * | `sku` | SKU, id or alias | the first SKU |
 * | `pool` | pool, id or name | the first pool that can place such an order |
 * | `nodes` | number of nodes | 1 |
 * | `start` | start of the window, Unix seconds, a whole minute | `now`: the running minute, whichever that is |
 * | `end` | end of the window, Unix seconds, a whole minute, or `+` and seconds after the start | `+3600` |
 * | `limit` | price in dollars per node-hour | the present price of the order book |
 * | `standing` | `1`: what is not filled at once rests | it is cancelled |
 * | `partial` | `1`: a part can be filled | all or nothing |
 * | `text` | the typed order, as it was typed | |
 * | `amends` | the id of an open order that is to get these terms | |
 * | `run` | `1`: an instance starts on each node that is bought | only nodes are bought |
 * | `image` | image of these instances | the first public one |
 * | `keys` | ids of SSH keys with commas between them, or the word for none | all of one's own |
 * | `name` | name of the instance; with several nodes, -1, -2 and so on follow it | one is made |
 */

import type {
  AmendOrderBody,
  CreateOrderBody,
  CreateOrderEstimateBody,
  Order,
  OrderEstimate,
  OrderId,
} from '@bourse/sdk'
import { hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import { startFrom } from '../orders/window.rules.ts'
import { isLimit } from './limit.rules.ts'
import type { TypedOrder } from './typed-order.rules.ts'

/** An empty ticket. */
export const emptyTicket = {
  side: 'buy',
  sku: '',
  pool: '',
  nodes: '1',
  start: 'now',
  end: '+3600',
  limit: '',
  standing: '',
  partial: '',
  text: '',
  amends: '',
  run: '',
  image: '',
  keys: '',
  name: '',
}
/** What a ticket holds. */
export type Ticket = typeof emptyTicket
/** What an order in a panel is about, which the page beside it marks. */
export type MarkedOrder = Partial<Pick<Ticket, 'sku' | 'pool' | 'start' | 'end'>>
/** The fields that something can be wrong with. */
export type TicketField = 'sku' | 'pool' | 'nodes' | 'start' | 'end' | 'limit' | 'image'
/** What is wrong, by field. */
export type Problems = Readonly<Partial<Record<TicketField, string>>>

/** The window of a ticket, in Unix seconds. What cannot be read is undefined. */
export type TicketWindow = { readonly start: number | undefined; readonly end: number | undefined }

type RunningClock = { readonly frozen: boolean; readonly rate: number }

/** Seconds of this machine for which the server's time may be further than what was read of it. */
const lagSeconds = 2

/**
 * The time that orders go by: a little ahead, so that a window that begins now does not begin with a minute that has
 * passed when the server is asked. A sandbox's clock may be fast, or stand still.
 */
export function orderTime(now: number, clock: RunningClock | undefined): number {
  return clock?.frozen ? now : now + Math.ceil(lagSeconds * (clock?.rate ?? 1))
}

/** The window that a ticket means at a moment. */
export function windowOf({ start, end }: Pick<Ticket, 'start' | 'end'>, now: number): TicketWindow {
  const begin = start === 'now' ? now - (now % minuteSeconds) : secondsOf(start)
  const length = end.startsWith('+') ? secondsOf(end.slice(1)) : undefined
  return { start: begin, end: length === undefined ? secondsOf(end) : begin && begin + length }
}

/** What is said beside a strip of hours that does not show all of a window; nothing where it does. */
export function stripNote(
  window: { readonly start: number; readonly end: number } | undefined,
  { current, hours }: { readonly current: number; readonly hours: number },
): string {
  const until = current + hours * hourSeconds
  if (window === undefined || window.end <= until) return ''
  return window.start >= until ? 'The window begins after these days.' : 'The window goes on after these days.'
}

/** The length of the window of a ticket, where it has one. */
export function lengthOfWindow(ticket: Pick<Ticket, 'start' | 'end'>, now: number): number | undefined {
  const { start, end } = windowOf(ticket, now)
  return start !== undefined && end !== undefined && end > start ? end - start : undefined
}

/** The end of a window of some length, in seconds: with the running minute it moves on. */
export function endAfter(start: string, length: number): string {
  const at = secondsOf(start)
  return at === undefined ? `+${length}` : String(at + length)
}

/** The ticket with another start; its window keeps its length. */
export function withStart(ticket: Ticket, start: string, now: number): Partial<Ticket> {
  const length = lengthOfWindow(ticket, now)
  return { start, ...(length === undefined ? {} : { end: endAfter(start, length) }) }
}

/** The ticket with what a typed order names. A start alone keeps the length of the window. */
export function withTyped(ticket: Ticket, typed: TypedOrder, { now, skuOf }: TypedContext): Ticket {
  const { side, nodes, sku, end, length = lengthOfWindow(ticket, now) ?? hourSeconds, limit } = typed
  const isMoved = typed.start !== undefined || typed.length !== undefined
  const start = typed.start === undefined ? ticket.start : String(typed.start)
  return {
    ...ticket,
    ...(side ? { side } : {}),
    ...(nodes === undefined ? {} : { nodes: String(nodes) }),
    ...(sku === undefined ? {} : { sku: skuOf(sku) }),
    ...(isMoved ? { start, end: endAfter(start, length) } : {}),
    ...(end === undefined ? {} : { end: String(end) }),
    ...(limit === undefined ? {} : { limit }),
    ...(typed.standing ? { standing: '1' } : {}),
    ...(typed.partial ? { partial: '1' } : {}),
  }
}

type TypedContext = { readonly now: number; readonly skuOf: (alias: string) => string }

/**
 * What of a ticket that was kept in a tab is still good: neither a window that has begun, nor the terms of an order
 * that was to be amended, which would be placed once more.
 */
export function freshDraft(draft: Partial<Ticket>, now: number): Partial<Ticket> {
  if (draft.amends) return {}
  const { start: from, end: _, text: _text, ...others } = draft
  if (from === undefined || from === 'now' || (secondsOf(from) ?? 0) >= now) return draft
  return others
}

/** What is wrong with a ticket before the server is asked. */
export function problemsOf(ticket: Ticket, now: number): Problems {
  const { sku, pool, nodes, limit, standing } = ticket
  const { start: from, end: to } = windowOf(ticket, now)
  const hasPassed = from !== undefined && from < now - (now % 60)
  return {
    ...(sku === '' ? { sku: 'Choose a SKU.' } : {}),
    ...(pool === '' ? { pool: 'Choose the pool that gets the nodes, or that they are sold from.' } : {}),
    ...(/^\d{1,5}$/.test(nodes) && Number(nodes) >= 1 && Number(nodes) <= 10_000
      ? {}
      : { nodes: 'Write a whole number from 1 to 10,000.' }),
    ...(from === undefined ? { start: 'Choose a day and a time, at a whole minute.' } : {}),
    ...(hasPassed ? { start: 'This minute has passed.' } : {}),
    ...(to === undefined ? { end: 'Choose a day and a time, at a whole minute.' } : {}),
    ...(from !== undefined && to !== undefined && to <= from ? { end: 'The window has to end after it starts.' } : {}),
    ...limitProblem(limit, isRun(ticket) ? '' : standing),
    ...(isRun(ticket) && ticket.image === '' ? { image: 'Choose the image that it starts from.' } : {}),
  }
}

function limitProblem(limit: string, standing: string): Problems {
  if (limit === '') return standing ? { limit: 'An order that may rest needs a limit price.' } : {}
  if (isLimit(limit)) return {}
  return { limit: 'Write dollars per node-hour with at most six decimals: 2.50.' }
}

/** Whether instances start on what the ticket buys. */
export function isRun({ run, side, amends }: Pick<Ticket, 'run' | 'side' | 'amends'>): boolean {
  return run === '1' && side === 'buy' && amends === ''
}

/** What the server is asked about a ticket; undefined where it is not complete. Without a pool it says less. */
export function estimateBody(ticket: Ticket, now: number): CreateOrderEstimateBody | undefined {
  const { pool: _, ...rest } = problemsOf(ticket, now)
  if (Object.keys(rest).length > 0) return undefined
  const { start: start_at, end: end_at } = windowOf(ticket, now)
  if (start_at === undefined || end_at === undefined) return undefined
  return {
    side: ticket.side === 'sell' ? 'sell' : 'buy',
    sku: ticket.sku as `sku_${string}`,
    start_at,
    duration_seconds: end_at - start_at,
    node_count: Number(ticket.nodes),
    ...(ticket.pool === '' ? {} : { pool: ticket.pool as `pool_${string}` }),
    ...(ticket.limit === '' ? {} : { limit_price_dollars_per_node_hour: ticket.limit }),
    // What an instance is to start on is bought whole, and at once.
    allow_standing: ticket.standing === '1' && !isRun(ticket),
    allow_partial: ticket.partial === '1' && !isRun(ticket),
    ...(ticket.amends === '' ? {} : { amends: ticket.amends as OrderId }),
  }
}

/**
 * The order of a ticket. Without a limit it is the worst price that the estimate trades at; undefined where there is
 * none, or something is wrong.
 */
export function orderBody(
  ticket: Ticket,
  estimate: OrderEstimate | undefined,
  now: number,
): CreateOrderBody | undefined {
  const asked = estimateBody(ticket, now)
  const limit = ticket.limit || estimate?.post_order_body?.limit_price_dollars_per_node_hour
  if (!asked?.sku || ticket.pool === '' || limit === undefined) return undefined
  const { side, sku, start_at, duration_seconds, node_count, allow_standing = false, allow_partial = false } = asked
  return {
    pool: ticket.pool as `pool_${string}`,
    side,
    sku,
    allocation_schedule_delta: [{ start_at, end_at: start_at + duration_seconds, node_count }],
    limit_price_dollars_per_node_hour: limit,
    allow_standing,
    allow_partial,
  }
}

/** What an amendment changes of an order: the terms of the ticket that differ from its own. */
export function amendmentBody(order: Order, body: CreateOrderBody, now: number): AmendOrderBody {
  const [window] = body.allocation_schedule_delta
  const { total } = order
  const price = body.limit_price_dollars_per_node_hour
  return {
    ...(window && window.node_count !== total.node_count ? { node_count: window.node_count } : {}),
    ...(window && window.start_at !== startFrom(total.start_at, now) ? { start_at: window.start_at } : {}),
    ...(window && window.end_at !== total.end_at ? { end_at: window.end_at } : {}),
    ...(Number(price) === Number(order.limit_price_dollars_per_node_hour)
      ? {}
      : { limit_price_dollars_per_node_hour: price }),
    ...(body.allow_standing === order.allow_standing ? {} : { allow_standing: body.allow_standing ?? false }),
    ...(body.allow_partial === order.allow_partial ? {} : { allow_partial: body.allow_partial ?? false }),
  }
}

/** The ticket of an order whose window has begun begins with the running minute. */
export function atRunningMinute(ticket: Ticket, order: Order | undefined, now: number): Ticket {
  const start = secondsOf(ticket.start)
  if (!order || start === undefined || order.total.start_at > now || start > now) return ticket
  return { ...ticket, start: String(startFrom(start, now)) }
}

const fieldsOfCodes: Readonly<Record<string, TicketField>> = {
  payment_required: 'limit',
  budget_exceeded: 'limit',
  not_aligned: 'limit',
  out_of_range: 'limit',
  insufficient_allocation: 'nodes',
  limit_exceeded: 'nodes',
  forbidden: 'pool',
  pool_kind_not_allowed: 'pool',
  reference_not_found: 'pool',
  already_filled: 'nodes',
  sku_not_available: 'sku',
  in_the_past: 'start',
  beyond_horizon: 'end',
}
const fieldsOfNames: Readonly<Record<string, TicketField>> = {
  sku: 'sku',
  pool: 'pool',
  node_count: 'nodes',
  start_at: 'start',
  end_at: 'end',
  duration_seconds: 'end',
  limit_price_dollars_per_node_hour: 'limit',
}

/** A reason why an order is refused, as the server gives it. */
export type RefusedOrder = {
  readonly code: string
  readonly message: string
  readonly field?: string | null | undefined
}

/** The fields that refusals are about. What belongs to no field is left out. */
export function refusedFields(refusals: readonly RefusedOrder[]): Problems {
  const found: Partial<Record<TicketField, string>> = {}
  for (const { code, message, field } of refusals) {
    const name = field?.replace(/^allocation_schedule_delta\.\d+\./, '') ?? ''
    const place = fieldsOfNames[name] ?? fieldsOfCodes[code]
    if (place) found[place] ??= message
  }
  return found
}

/** A change of a ticket: fields, or what makes them of the ticket as it is then: newer, maybe, than the one drawn. */
export type TicketChange = Partial<Ticket> | ((present: Ticket) => Partial<Ticket>)

/** The ticket with a change. */
export function withChange(ticket: Ticket, change: TicketChange): Ticket {
  return { ...ticket, ...(typeof change === 'function' ? change(ticket) : change) }
}

/** What is filled in by itself, as a change: fields that somebody has changed in the meantime stay as they are. */
export function fillingIn(given: Ticket, filled: Ticket): TicketChange {
  const names = Object.keys(emptyTicket) as (keyof Ticket)[]
  const missing = names.filter((name) => filled[name] !== given[name])
  return (present) =>
    Object.fromEntries(missing.filter((name) => present[name] === given[name]).map((name) => [name, filled[name]]))
}

/** What a ticket has that an empty one has not: the search parameters of its page. */
export function changesOf(ticket: Ticket): Partial<Ticket> {
  const names = Object.keys(emptyTicket) as (keyof Ticket)[]
  return Object.fromEntries(names.filter((name) => ticket[name] !== emptyTicket[name]).map((one) => [one, ticket[one]]))
}

/** Whole minutes in Unix seconds; undefined for any other text. */
export function secondsOf(text: string): number | undefined {
  const value = /^\d{1,11}$/.test(text) ? Number(text) : Number.NaN
  return value % 60 === 0 ? value : undefined
}
