/**
 * Which server delivers for which webhook. Each server extends one lease, and every webhook belongs to the server that
 * rendezvous hashing gives it among those alive, so a webhook without events costs nothing. A change of the server
 * raises the epoch of the webhook, and all writes of a server name server and epoch.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import { type DeliveryRow, deliveryColumns, type PendingOfTarget } from './deliveries.rules.ts'
import { type WebhookRow, webhookColumns, webhooksVersion } from './webhooks.rules.ts'

/** What a heartbeat finds. */
type Beat = {
  /** Whether the server had no lease, as after a reset of the sandbox. */
  readonly is_new: boolean
  /** The other servers that are alive, sorted. */
  readonly others: string
  /** The version of all webhooks. */
  readonly version: number
}

/** A saved cursor. */
export type SavedCursors = {
  readonly id: string
  readonly epoch: number
  readonly revision: number
  readonly position: number
  readonly position_at: number
  readonly replay_position: number | null
  readonly replay_position_at: number | null
  /** Whether an attempt has succeeded since the last failure. */
  readonly has_succeeded: boolean
}

const leaseSeconds = 10
const claimedAtOnce = 500

const beatOnce = statement<Beat>(
  'webhooks.beat',
  `with beat as (
     insert into webhook_workers (id, lease_until)
     values ($1, (select bourse_real_now()) + ${leaseSeconds})
     on conflict (id) do update set lease_until = excluded.lease_until
     returning (xmax = 0) as is_new
   )
   select beat.is_new,
     coalesce((
       select string_agg(id, ' ' order by id)
       from webhook_workers
       where id <> $1 and lease_until > (select bourse_real_now())
     ), '') as others,
     coalesce((
       select value
       from versions
       where name = '${webhooksVersion}'
     ), 0) as version
   from beat`,
)
const owner = `cross join lateral (
       select l.id
       from alive l
       order by hashtextextended(w.id || l.id, 0) desc
       limit 1
     ) o`
const alive = `alive as (
     select id
     from webhook_workers
     where lease_until > (select bourse_real_now())
   )`
const claimOwn = statement<WebhookRow>(
  'webhooks.claim',
  `with ${alive},
   free as (
     select w.id
     from webhooks w
     ${owner}
     where w.deleted_at is null and o.id = $1 and w.worker_id is distinct from $1
       and not exists (
         select
         from alive l
         where l.id = w.worker_id
       )
     order by w.id
     limit ${claimedAtOnce}
     for no key update of w skip locked
   )
   update webhooks w
   set worker_id = $1, epoch = w.epoch + 1
   from free
   where w.id = free.id
   returning ${webhookColumns}`,
)
const listOwn = statement<Pick<WebhookRow, 'id' | 'epoch' | 'revision'> & { is_own: boolean }>(
  'webhooks.list_own',
  `with ${alive}
   select w.id, w.epoch, w.revision, o.id = $1 as is_own
   from webhooks w
   ${owner}
   where w.worker_id = $1 and w.deleted_at is null`,
)
const listRows = statement<WebhookRow>(
  'webhooks.list_own_rows',
  `select ${webhookColumns}
   from webhooks w
   where w.id = any($2) and w.worker_id = $1 and w.deleted_at is null`,
)
const releaseSome = statement<never>(
  'webhooks.release',
  `update webhooks
   set worker_id = null
   where worker_id = $1 and id = any($2)`,
)
const endWorker = statement<never>(
  'webhooks.end_worker',
  `delete from webhook_workers
   where id = $1 or lease_until < (select bourse_real_now()) - 3600`,
)
// A cursor never goes back, so a late write of the same epoch does no harm. The replay may have been changed since.
const saveSome = statement<{ id: string }>(
  'webhooks.save_cursors',
  `update webhooks w set
     position = greatest(w.position, n.position),
     position_at = case when n.position > w.position then n.position_at else w.position_at end,
     replay_position = case when n.revision <> w.revision then w.replay_position
       when n.replay_position < w.replay_until then n.replay_position end,
     replay_position_at = case when n.revision <> w.revision then w.replay_position_at
       when n.replay_position < w.replay_until then n.replay_position_at end,
     replay_until = case when n.revision <> w.revision or n.replay_position < w.replay_until then w.replay_until end,
     replay_until_at =
       case when n.revision <> w.revision or n.replay_position < w.replay_until then w.replay_until_at end,
     last_success_at = case when n.has_succeeded then c.now else w.last_success_at end,
     failures = case when n.has_succeeded then 0 else w.failures end,
     failures_since = case when n.has_succeeded then null else w.failures_since end
   from jsonb_to_recordset($2::jsonb) as n(
     id text, epoch bigint, revision bigint, position bigint, position_at bigint, replay_position bigint,
     replay_position_at bigint, has_succeeded boolean)
   cross join (select bourse_now() as now) c
   where w.id = n.id and w.worker_id = $1 and w.epoch = n.epoch
   returning w.id`,
)
const listDueOnes = statement<{ id: string }>(
  'webhooks.list_due',
  `select id
   from webhooks
   where worker_id = $1 and deleted_at is null and next_attempt_at <= (select bourse_now())`,
)
const listDueDeliveries = statement<DeliveryRow>(
  'webhooks.list_due_deliveries',
  `select ${deliveryColumns}
   from webhook_deliveries d
   where d.webhook_id = $1 and d.state = 'pending' and d.next_attempt_at <= (select bourse_now())
     and d.id <> all($2)
   order by d.next_attempt_at, d.position
   limit $3`,
)
const countPending = statement<PendingOfTarget>(
  'webhooks.count_pending_by_target',
  `select origin, target_id, count(*) as pending
   from webhook_deliveries
   where webhook_id = $1 and state = 'pending' and origin in ('event', 'replay')
   group by origin, target_id`,
)
const listRecorded = statement<{ position: number }>(
  'webhooks.list_recorded_positions',
  `select position
   from webhook_deliveries
   where webhook_id = $1 and origin = 'event' and position > $2`,
)

