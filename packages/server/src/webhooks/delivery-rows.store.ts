import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { type DeliveryChange, type DeliveryRow, deliveryColumns } from './deliveries.rules.ts'

const select = `select ${deliveryColumns}
   from webhook_deliveries d`

const selectOne = statement<DeliveryRow>(
  'webhooks.find_delivery',
  `${select}
   where d.id = $1`,
)
const insertRows = statement<never>(
  'webhooks.insert_deliveries',
  `insert into webhook_deliveries (id, webhook_id, origin, event_id, position, occurred_at, action, target_id, body,
     state, attempts, next_attempt_at, created_at)
   select n.id, n.webhook_id, n.origin, n.event_id, n.position, n.occurred_at, n.action, n.target_id, n.body,
     n.state, n.attempts, n.next_attempt_at, n.created_at
   from jsonb_to_recordset($1::jsonb) as n(
     id text, webhook_id text, origin text, event_id text, position bigint, occurred_at bigint, action text,
     target_id text, body text, state text, attempts jsonb, next_attempt_at bigint, created_at bigint)
   on conflict do nothing`,
)
const updateRows = statement<never>(
  'webhooks.update_deliveries',
  `update webhook_deliveries d
   set state = n.state, attempts = n.attempts, next_attempt_at = n.next_attempt_at
   from jsonb_to_recordset($1::jsonb) as n(id text, state text, attempts jsonb, next_attempt_at bigint)
   where d.id = n.id and d.state = 'pending'`,
)
// The next delivery of a target becomes due when none before it is pending.
const releaseWaiting = statement<never>(
  'webhooks.release_waiting_deliveries',
  `update webhook_deliveries d
   set next_attempt_at = $2
   from (
     select distinct on (webhook_id, origin, target_id) id, next_attempt_at
     from webhook_deliveries
     where webhook_id = any($1) and state = 'pending' and origin in ('event', 'replay')
     order by webhook_id, origin, target_id, position
   ) first
   where d.id = first.id and first.next_attempt_at is null`,
)
const releaseAll = statement<never>(
  'webhooks.release_all_deliveries',
  `update webhook_deliveries
   set next_attempt_at = $2
   where webhook_id = $1 and state = 'pending' and next_attempt_at is null`,
)
const endPendingOf = statement<never>(
  'webhooks.end_pending_deliveries',
  `update webhook_deliveries
   set state = 'failed', next_attempt_at = null
   where webhook_id = any($1) and state = 'pending' and origin in ('event', 'replay')`,
)
const updateNextAttempt = statement<{ id: string; next_attempt_at: number | null }>(
  'webhooks.put_next_attempt',
  `update webhooks w
   set next_attempt_at = greatest(due.at, case when due.at is not null then w.paused_until end)
   from (
     select k.id, (
       select min(d.next_attempt_at)
       from webhook_deliveries d
       where d.webhook_id = k.id and d.state = 'pending'
     ) as at
     from unnest($1::text[]) as k(id)
   ) due
   where w.id = due.id
   returning w.id, w.next_attempt_at`,
)
const countPendingOf = statement<{ pending: number }>(
  'webhooks.count_pending_deliveries',
  `select count(*) as pending
   from webhook_deliveries
   where webhook_id = $1 and state = 'pending'`,
)

/** A delivery of any webhook. */
export function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  return db.row(selectOne, [id])
}

/** Inserts deliveries that are not there yet. */
export async function insertDeliveries(db: Db, rows: readonly DeliveryRow[]): Promise<void> {
  if (rows.length > 0) await db.run(insertRows, [JSON.stringify(rows)])
}

/** Writes the outcome of attempts of deliveries that are pending. */
export async function updateDeliveries(db: Db, rows: readonly DeliveryChange[]): Promise<void> {
  if (rows.length > 0) await db.run(updateRows, [JSON.stringify(rows)])
}

/** Makes the first pending delivery of each target due, if it waited for an earlier one. */
export async function releaseFirstOfTargets(db: Db, webhookIds: readonly string[], now: number): Promise<void> {
  if (webhookIds.length > 0) await db.run(releaseWaiting, [webhookIds, now])
}

/** Makes all pending deliveries of a webhook due that waited for others. */
export async function releaseAllOf(db: Db, webhookId: string, now: number): Promise<void> {
  await db.run(releaseAll, [webhookId, now])
}

/** Ends the pending deliveries of events. Tests and requested deliveries go on. */
export async function endPendingDeliveries(db: Db, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length > 0) await db.run(endPendingOf, [webhookIds])
}

/** Sets the next attempt of webhooks from their deliveries; returns it. */
export async function putNextAttempts(
  db: Db,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  if (webhookIds.length === 0) return new Map()
  const rows = await db.rows(updateNextAttempt, [webhookIds])
  return new Map(rows.map(({ id, next_attempt_at }) => [id, next_attempt_at]))
}

/** The number of pending deliveries of a webhook. */
export async function countPendingDeliveries(db: Db, webhookId: string): Promise<number> {
  return (await db.row(countPendingOf, [webhookId]))?.pending ?? 0
}

/** A page of the deliveries of a webhook, newest first. */
export function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  query: PageQuery & { state?: readonly string[]; event?: string },
): Promise<Page<DeliveryRow>> {
  const where = conditions()
    .add('d.webhook_id = $', webhookId)
    .checkIf('d.state = any($)', query.state)
    .addIf('d.event_id = $', query.event)
  const list = `wdlvc ${webhookId}`
  return readPage<DeliveryRow>(ctx, { prefix: 'wdlvc', list, query, select, where, sort: newestFirst('d') })
}
