import type { CloudInitAnswer } from '@bourse/api/fleet/launch-fields.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal, refuse } from '../../core/base/refusal.ts'
import { openSecret, sealSecret } from '../../core/keys/secret-box.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { allow, holds, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { findUserData, insertUserData, insertUserDataReading, removeUserData } from './cloud-init.store.ts'

/** Whose user data it is: sealed for these two ids, it opens for no others. */
export type UserDataOwner = { readonly id: string; readonly account_id: string }

/** The most bytes of user data (docs/concepts/instances.md, "User data"). */
const USER_DATA_BYTES_MAX = 65_536
const field = 'cloud_init_user_data'

/**
 * The bytes behind what a request carries; undefined where it carries none. The schema has seen the alphabet and the
 * length: refused here are bits that stand for nothing (`invalid_base64`) and one or two bytes too many (`too_long`).
 */
export function readUserData(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) refuse('invalid_base64', 'This is not base64 in its one strict form.', field)
  if (bytes.length > USER_DATA_BYTES_MAX) refuse('too_long', 'User data has at most 65,536 bytes.', field)
  return bytes
}

/** Keeps the same user data for each of some owners, sealed for each of them. */
export async function keepUserData(ctx: Ctx, owners: readonly UserDataOwner[], bytes: Buffer): Promise<void> {
  const rows = owners.map(({ id, account_id }) => ({
    owner_id: id,
    account_id,
    key_id: ctx.keys.master.current.key_id,
    sealed: sealSecret(ctx.keys.master, bytes, { belongs_to: [account_id, id], random: ctx.random }),
  }))
  if (rows.length > 0) await insertUserData(ctx.db, rows)
}

/** The user data of an instance or template; undefined where it has none or none any more. */
export async function openUserData(ctx: Ctx, { id, account_id }: UserDataOwner): Promise<Buffer | undefined> {
  const row = await findUserData(ctx.db, id)
  return row && openSecret(ctx.keys.master, row.sealed, { belongs_to: [account_id, id] })
}

/**
 * Refuses unless the caller may read user data there: 403 where it may read the instance or template itself, otherwise
 * 404, for then the 404 hides nothing less than the resource.
 */
export async function allowReadingUserData(
  ctx: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
  kind: 'instance' | 'instance_template',
): Promise<void> {
  try {
    await allow(ctx, 'secret:read', workspace_id)
  } catch (error) {
    const isSeen = account_id === ctx.caller?.account_id && holds(ctx, `${kind}:read`, workspace_id)
    if (isRefusal(error, 'not_found') && isSeen) refuse('forbidden', 'This needs the permission secret:read.')
    throw error
  }
}

/**
 * Answers a reading of user data, in a command: the row that says who read it is committed before anybody sees it.
 * Nothing there: not found.
 */
export async function answerUserData(ctx: Ctx, owner: UserDataOwner): Promise<CloudInitAnswer> {
  const bytes = (await openUserData(ctx, owner)) ?? refuseNotFound()
  const { id, account_id } = owner
  const { token_id } = callerOf(ctx)
  const { request_id, now: read_at } = ctx
  await insertUserDataReading(ctx.db, { owner_id: id, account_id, token_id, request_id, read_at })
  return { object: 'cloud_init_user_data', cloud_init_user_data: bytes.toString('base64') }
}

/** Erases the user data of instances or templates. */
export async function eraseUserData(ctx: Ctx, owner_ids: readonly string[]): Promise<void> {
  if (owner_ids.length > 0) await removeUserData(ctx.db, owner_ids)
}