/** Extends the lease of a server. */
export async function beat(db: Db, workerId: string): Promise<Beat> {
  return (await db.row(beatOnce, [workerId])) as Beat
}

/** Takes webhooks that belong to this server and have no living one. */
export function claimWebhooks(db: Db, workerId: string): Promise<WebhookRow[]> {
  return db.rows(claimOwn, [workerId])
}

/** The webhooks of this server, and whether they still belong to it among those alive. */
export function listOwnWebhooks(db: Db, workerId: string) {
  return db.rows(listOwn, [workerId])
}

/** Reads webhooks of this server. */
export function readOwnWebhooks(db: Db, workerId: string, ids: readonly string[]): Promise<WebhookRow[]> {
  return db.rows(listRows, [workerId, ids])
}

/** Gives webhooks up. */
export async function releaseWebhooks(db: Db, workerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.run(releaseSome, [workerId, ids])
}

/** Ends the lease of a server, and forgets servers that have been gone for long. */
export async function endLease(db: Db, workerId: string): Promise<void> {
  await db.run(endWorker, [workerId])
}

/** Saves cursors; returns the webhooks that still belong to this server. */
export async function saveCursors(
  db: Db,
  workerId: string,
  cursors: readonly SavedCursors[],
): Promise<ReadonlySet<string>> {
  return new Set((await db.rows(saveSome, [workerId, JSON.stringify(cursors)])).map(({ id }) => id))
}

/** The webhooks of this server with deliveries that are due. */
export async function listDueWebhooks(db: Db, workerId: string): Promise<string[]> {
  return (await db.rows(listDueOnes, [workerId])).map(({ id }) => id)
}

/** The first due deliveries of a webhook, without some. */
export function readDueDeliveries(
  db: Db,
  { webhook_id, without, limit }: { webhook_id: Id<'webhook'>; without: readonly string[]; limit: number },
): Promise<DeliveryRow[]> {
  return db.rows(listDueDeliveries, [webhook_id, without, limit])
}

/** The pending deliveries of events of a webhook, by target. */
export function countPendingByTarget(db: Db, webhookId: string): Promise<PendingOfTarget[]> {
  return db.rows(countPending, [webhookId])
}

/** The positions behind a place whose events have a delivery already. */
export async function listRecordedPositions(db: Db, webhookId: string, after: number): Promise<Set<number>> {
  return new Set((await db.rows(listRecorded, [webhookId, after])).map(({ position }) => position))
}
