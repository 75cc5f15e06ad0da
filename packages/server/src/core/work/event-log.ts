/**
 * Appends events under the lock of the account's counter row, as the last statement before COMMIT. So positions follow
 * the order of commits and have no gaps. Sequences, timestamps and snapshot horizons lose or reorder events (0.3 to
 * 22 % of them with 16 writers). Not this file's work: reading the log (events area).
 */

import { type Db, statement } from '../db/db.ts'
import type { Actor, NewEvent } from './ctx.ts'

type EventRow = Omit<NewEvent, 'members'> & {
  id: string
  n: number
  actor_token_id: string | null
  head: string
  tail: string
}

const eventColumns =
  'account_id text, n bigint, id text, action text, actor_token_id text, target_type text, target_id text, ' +
  'workspace_id text, head text, tail text'

// A closed day takes no more events, even where the clock is set back into it (partitions.store.ts).
const openDay = '(select greatest(bourse_today(), max(stored_on) + 1) from closed_event_days)'

const insertFrom = `
  insert into events (
    account_id, position, stored_on, occurred_at, id, action,
    actor_token_id, target_type, target_id, workspace_id, body)
  select
    e.account_id, c.base + e.n, ${openDay}, c.occurred_at, e.id, e.action,
    e.actor_token_id, e.target_type, e.target_id, e.workspace_id, e.head || c.occurred_at || e.tail
  from c
  join jsonb_to_recordset($2::jsonb) as e(${eventColumns}) using (account_id)`

const appendToOne = statement<never>(
  'core.append_to_one',
  `with c as (
     update event_counters
     set position = position + $3, occurred_at = greatest(occurred_at, $4)
     where account_id = $1
     returning account_id, position - $3 as base, occurred_at
   )
   ${insertFrom}`,
)

// Locks the counters in the order of their accounts, so that two commands cannot deadlock on them.
const appendToMany = statement<never>(
  'core.append_to_many',
  `with held as (
     select e.account_id, w.k
     from jsonb_to_recordset($1::jsonb) as w(account_id text, k bigint)
     join event_counters e using (account_id)
     order by e.account_id
     for no key update of e
   ),
   c as (
     update event_counters e
     set position = e.position + h.k, occurred_at = greatest(e.occurred_at, $3)
     from held h
     where e.account_id = h.account_id
     returning e.account_id, e.position - h.k as base, e.occurred_at
   )
   ${insertFrom}`,
)

const openLog = statement<never>(
  'core.open_event_log',
  `insert into event_counters (account_id)
   values ($1)
   on conflict do nothing`,
)

/** Creates the event counter of a new account. An account without a counter can have no events. */
export function openEventLog(db: Db, account_id: string): Promise<number> {
  return db.run(openLog, [account_id])
}

/**
 * Renders an event in two parts. Its time goes between them and is known only when the counter is raised; its cursor
 * follows the second part.
 */
export function renderEvent(event: NewEvent & { id: string }, actor: Actor): { head: string; tail: string } {
  const target = { type: event.target_type, id: event.target_id }
  const members = event.members ? `,${JSON.stringify(event.members).slice(1, -1)}` : ''
  return {
    head: `{"object":"event","id":"${event.id}","action":${JSON.stringify(event.action)},"occurred_at":`,
    tail: `,"actor":${JSON.stringify(actor)},"targets":[${JSON.stringify(target)}]${members},"cursor":"`,
  }
}

/** Sends the append statement. The caller sends COMMIT directly after it and awaits both. */
export function appendEvents(
  db: Db,
  now: number,
  actor: Actor,
  events: readonly (NewEvent & { id: string })[],
): Promise<number> {
  const counts = new Map<string, number>()
  const rows = events.map((event): EventRow => {
    const n = (counts.get(event.account_id) ?? 0) + 1
    counts.set(event.account_id, n)
    const by = event.actor ?? actor
    const { members: _, ...columns } = event
    return { ...columns, n, actor_token_id: by.type === 'token' ? by.id : null, ...renderEvent(event, by) }
  })
  const [first] = counts
  if (first && counts.size === 1) return db.run(appendToOne, [first[0], JSON.stringify(rows), first[1], now])
  const want = [...counts].map(([account_id, k]) => ({ account_id, k }))
  return db.run(appendToMany, [JSON.stringify(want), JSON.stringify(rows), now])
}
