/** Says what came of an order: what was traded and paid in total, what was not, and what was released. */

import type { Fill, Order } from '@bourse/api/market/orders.ts'
import { ApiError } from '@bourse/sdk/errors.ts'
import { dollarsOf, nodeHoursOf, nodeMinutesOf } from '@bourse/text/formats/amounts.ts'
import { microsOf, printDollars } from '@bourse/text/money.ts'
import type { Session } from '../input/session.ts'
import { nothingTraded } from '../output/outcome.ts'

/** The most fills that an order shows itself. */
const fillsShownMax = 100

/** Reports a placed order. Throws where it traded nothing and does not rest. */
export async function reportOrder({ lookup, terminal }: Session, order: Order): Promise<void> {
  const { side, allocation_schedule_delta: asked, filled_allocation_schedule_delta: filled } = order
  const [wanted, traded] = [nodeMinutesOf(asked), nodeMinutesOf(filled)]
  const rests = order.state === 'standing' || order.state === 'partially_filled'
  const done = side === 'buy' ? 'bought' : 'sold'
  if (traded === 0 && !rests) {
    const remedy = 'Give a better --price, accept a partial fill with --partial, or rest on the book with --standing.'
    throw nothingTraded(`Nothing was traded: the order book cannot fill the order at this price. ${remedy}`)
  }
  if (traded > 0) {
    const of = traded < wanted ? `${nodeHoursOf(traded).split(' ')[0]} of ${nodeHoursOf(wanted)}` : nodeHoursOf(traded)
    terminal.note(`${capital(done)} ${of} for ${await totalText({ lookup }, order)} in total.`)
  }
  if (traded === wanted) return
  const missing = nodeHoursOf(wanted - traded)
  if (rests) {
    const hold = side === 'buy' ? ` and holds ${dollarsOf(order.held_dollars)}` : ''
    terminal.note(`Not ${done} yet: ${missing}. The order waits on the order book${hold}.`)
  } else {
    terminal.note(`Not ${done}: ${missing}. This part was cancelled at once, since --standing was not given.`)
  }
}

/** Reports the end of an order by its cancellation. `before` is the order as it was read before. */
export async function reportCancel({ lookup, terminal }: Session, before: Order): Promise<void> {
  const after = (await lookup.orders.get(before.id)) as Order
  const { side, filled_allocation_schedule_delta: filled } = after
  const [done, traded] = [side === 'buy' ? 'bought' : 'sold', nodeMinutesOf(filled)]
  const earlier =
    traded === 0
      ? `Nothing was ${done} before`
      : `${nodeHoursOf(traded)} were ${done} before for ${await totalText({ lookup }, after)}`
  const released = side === 'buy' ? `, ${dollarsOf(releasedBy(before, after))} released` : ', the rest is free again'
  terminal.note(`Cancelled: ${after.id}. ${earlier}${released}.`)
}

/** What the cancellation released: the hold before it, less what fills between the two reads took out of it. */
function releasedBy(before: Order, after: Order): string {
  const filled = (order: Order) => BigInt(nodeMinutesOf(order.filled_allocation_schedule_delta))
  const limit = microsOf(before.limit_price_dollars_per_node_hour)
  const taken = (limit * (filled(after) - filled(before))) / 60n
  const left = microsOf(before.held_dollars) - taken
  return printDollars(left < 0n ? 0n : left)
}

/** The money of all fills, and for a sell what the fees leave of it. */
async function totalText({ lookup }: Pick<Session, 'lookup'>, order: Order): Promise<string> {
  const fills: readonly Fill[] =
    order.fills.length < fillsShownMax
      ? order.fills
      : ((await lookup.orderFills.list(order.id, { limit: 200 }).all()) as Fill[])
  const sum = (of: (fill: Fill) => string) => fills.reduce((total, fill) => total + microsOf(of(fill)), 0n)
  const total = sum(({ total_dollars }) => total_dollars)
  if (order.side === 'buy') return dollarsOf(printDollars(total))
  const fee = sum(({ fee_dollars }) => fee_dollars)
  return `${dollarsOf(printDollars(total))}, less a fee of ${dollarsOf(printDollars(fee))},`
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** Whether a server refused a request because a time of it has passed. */
export function isInThePast(error: unknown): boolean {
  return error instanceof ApiError && error.codes.includes('in_the_past')
}
