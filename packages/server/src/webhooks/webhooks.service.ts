import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { PermissionVerb } from '@bourse/api/kit/permissions.ts'
import { refuseFilters } from '@bourse/api/webhooks/webhook-filters.ts'
import type {
  createWebhook as createContract,
  listWebhooks as listContract,
  replayWebhook as replayContract,
  updateWebhook as updateContract,
  Webhook,
  WebhookWithSecret,
} from '@bourse/api/webhooks/webhooks.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { showSecret } from '@bourse/text/webhook-messages.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { mayBePublicHost } from '../core/egress/public-address.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { pageResponse } from '../core/work/page.ts'
import { cursorOf, findPlaceBefore, type LogPosition, openPlainCursor } from '../events/log/feed.service.ts'
import { findLogEnd } from '../events/log/log-heads.service.ts'
import { allow, refuseNotFound } from '../iam/access/permissions.service.ts'
import { mayReadOrList, type ReadNames } from '../iam/access/shown-names.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { afterSuccess } from './deliveries.rules.ts'
import { endPendingOf, refreshNextAttempts, releaseWaitingOf } from './delivery-rows.service.ts'
import { forgetNextAttempts } from './webhook-clock.service.ts'
import { makeSecret, secretsOf } from './webhook-secrets.service.ts'
import { refuseUrl, stateOf, type WebhookRow } from './webhooks.rules.ts'
import {
  findWebhook,
  insertWebhook,
  listOwnWebhooks,
  listWebhooks as listRows,
  putPosition,
  putReplay,
  putSecret,
  removeWebhook,
  updateWebhook as updateRow,
  webhookLock,
} from './webhooks.store.ts'

/** How long the old secret signs after a rotation. */
const rotationSeconds = daySeconds

type WebhookChanges = Input<typeof updateContract>['body']
type ReplayRequest = Input<typeof replayContract>['body']

/** Creates a webhook, which delivers the events behind a cursor, or from now on. */
export async function createWebhook(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<WebhookWithSecret> {
  const { account_id } = callerOf(ctx)
  await allow(ctx, 'webhook:create', null)
  await allow(ctx, 'event:list', null)
  const { url, description = null, actions = [], target_types = [], targets = [], ordering = 'none' } = body
  refuseWrong(ctx, { url, actions, target_types, targets })
  const { starting_after: cursor, enabled = true } = body
  const place =
    cursor === undefined
      ? await findLogEnd(ctx, account_id)
      : (await openPlainCursor(ctx, { account_id, cursor, field: 'starting_after' })).place
  await takeLimit(ctx, account_id, 'webhooks')
  const id = ctx.newId('webhook')
  const { secret, sealed } = makeSecret(ctx.keys.master, ctx.random, { account_id, id })
  await insertWebhook(ctx.db, {
    id,
    account_id,
    url,
    description,
    actions,
    target_types,
    targets,
    ordering,
    enabled,
    disabled_reason: enabled ? null : 'user',
    position: place.position,
    position_at: place.occurred_at,
    secret: sealed,
    created_at: ctx.now,
  })
  return withSecret(ctx, (await findWebhook(ctx.db, id)) as WebhookRow, secret)
}

/** Lists the webhooks of the account. */
export async function listWebhooks(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'webhook:list', null)
  const page = await listRows(ctx, query)
  return pageResponse(
    page,
    page.rows.map((row) => present(ctx, row)),
  )
}

/** Reads one webhook. */
export async function getWebhook(ctx: Ctx, id: Id<'webhook'>): Promise<Webhook> {
  return present(ctx, await loadWebhook(ctx, id, 'read'))
}

/** Changes a webhook. Enabling goes on from the present; disabling ends what is pending. */
export async function updateWebhook(ctx: Ctx, id: Id<'webhook'>, changes: WebhookChanges): Promise<Webhook> {
  const known = await loadWebhook(ctx, id, 'write')
  const { description, enabled, ordering, ...sent } = changes
  if (sendsOthers(known, changes)) await allow(ctx, 'event:list', null)
  refuseWrong(ctx, sent)
  const row = await lockWebhook(ctx, id)
  const changed: WebhookRow = {
    ...row,
    ...sent,
    ordering: ordering ?? row.ordering,
    description: description === undefined ? row.description : description,
    updated_at: ctx.now,
  }
  if (ordering === 'none' && row.ordering !== 'none') await releaseWaitingOf(ctx, id)
  if (enabled === true && !row.enabled) await enable(ctx, changed)
  if (enabled === false && row.enabled) await disable(ctx, changed)
  await updateRow(ctx.db, changed)
  await refreshNextAttempts(ctx, [id])
  return present(ctx, changed)
}

