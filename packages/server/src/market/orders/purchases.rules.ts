/** Purchases that another operation makes in its own transaction: of one node, whole and at once, or not at all. */
import { dollarsOf } from '@bourse/text/formats/amounts.ts'
import { parseDollars, printDollars } from '@bourse/text/money.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import { type ReadOrder, readOrder } from '../trading/order-admission.rules.ts'
import type { OrderRow } from '../trading/trading.rules.ts'

/** The terms of a purchase, as a request gives them in its member `buy`. */
export type PurchaseTerms = {
  readonly start_at?: number | undefined
  readonly end_at: number
  readonly limit_price_dollars_per_node_hour: string
  readonly max_cost_dollars?: string | undefined
}

/** Names the field of a refusal as the request has it: the terms of the order are members of `buy`. */
function inPurchase(refusal: RefusalData): RefusalData {
  const { field } = refusal
  const last = field?.split('.').at(-1)
  const isTerm = last === 'start_at' || last === 'end_at' || last === 'limit_price_dollars_per_node_hour'
  return isTerm ? { ...refusal, field: `buy.${last}` } : refusal
}

/** The buy that a purchase places at `now`, in seconds. Without a start it begins with the running minute. */
export function readPurchase(
  { start_at, end_at, limit_price_dollars_per_node_hour }: PurchaseTerms,
  now: number,
): { readonly order: ReadOrder } | { readonly refusal: RefusalData } {
  const window = { start_at: start_at ?? now - (now % 60), end_at, node_count: 1 }
  const read = readOrder({ side: 'buy', window, limit_price_dollars_per_node_hour })
  return 'refusal' in read ? { refusal: inPurchase(read.refusal) } : read
}

/** What the market made of an order that is placed. */
type PlacedOrder =
  | { readonly row: Pick<OrderRow, 'id' | 'state' | 'price_micros' | 'filled_value_micros'> }
  | { readonly refusal: RefusalData }

/** The order of a purchase. Refuses an order that was refused, was not filled whole, or costs more than it may. */
export function purchaseOutcome(
  placed: PlacedOrder,
  { max_cost_dollars }: Pick<PurchaseTerms, 'max_cost_dollars'>,
): { readonly id: OrderRow['id'] } | { readonly refusal: RefusalData } {
  if ('refusal' in placed) return { refusal: inPurchase(placed.refusal) }
  const { id, state, price_micros, filled_value_micros } = placed.row
  if (state !== 'filled') {
    const limit = dollarsOf(printPrice(price_micros))
    const message = `No node is offered for the whole window at ${limit} per node-hour or less.`
    return { refusal: { code: 'not_offered', field: 'buy.limit_price_dollars_per_node_hour', message } }
  }
  const most = max_cost_dollars === undefined ? undefined : parseDollars(max_cost_dollars)
  if (most === undefined || filled_value_micros <= most) return { id }
  const message = `The cheapest offers for the window cost ${dollarsOf(printDollars(filled_value_micros))}.`
  return { refusal: { code: 'not_offered', field: 'buy.max_cost_dollars', message } }
}
