/** Formats estimates as plans: what a command would trade, from which offers, at what cost and with what risk. */
import type { AutomationEstimate } from '@bourse/api/automation/automation-estimates.ts'
import type { EstimatedOffer, OrderEstimate } from '@bourse/api/market/order-estimates.ts'
import { counted, dollarsOf, nodeHoursOf, nodeMinutesOf, windowTexts } from '@bourse/text/formats/amounts.ts'
import { microsOf, printDollars } from '@bourse/text/money.ts'
import { printable } from '@bourse/text/plain-text.ts'

/** What a plan calls its SKU and pool. */
export type PlanNames = { readonly sku: string; readonly pool: string }

type PlanLine = readonly [label: string, text: string]
type Quote = OrderEstimate & { readonly type: 'quoted' }

/** The most offers that a plan lists. */
const offersMax = 5

/** The plan of an order. */
export function orderPlan(estimate: OrderEstimate, { sku, pool }: PlanNames): string[] {
  const { post_order_body: body, node_minutes = 0, traded_node_minutes: traded = 0, worst_case_dollars } = estimate
  if (!body) return []
  const { side, limit_price_dollars_per_node_hour: limit, allow_standing } = body
  const [{ start_at, end_at, node_count } = { start_at: 0, end_at: 0, node_count: 0 }] = body.allocation_schedule_delta
  const nodes = counted(node_count, 'node')
  const rest = allow_standing ? 'waiting on the order book' : 'cancelled at once'
  const at = `at ${dollarsOf(limit)} per node-hour`
  const title =
    side === 'buy'
      ? `Plan: buy ${nodes} of ${sku} for the pool ${pool}`
      : `Plan: sell ${nodes} of ${sku} from the pool ${pool}`
  return [
    printable(title),
    ...linesOf([
      ...windowLines(start_at, end_at ?? start_at),
      ...offerLines(side === 'buy' ? 'Offers' : 'Bids', estimate.offers ?? [], estimate.offer_count ?? 0),
      ...costLines(estimate as Quote, side),
      ...(traded < node_minutes ? [['Not now', `${nodeHoursOf(node_minutes - traded)}, ${rest}`] as const] : []),
      side === 'buy'
        ? ['Worst case', `${dollarsOf(worst_case_dollars ?? '0')}, ${at}, held meanwhile`]
        : ['Worst case', `sold ${at} at least, or not at all`],
      ...feeLine(side, estimate),
      ...balanceLine(estimate.available_dollars, estimate.available_after_dollars),
      ...refusalLine(estimate.refusal),
      ...estimate.notices.map(({ title }): PlanLine => ['Notice', title]),
    ]),
  ]
}

/** The plan of a spot deployment or a procurement. `what` is its first line. */
export function automationPlan(estimate: AutomationEstimate, what: string): string[] {
  const { buy, sell, max_buy_price_dollars_per_node_hour: price, start_at, end_at } = estimate
  const trades = [
    ...sideLines('buy', buy),
    ...sideLines('sell', sell),
    ...(buy.order_count > 0 ? [['Held', `at most ${dollarsOf(buy.worst_case_dollars)} for these buys`] as const] : []),
  ]
  const perDay = dollarsOf(estimate.worst_case_dollars_per_day)
  const worst = `${dollarsOf(estimate.worst_case_dollars_per_hour)} per hour, ${perDay} per day while it runs`
  return [
    printable(`Plan: ${what}`),
    ...linesOf([
      ...windowLines(start_at, end_at),
      ...trades,
      ...(estimate.reason ? [['Nothing now', estimate.reason.message] as const] : []),
      ...(price === null ? [] : [['Worst case', `${worst}, at ${dollarsOf(price)} per node-hour`] as const]),
      ...(price === null ? [] : [['Fees', buyerFee] as const]),
      ...balanceLine(estimate.available_dollars, estimate.available_after_dollars),
      ...(estimate.reason ? [] : refusalLine(estimate.refusal)),
    ]),
  ]
}

const buyerFee = '$0.00 for buys: sellers pay them out of their proceeds'

function sideLines(side: 'buy' | 'sell', orders: AutomationEstimate['buy']): PlanLine[] {
  if (orders.order_count === 0) return []
  const { node_minutes, traded_node_minutes: traded, total_dollars, fee_dollars } = orders
  const label = side === 'buy' ? 'Buys' : 'Sells'
  const waits = traded < node_minutes ? ', the rest waits on the order book' : ''
  const fee = side === 'sell' ? `, less a fee of ${dollarsOf(fee_dollars)}` : ''
  return [
    [label, `${nodeHoursOf(traded)} of ${nodeHoursOf(node_minutes)} now${waits}`],
    ...offerLines(side === 'buy' ? 'Offers' : 'Bids', orders.offers, orders.offer_count),
    [side === 'buy' ? 'Cost now' : 'Proceeds', `${dollarsOf(total_dollars)}${fee}`],
  ]
}

function windowLines(start_at: number, end_at: number): PlanLine[] {
  const { utc, local } = windowTexts(start_at, end_at)
  return [['Window', utc], ...(local === undefined ? [] : [['Local time', local] as const])]
}

function offerLines(label: string, offers: readonly EstimatedOffer[], count: number): PlanLine[] {
  const shown = offers.slice(0, offersMax).map((offer, index): PlanLine => {
    const at = `at ${dollarsOf(offer.price_dollars_per_node_hour)}: ${dollarsOf(offer.total_dollars)}`
    return [index === 0 ? label : '', `${amountOf(offer)} ${at}`]
  })
  return count > offersMax ? [...shown, ['', `and ${counted(count - offersMax, 'more price')}`]] : shown
}

/** Nodes where they are offered for one window, otherwise node-hours. */
function amountOf({ allocation_schedule_delta: schedule, node_minutes }: EstimatedOffer): string {
  const [only, more] = schedule
  const hours = nodeHoursOf(node_minutes)
  if (!only || more || nodeMinutesOf(schedule) !== node_minutes) return hours
  return `${counted(only.node_count, 'node')} (${hours})`
}

function costLines(
  { total_dollars = '0', traded_node_minutes = 0, ...estimate }: Quote,
  side: 'buy' | 'sell',
): PlanLine[] {
  const label = side === 'buy' ? 'Cost now' : 'Proceeds'
  const average = estimate.average_price_dollars_per_node_hour
  const each = average == null ? '' : `, ${dollarsOf(average)} per node-hour on average`
  return [[label, `${dollarsOf(total_dollars)} for ${nodeHoursOf(traded_node_minutes)}${each}`]]
}

function feeLine(side: 'buy' | 'sell', { fee, total_dollars = '0' }: OrderEstimate): PlanLine[] {
  if (side === 'buy') return [['Fees', buyerFee]]
  if (!fee) return []
  const rest = printDollars(microsOf(total_dollars) - microsOf(fee.total_dollars))
  return [['Fees', `${dollarsOf(fee.total_dollars)}, which leaves ${dollarsOf(rest)}`]]
}

function balanceLine(before: string | null | undefined, after: string | null | undefined): PlanLine[] {
  if (before == null || after == null) return []
  return [['Balance', `${dollarsOf(before)} available now, ${dollarsOf(after)} after`]]
}

function refusalLine(refusal: { readonly message: string } | null | undefined): PlanLine[] {
  return refusal ? [['Refused now', refusal.message]] : []
}

function linesOf(lines: readonly PlanLine[]): string[] {
  const width = Math.max(...lines.map(([label]) => label.length))
  return lines.map(([label, text]) => `  ${label.padEnd(width)}  ${printable(text)}`)
}
