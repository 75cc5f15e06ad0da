import type { Id } from '@bourse/api/kit/ids.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import type { BookOrder, Effects } from './trading.rules.ts'

/** The effects of a transaction, and the actors of its requests by `<what happened> <order id>`. */
type Happened = {
  readonly effects: Effects
  readonly actors: ReadonlyMap<string, Actor>
  /** How many orders ended before the first one was placed. */
  readonly ended_first: number
}

const system: Actor = { type: 'system' }

/** Emits the events of a transaction: orders that ended before the placements, new orders, then orders that ended. */
export function emitOrderEvents(ctx: Ctx, { effects, actors, ended_first }: Happened): void {
  const emit = (order: BookOrder, action: string, actor: Actor) => {
    const { account_id, record, id } = order
    const workspace_id = record.workspace_id as Id<'workspace'>
    ctx.emit({ account_id, workspace_id, action, target_type: 'order', target_id: id, actor })
  }
  const emitEnd = (order: BookOrder) => {
    // The system is the actor where another order fills a resting one, and where time or the book ends an order.
    if (order.record.state === 'filled') emit(order, 'order.filled', actors.get(`filled ${order.id}`) ?? system)
    else emit(order, 'order.cancelled', actors.get(`cancelled ${order.id}`) ?? system)
  }
  for (const order of effects.ended.slice(0, ended_first)) emitEnd(order)
  for (const order of effects.placed.values()) emit(order, 'order.created', actors.get(`created ${order.id}`) ?? system)
  for (const order of effects.ended.slice(ended_first)) emitEnd(order)
}
