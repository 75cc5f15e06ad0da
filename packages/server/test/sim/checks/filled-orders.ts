/**
 * events.actor of orders that were filled: by whoever sent it where that happened while it was placed, else by the
 * system. Which of the two it was only the history tells.
 */
import { type Database, statement } from '../../../src/core/db/db.ts'

/** What an event says of who filled an order, and who had sent it. */
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

/** The events that name somebody else, each as a line. */
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
