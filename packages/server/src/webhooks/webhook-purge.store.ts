import { type Db, statement } from '../core/db/db.ts'
import { bumpVersion } from '../core/db/snapshot-reader.ts'
import { webhooksVersion } from './webhooks.rules.ts'

/** The turns in which all webhooks have their deliveries counted: a power of two. */
const countedInTurns = 16

/** What may be deleted: deliveries from before a time, and those beyond a number of a webhook. */
type Purge = { readonly before: number; readonly kept: number }

// One index entry for each webhook; more only where many deliveries are counted.
const listStale = statement<{ id: string }>(
  'webhooks.list_stale',
  `select w.id
   from webhooks w
   where exists (
     select
     from webhook_deliveries d
     where d.webhook_id = w.id and d.created_at < $1
   ) or hashtext(w.id) & ${countedInTurns - 1} = $3 and exists (
     select
     from webhook_deliveries d
     where d.webhook_id = w.id
     order by d.created_at desc, d.id desc
     offset $2
     limit 1
   )
   union
   select id
   from webhooks
   where deleted_at is not null`,
)
const deleteSome = statement<{ state: string }>(
  'webhooks.delete_stale_deliveries',
  `delete from webhook_deliveries
   where id in (
     select d.id
     from webhook_deliveries d
     join webhooks w on w.id = d.webhook_id
     where d.webhook_id = $1
       and (w.deleted_at is not null or d.created_at < $2 or d.state <> 'pending' and (d.created_at, d.id) <= (
         select n.created_at, n.id
         from webhook_deliveries n
         where n.webhook_id = $1
         order by n.created_at desc, n.id desc
         offset $3
         limit 1
       ))
     order by d.created_at, d.id
     limit $4
   )
   returning state`,
)
const markChanged = statement<never>(
  'webhooks.mark_changed',
  `update webhooks
   set revision = revision + 1
   where id = $1`,
)
const deleteGone = statement<never>(
  'webhooks.delete_gone',
  `delete from webhooks
   where id = $1 and deleted_at is not null`,
)

/** The webhooks of which something may be deleted. Too many deliveries are found in one of 16 turns. */
export async function listStaleWebhooks(db: Db, { before, kept, turn }: Purge & { turn: number }): Promise<string[]> {
  return (await db.rows(listStale, [before, kept, turn % countedInTurns])).map(({ id }) => id)
}

/** Deletes at most `limit` deliveries; returns how many, and whether some were pending. */
export async function deleteStaleDeliveries(
  db: Db,
  webhookId: string,
  { before, kept, limit }: Purge & { limit: number },
): Promise<{ deleted: number; had_pending: boolean }> {
  const rows = await db.rows(deleteSome, [webhookId, before, kept, limit])
  return { deleted: rows.length, had_pending: rows.some(({ state }) => state === 'pending') }
}

/** Lets the worker of a webhook read it again. */
export async function markWebhookChanged(db: Db, id: string): Promise<void> {
  await Promise.all([db.run(markChanged, [id]), bumpVersion(db, webhooksVersion)])
}

/** Deletes the row of a deleted webhook, which has no deliveries any more. */
export async function deleteWebhookRow(db: Db, id: string): Promise<void> {
  await db.run(deleteGone, [id])
}
