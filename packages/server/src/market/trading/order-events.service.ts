import type { Id } from '@bourse/api/kit/ids.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { type BeforePlaces, type OrderEvent, orderEventsOf, presentEventFill } from './order-events.rules.ts'
import type { Effects } from './trading.rules.ts'

/** The effects of a transaction, and the actors of its requests by {@link actorKey}. */
type TradeEffects = {
  readonly effects: Effects
  readonly actors: ReadonlyMap<string, Actor>
  readonly before_places: BeforePlaces
}

const system: Actor = { type: 'system' }

/** The key of the actor of an event: what happened, the order, and the fill where it is a trade. */
export function actorKey(what: 'created' | 'filled' | 'cancelled', orderId: string, fillId = ''): string {
  return `${what} ${orderId} ${fillId}`
}

/** Emits the events of the orders of a transaction. */
export function emitOrderEvents(
  ctx: Ctx,
  { effects, actors, before_places }: TradeEffects,
  at: { readonly sku_id: Id<'sku'>; readonly now: number },
): void {
  for (const event of orderEventsOf(effects, before_places)) {
    const { action, order, trade } = event
    const { account_id, record, id } = order
    const workspace_id = record.workspace_id as Id<'workspace'>
    // The system is the actor where another order fills a resting one, and where time or the book ends an order.
    const actor = actors.get(keyOf(event)) ?? system
    const about = { account_id, workspace_id, action, target_type: 'order', target_id: id, actor }
    ctx.emit(trade ? { ...about, members: { fill: presentEventFill(trade, order, at) } } : about)
  }
}

function keyOf({ action, order, trade }: OrderEvent): string {
  if (trade) return actorKey('filled', order.id, trade.fill_id)
  return actorKey(action === 'order.created' ? 'created' : 'cancelled', order.id)
}
