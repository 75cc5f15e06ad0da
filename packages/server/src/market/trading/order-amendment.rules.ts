/**
 * What an amended order asks for: all that its request asks for in total, less what it and the orders before it have
 * filled. Whether it keeps its place in the queue of its price.
 */
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Order } from '../book/resting-order.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { holdFor } from '../schedule/prices.rules.ts'
import { add, covers, min, nodeMinutes, rectangle, type Schedule, subtract } from '../schedule/schedule.rules.ts'
import type { ReadOrder } from './order-admission.rules.ts'

/** An open order that is amended. */
export type AmendedOrder = Pick<Order, 'price_micros' | 'seq' | 'allow_partial'> & {
  readonly filled_before: Schedule
  readonly record: { readonly filled: Schedule; readonly remaining: Schedule }
}

type FilledTerms = { readonly filled_before: Schedule; readonly record: { readonly filled: Schedule } }

/** What is asked for in total. */
export type AmendmentRequest = {
  readonly order: ReadOrder
  /** Whether it begins when the order before it began. The minutes of it that have passed are left out. */
  readonly keeps_start: boolean
  readonly allow_standing: boolean
  readonly allow_partial: boolean
}

/** The order that continues an amended one. */
export type Amendment = {
  readonly order: ReadOrder
  readonly requested: Schedule
  /** Whether `requested` is all of the rectangle of `order`. */
  readonly is_whole: boolean
  readonly filled_before: Schedule
  /** The place in the queue that it keeps; null: it gets a new one. */
  readonly priority_seq: number | null
}

/** Decides what an order asks for once it is amended. Refuses in_the_past and already_filled. */
export function amendmentOf(
  before: AmendedOrder,
  { order, keeps_start, allow_standing, allow_partial }: AmendmentRequest,
  now: number,
): Amendment | { readonly refusal: RefusalData } {
  const start_minute = keeps_start ? Math.max(order.start_minute, minuteOf(now)) : order.start_minute
  if (start_minute >= order.end_minute) {
    return { refusal: { code: 'in_the_past', field: 'end_at', message: 'The window ends before the running minute.' } }
  }
  const total = rectangle(start_minute, order.end_minute, order.node_count)
  const requested = restOfTotal(total, before)
  if (requested.length === 0) {
    return { refusal: { code: 'already_filled', field: 'node_count', message: alreadyFilled } }
  }
  const isSamePlace =
    allow_standing && before.allow_partial === allow_partial && before.price_micros === order.price_micros
  const keepsPlace = isSamePlace && covers(before.record.remaining, requested)
  const value_micros = holdFor(order.price_micros, nodeMinutes(requested))
  return {
    order: { ...order, start_minute, value_micros },
    requested,
    is_whole: nodeMinutes(requested) === nodeMinutes(total),
    filled_before: filledSoFar(before),
    priority_seq: keepsPlace ? before.seq : null,
  }
}

/** What is missing of a total, after the fills of an order and of those before it. */
export function restOfTotal(total: Schedule, before: FilledTerms): Schedule {
  return subtract(total, min(total, filledSoFar(before)))
}

function filledSoFar({ filled_before, record }: FilledTerms): Schedule {
  return add(filled_before, record.filled)
}

/** Why a total is refused. */
export const alreadyFilled = 'All of that is filled already. Ask for more, or cancel the rest of the order.'

const fieldNames: Readonly<Record<string, string>> = {
  'allocation_schedule_delta.0.start_at': 'start_at',
  'allocation_schedule_delta.0.end_at': 'end_at',
  allocation_schedule_delta: 'node_count',
}

/** A refusal of an order with the names of the fields of an amendment. */
export function amendmentRefusal(refusal: RefusalData): RefusalData {
  const { field } = refusal
  return typeof field === 'string' ? { ...refusal, field: fieldNames[field] ?? field } : refusal
}
