/**
 * events.actor of filled orders: the sender if the order was filled when it was placed, else the system. Only the
 * history shows which of the two applies.
 */
import { type Database, statement } from '../../../src/core/db/db.ts'

/** The actor of an order.filled event, and the sender of the order. */
export type FilledOrder = {
  readonly id: string
  readonly created_by_token_id: string | null
  readonly actor_token_id: string | null
}

const listFilled = statement<FilledOrder>(
  'sim.list_filled',
  `select o.id, o.created_by_token_id, e.actor_token_id from events e
   join orders o on o.id = e.target_id and o.account_id = e.account_id where e.action = 'order.filled' order by o.id`,
)

/** Events with a wrong actor, one line each. */
export async function findWrongActors({ reader }: Database, atOnce: ReadonlySet<string>): Promise<string[]> {
  return wrongActorsOf(await reader.rows(listFilled), atOnce)
}

export function wrongActorsOf(orders: readonly FilledOrder[], atOnce: ReadonlySet<string>): string[] {
  return orders.flatMap(({ id, created_by_token_id, actor_token_id }) => {
    const expected = atOnce.has(id) ? created_by_token_id : null
    if (actor_token_id === expected) return []
    return [`events.actor: ${id} was filled by ${actor_token_id ?? 'the system'}, not ${expected ?? 'the system'}`]
  })
}
