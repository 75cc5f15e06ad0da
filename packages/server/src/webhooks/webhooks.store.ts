import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import { bumpVersion } from '../core/db/snapshot-reader.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineRowLock } from '../core/work/locks.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { type WebhookRow, webhookColumns, webhooksVersion } from './webhooks.rules.ts'

const select = `select ${webhookColumns}
   from webhooks w`

const selectOne = statement<WebhookRow>(
  'webhooks.find',
  `${select}
   where w.id = $1`,
)
const selectOwn = statement<WebhookRow>(
  'webhooks.name_own',
  `${select}
   where w.id = any($1) and w.account_id = $2 and w.deleted_at is null`,
)
const insertOne = statement<never>(
  'webhooks.insert',
  `insert into webhooks (id, account_id, url, description, actions, target_types, targets, ordering, enabled,
     disabled_reason, position, position_at, secret, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
)
const updateOne = statement<never>(
  'webhooks.update',
  `update webhooks set
     url = $2,
     description = $3,
     actions = $4,
     target_types = $5,
     targets = $6,
     ordering = $7,
     enabled = $8,
     disabled_reason = $9,
     failures = $10,
     failures_since = $11,
     is_failing = $12,
     paused_until = $13,
     updated_at = $14,
     revision = revision + 1
   where id = $1`,
)
const updatePosition = statement<never>(
  'webhooks.put_position',
  `update webhooks
   set position = $2, position_at = $3, revision = revision + 1
   where id = $1`,
)
const updateReplay = statement<never>(
  'webhooks.put_replay',
  `update webhooks set
     replay_position = $2,
     replay_position_at = $3,
     replay_until = $4,
     replay_until_at = $5,
     updated_at = $6,
     revision = revision + 1
   where id = $1`,
)
/** The secrets of a webhook as they are sealed. */
type SealedSecrets = Pick<WebhookRow, 'id' | 'account_id' | 'secret' | 'previous_secret'>

/** The number of the key under which a secret is sealed is in its second and third byte. */
const keyIdOf = (sealed: string) => `get_byte(${sealed}, 1) * 256 + get_byte(${sealed}, 2)`

const countByKey = statement<{ key_id: number; count: number }>(
  'webhooks.count_secrets_by_key',
  `select ${keyIdOf('s.sealed')} as key_id, count(*)::integer as count
   from webhooks w, unnest(array[w.secret, w.previous_secret]) as s(sealed)
   where s.sealed is not null
   group by 1`,
)
const selectSecretsOfOthers = statement<SealedSecrets>(
  'webhooks.lock_secrets_of_other_keys',
  `select id, account_id, secret, previous_secret
   from webhooks
   where id > $1 and (${keyIdOf('secret')} <> $2 or ${keyIdOf('previous_secret')} <> $2)
   order by id
   limit $3
   for update`,
)
const updateSealed = statement<never>(
  'webhooks.put_sealed_secrets',
  `update webhooks w
   set secret = n.secret, previous_secret = n.previous_secret
   from unnest($1::text[], $2::bytea[], $3::bytea[]) as n(id, secret, previous_secret)
   where w.id = n.id`,
)
const updateSecret = statement<never>(
  'webhooks.put_secret',
  `update webhooks set
     previous_secret = secret,
     previous_secret_until = $3,
     secret = $2,
     updated_at = $4,
     revision = revision + 1
   where id = $1`,
)
const removeOne = statement<never>(
  'webhooks.remove',
  `update webhooks
   set deleted_at = $2, worker_id = null, next_attempt_at = null, revision = revision + 1
   where id = $1`,
)

/** Taken to change a webhook. */
export const webhookLock = defineRowLock<WebhookRow>(
  'webhook',
  'parents',
  `${select}
   where w.id = any($1) and w.deleted_at is null
   order by w.id
   for no key update`,
)

/** A webhook of any account, also a deleted one. */
export function findWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  return db.row(selectOne, [id])
}

/** Those of some webhooks that an account has. */
export function listOwnWebhooks(db: Db, ids: readonly string[], accountId: string): Promise<WebhookRow[]> {
  return db.rows(selectOwn, [ids, accountId])
}

type NewWebhook = Pick<
  WebhookRow,
  | 'id'
  | 'account_id'
  | 'url'
  | 'description'
  | 'actions'
  | 'target_types'
  | 'targets'
  | 'ordering'
  | 'enabled'
  | 'disabled_reason'
  | 'position'
  | 'position_at'
  | 'secret'
  | 'created_at'
>

export async function insertWebhook(db: Db, row: NewWebhook): Promise<void> {
  const { id, account_id, url, description, actions, target_types, targets } = row
  const about = [id, account_id, url, description, actions, target_types, targets]
  const { ordering, enabled, disabled_reason, position, position_at, secret, created_at } = row
  const state = [ordering, enabled, disabled_reason, position, position_at, secret, created_at]
  await Promise.all([db.run(insertOne, [...about, ...state]), bumpVersion(db, webhooksVersion)])
}

/** Writes everything that a request can change, except the cursors and the secret. */
export async function updateWebhook(db: Db, row: WebhookRow): Promise<void> {
  const about = [row.id, row.url, row.description, row.actions, row.target_types, row.targets, row.ordering]
  const { enabled, disabled_reason, failures, failures_since, is_failing, paused_until, updated_at } = row
  const state = [enabled, disabled_reason, failures, failures_since, is_failing, paused_until, updated_at]
  await Promise.all([db.run(updateOne, [...about, ...state]), bumpVersion(db, webhooksVersion)])
}

/** Sets the cursor, whose webhook is changed in the same transaction. */
export async function putPosition(db: Db, row: Pick<WebhookRow, 'id' | 'position' | 'position_at'>): Promise<void> {
  await db.run(updatePosition, [row.id, row.position, row.position_at])
}

/** Sets the second cursor and its end. */
export async function putReplay(db: Db, row: WebhookRow): Promise<void> {
  const { id, replay_position, replay_position_at, replay_until, replay_until_at, updated_at } = row
  const values = [id, replay_position, replay_position_at, replay_until, replay_until_at, updated_at]
  await Promise.all([db.run(updateReplay, values), bumpVersion(db, webhooksVersion)])
}

/** How many secrets are sealed under each key. */
export function countSecretsByKey(db: Db): Promise<{ key_id: number; count: number }[]> {
  return db.rows(countByKey)
}

/** Locks the next webhooks after one that have a secret that is sealed under another key than one. */
export function lockSecretsOfOtherKeys(
  db: Db,
  { after, key_id, limit }: { after: string; key_id: number; limit: number },
): Promise<SealedSecrets[]> {
  return db.rows(selectSecretsOfOthers, [after, key_id, limit])
}

/** Replaces how the secrets of some webhooks are sealed. They stay the same. */
export async function putSealedSecrets(db: Db, rows: readonly Omit<SealedSecrets, 'account_id'>[]): Promise<void> {
  const columns = [
    rows.map(({ id }) => id),
    rows.map(({ secret }) => secret),
    rows.map(({ previous_secret }) => previous_secret),
  ]
  await Promise.all([db.run(updateSealed, columns), bumpVersion(db, webhooksVersion)])
}

/** Replaces the secret; the old one signs too until a time. */
export async function putSecret(
  db: Db,
  { id, secret, until, now }: { id: string; secret: Buffer; until: number; now: number },
): Promise<void> {
  await Promise.all([db.run(updateSecret, [id, secret, until, now]), bumpVersion(db, webhooksVersion)])
}

/** Marks a webhook as deleted. Its row and its deliveries are purged later. */
export async function removeWebhook(db: Db, id: string, now: number): Promise<void> {
  await Promise.all([db.run(removeOne, [id, now]), bumpVersion(db, webhooksVersion)])
}

/** A page of the webhooks of the caller's account, newest first. */
export function listWebhooks(
  ctx: Ctx,
  query: PageQuery & { id?: readonly Id<'webhook'>[] },
): Promise<Page<WebhookRow>> {
  const where = conditions()
    .add('w.deleted_at is null')
    .addIf('w.account_id = $', ctx.caller?.account_id)
    .addIf('w.id = any($)', query.id)
  return readPage<WebhookRow>(ctx, { prefix: 'whkc', query, select, where, sort: newestFirst('w') })
}