/** Deletes a webhook. Its deliveries are gone at once, and purged later. */
export async function deleteWebhook(ctx: Ctx, id: Id<'webhook'>): Promise<void> {
  await loadWebhook(ctx, id, 'delete')
  const { account_id } = await lockWebhook(ctx, id)
  await removeWebhook(ctx.db, id, ctx.now)
  forgetNextAttempts(ctx, id)
  await returnLimit(ctx, account_id, 'webhooks')
}

/** Gives a webhook a new secret. The old one signs too for a day. */
export async function rotateWebhookSecret(ctx: Ctx, id: Id<'webhook'>): Promise<WebhookWithSecret> {
  await loadWebhook(ctx, id, 'write')
  const row = await lockWebhook(ctx, id)
  const { secret, sealed } = makeSecret(ctx.keys.master, ctx.random, row)
  await putSecret(ctx.db, { id, secret: sealed, until: ctx.now + rotationSeconds, now: ctx.now })
  return withSecret(ctx, { ...row, updated_at: ctx.now }, secret)
}

/** Delivers the events since a moment or behind a cursor again. A replay that is running is extended, not shortened. */
export async function replayWebhook(ctx: Ctx, id: Id<'webhook'>, request: ReplayRequest): Promise<Webhook> {
  const { account_id } = await loadWebhook(ctx, id, 'write')
  await allow(ctx, 'event:list', null)
  const { place, end } = await findBeginning(ctx, account_id, request)
  const row = await lockWebhook(ctx, id)
  if (!row.enabled) refuse('invalid_state', 'The webhook is disabled. Enable it first.')
  const running = row.replay_position
  const isBehind = running !== null && running <= place.position
  const changed = {
    ...row,
    replay_position: isBehind ? running : place.position,
    replay_position_at: isBehind ? row.replay_position_at : place.occurred_at,
    replay_until: end.position,
    replay_until_at: end.occurred_at,
    updated_at: ctx.now,
  }
  if (changed.replay_position >= end.position) return present(ctx, row)
  await putReplay(ctx.db, changed)
  return present(ctx, changed)
}

/** Where a replay begins, and the end of the log. */
async function findBeginning(
  ctx: Ctx,
  account_id: string,
  { since, starting_after }: ReplayRequest,
): Promise<{ place: LogPosition; end: LogPosition }> {
  if (since !== undefined && starting_after !== undefined) {
    refuse('mutually_exclusive', 'Give either since or starting_after.', 'starting_after')
  }
  if (starting_after !== undefined) {
    return openPlainCursor(ctx, { account_id, cursor: starting_after, field: 'starting_after' })
  }
  if (since === undefined) refuse('required', 'Give either since or starting_after.', 'since')
  return findPlaceBefore(ctx, account_id, since)
}

/** Loads a webhook of the caller's account and checks a right. Refuses `not_found` and `forbidden`. */
export async function loadWebhook(ctx: Ctx, id: Id<'webhook'>, verb: PermissionVerb): Promise<WebhookRow> {
  const row = await findWebhook(ctx.db, id)
  const isOwn = row && row.deleted_at === null && row.account_id === callerOf(ctx).account_id
  if (!isOwn) refuseNotFound()
  await allow(ctx, `webhook:${verb}`, null)
  return row
}

/** Webhooks by their URLs. */
export const readWebhookNames: ReadNames = async (ctx, ids) => {
  const wanted = ids.filter((id) => id.startsWith('whk_'))
  if (wanted.length === 0 || !mayReadOrList(ctx, 'webhook', null)) return []
  const rows = await listOwnWebhooks(ctx.db, wanted, callerOf(ctx).account_id)
  return rows.map(({ id, url }) => ({ id, type: 'webhook', name: url }))
}

