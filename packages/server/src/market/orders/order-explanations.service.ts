import type { Id } from '@bourse/api/kit/ids.ts'
import type { OrderExplanation, OrderReason } from '@bourse/api/market/explanations.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { explainResting, type OrderExplanation as Facts } from '../book/book-explain.rules.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import { toEntries } from '../schedule/schedule.rules.ts'
import { readBook } from '../trading/book-cache.service.ts'
import type { OrderRow } from '../trading/trading.rules.ts'
import { loadOrder } from './orders.service.ts'

const texts: Record<OrderReason, string> = {
  no_opposite_orders: 'There are no orders of other accounts on the opposite side in this window.',
  price_gap: 'The opposite side is available only at prices beyond the limit.',
  not_enough_nodes: 'The opposite side offers fewer nodes than the order wants.',
  window_not_covered: 'Some minutes of the window have no orders on the opposite side.',
  blocked_by_all_or_nothing: 'A matching order is all or nothing, and this order cannot take all of it.',
  own_orders_skipped: 'Orders of the same account are on the opposite side. An account never trades with itself.',
  queued_behind: 'Other orders of the same side have priority, by price or by age.',
  pending: 'The order has not been matched yet.',
  market_halted: 'The market is halted.',
  filled: 'The order is completely filled.',
  cancelled: 'The order was cancelled.',
  rejected: 'The order could not be processed.',
}

const endings: Record<CancelReason, string> = {
  user: 'a request cancelled it.',
  amended: 'another order continues it with other terms.',
  unfilled: 'the book could not fill it at once, and it does not allow standing.',
  expired: 'its window passed before it was completely filled.',
  automation: 'the automation that placed it no longer needs it.',
  deployment_deleted: 'the deployment that placed it was deleted.',
  sku_retired: 'its SKU was retired.',
  account_frozen: 'its account was frozen.',
}

/** Explains why an order is not filled, or what ended it, from the book that matches it. */
export async function explainOrder(ctx: Ctx, id: Id<'order'>): Promise<OrderExplanation> {
  const row = await loadOrder(ctx, id)
  await allow(ctx, 'order:read', row)
  const book = await readBook(ctx, row.sku_id)
  const facts = book && explainResting(book, id)
  return facts ? presentResting(ctx, row, facts) : presentEnded(ctx, row)
}

function presentResting(ctx: Ctx, row: OrderRow, facts: Facts): OrderExplanation {
  const { reasons, nearest, open_node_minutes, fillable_node_minutes, queue_ahead } = facts
  const shown = reasons.map((code) => ({ code, message: texts[code] }))
  return {
    ...headOf(ctx, row),
    summary: shown[0]?.message ?? 'The order rests in the book.',
    reasons: shown,
    nearest: nearest
      ? {
          price_dollars_per_node_hour: printPrice(nearest.price_micros),
          gap_dollars_per_node_hour: printPrice(nearest.gap_micros),
          allocation_schedule_delta: toEntries(nearest.schedule),
        }
      : null,
    fillable_node_minutes: Number(fillable_node_minutes),
    open_node_minutes: Number(open_node_minutes),
    ahead: { order_count: queue_ahead.order_count, node_minutes: Number(queue_ahead.node_minutes) },
  }
}

function presentEnded(ctx: Ctx, row: OrderRow): OrderExplanation {
  const code: OrderReason = row.state === 'filled' ? 'filled' : 'cancelled'
  const reason = row.cancel_reason
  const ending = reason === null ? texts.cancelled : `The order was cancelled (${reason}): ${endings[reason]}`
  const message = code === 'filled' ? texts.filled : ending
  const nothing = {
    nearest: null,
    fillable_node_minutes: 0,
    open_node_minutes: 0,
    ahead: { order_count: 0, node_minutes: 0 },
  }
  return { ...headOf(ctx, row), summary: message, reasons: [{ code, message }], ...nothing }
}

function headOf(ctx: Ctx, row: OrderRow) {
  return { object: 'order_explanation' as const, order: row.id, state: row.state, as_of: ctx.now }
}