/** A webhook of any account. */
export async function findAnyWebhook({ db }: Ctx, id: Id<'webhook'>): Promise<WebhookRow | undefined> {
  const row = await findWebhook(db, id)
  return row?.deleted_at === null ? row : undefined
}

/**
 * Puts the secret back into the stored response of a creation. After a rotation that is the present one: the first may
 * have been rotated because it leaked.
 */
export async function restoreSecret(ctx: Ctx, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const row = await findWebhook(ctx.db, String(body.id))
  if (!row) return body
  const [secret] = secretsOf(ctx.keys.master, row, ctx.now)
  return { ...body, secret: showSecret(secret as Buffer) }
}

/** Locks webhooks that are not deleted, and reads them again. */
export function lockWebhooks(ctx: Ctx, ids: readonly string[]): Promise<WebhookRow[]> {
  return ctx.lockRows(webhookLock, ids)
}

/** Locks a webhook and reads it again. */
export async function lockWebhook(ctx: Ctx, id: Id<'webhook'>): Promise<WebhookRow> {
  const [row] = await ctx.lockRows(webhookLock, [id])
  return row ?? refuseNotFound()
}

async function enable(ctx: Ctx, row: WebhookRow): Promise<void> {
  const end = await findLogEnd(ctx, row.account_id)
  const { health } = afterSuccess(row)
  Object.assign(row, health, { enabled: true, disabled_reason: null, paused_until: null })
  Object.assign(row, { position: end.position, position_at: end.occurred_at })
  await putPosition(ctx.db, row)
}

async function disable(ctx: Ctx, row: WebhookRow): Promise<void> {
  Object.assign(row, { enabled: false, disabled_reason: 'user', paused_until: null })
  await endReplay(ctx, row)
  await endPendingOf(ctx, row.id)
}

async function endReplay(ctx: Ctx, row: WebhookRow): Promise<void> {
  if (row.replay_position === null) return
  Object.assign(row, { replay_position: null, replay_position_at: null, replay_until: null, replay_until_at: null })
  await putReplay(ctx.db, row)
}

/** Whether a change makes the webhook deliver other events than now, or to another receiver. */
function sendsOthers(row: WebhookRow, { url, actions, target_types, targets, enabled }: WebhookChanges): boolean {
  const pairs = [
    [url, row.url],
    [actions, row.actions],
    [target_types, row.target_types],
    [targets, row.targets],
  ] as const
  const isOther = pairs.some(([sent, now]) => sent !== undefined && JSON.stringify(sent) !== JSON.stringify(now))
  return isOther || (enabled === true && !row.enabled)
}

type CheckedFilters = { url?: string; actions?: string[]; target_types?: string[]; targets?: string[] }

function refuseWrong({ services }: Ctx, { url, ...filters }: CheckedFilters): void {
  if (url !== undefined) {
    const { is_public_only } = services.webhook_settings
    throwIfRefused(refuseUrl(url, { is_public_only, isPublicHost: mayBePublicHost }))
  }
  throwIfRefused(refuseFilters(filters))
}

function withSecret(ctx: Ctx, row: WebhookRow, secret: Buffer): WebhookWithSecret {
  return { ...present(ctx, row), secret: showSecret(secret) }
}

function present({ keys }: Ctx, row: WebhookRow): Webhook {
  const { id, account_id, url, description, actions, target_types, targets, ordering, enabled } = row
  const { disabled_reason, position, position_at, last_success_at, last_failure_at, created_at, updated_at } = row
  const cursorAt = (place: { position: number; occurred_at: number }) => cursorOf(keys.cursors(), account_id, place)
  const { replay_position, replay_position_at, replay_until, replay_until_at } = row
  return {
    object: 'webhook',
    id,
    url,
    description,
    actions,
    target_types,
    targets,
    ordering,
    enabled,
    state: stateOf(row),
    disabled_reason,
    cursor: cursorAt({ position, occurred_at: position_at }),
    replay:
      replay_position === null
        ? null
        : {
            cursor: cursorAt({ position: replay_position, occurred_at: replay_position_at as number }),
            until: cursorAt({ position: replay_until as number, occurred_at: replay_until_at as number }),
          },
    last_success_at,
    last_failure_at,
    created_at,
    updated_at,
  }
}
