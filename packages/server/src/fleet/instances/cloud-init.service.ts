import type { CloudInitResponse } from '@bourse/api/fleet/launch-fields.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal, refuse } from '../../core/base/refusal.ts'
import { openSecret, sealSecret } from '../../core/keys/secret-box.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { allow, hasPermission, refuseNotFound } from '../../iam/access/permissions.service.ts'
import {
  findUserData,
  insertUserData,
  insertUserDataReading,
  lockUserDataOfOtherKeys,
  putSealedUserData,
  removeUserData,
} from './cloud-init.store.ts'

/** The owner of user data. It is sealed for these two ids and cannot be opened with others. */
type UserDataOwner = { readonly id: string; readonly account_id: string }

/** The most bytes of user data (docs/concepts/instances.md, "User data"). */
const userDataBytesMax = 65_536
const field = 'cloud_init_user_data'

/**
 * Decodes the user data of a request; undefined if it has none. The schema has checked alphabet and length. Refused
 * here are non-zero padding bits (`invalid_base64`) and one or two bytes over the limit (`too_long`).
 */
export function readUserData(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) refuse('invalid_base64', 'This is not canonical base64.', field)
  if (bytes.length > userDataBytesMax) refuse('too_long', 'User data must not exceed 65,536 bytes.', field)
  return bytes
}

/** Stores the same user data for several owners, sealed for each of them. */
export async function keepUserData(ctx: Ctx, owners: readonly UserDataOwner[], bytes: Buffer): Promise<void> {
  const rows = owners.map(({ id, account_id }) => ({
    owner_id: id,
    account_id,
    key_id: ctx.keys.master.current.key_id,
    sealed: sealSecret(ctx.keys.master, bytes, { belongs_to: [account_id, id], random: ctx.random }),
  }))
  if (rows.length > 0) await insertUserData(ctx.db, rows)
}

/**
 * Seals user data after an owner again that is under another key than the current one, at most `limit` rows. Returns
 * the last owner; undefined where none was left.
 */
export async function resealUserData(ctx: Ctx, after: string, limit: number): Promise<string | undefined> {
  const { master } = ctx.keys
  const { key_id } = master.current
  const rows = await lockUserDataOfOtherKeys(ctx.db, { after, key_id, limit })
  const sealed = rows.map(({ owner_id, account_id, sealed: old }) => {
    const belongs_to = [account_id, owner_id]
    const bytes = openSecret(master, old, { belongs_to })
    return { owner_id, sealed: sealSecret(master, bytes, { belongs_to, random: ctx.random }) }
  })
  if (sealed.length > 0) await putSealedUserData(ctx.db, sealed, key_id)
  return rows.at(-1)?.owner_id
}

/** The user data of an instance or template; undefined if it has none or the data was erased. */
export async function openUserData(ctx: Ctx, { id, account_id }: UserDataOwner): Promise<Buffer | undefined> {
  const row = await findUserData(ctx.db, id)
  return row && openSecret(ctx.keys.master, row.sealed, { belongs_to: [account_id, id] })
}

/**
 * Refuses unless the caller may read user data in the workspace: 403 if the caller may read the instance or template
 * itself, otherwise 404, because then the caller may not learn that the resource exists.
 */
export async function allowReadingUserData(
  ctx: Ctx,
  { id, account_id, workspace_id }: { id: string; account_id: string; workspace_id: Id<'workspace'> },
  kind: 'instance' | 'instance_template',
): Promise<void> {
  try {
    await allow(ctx, 'secret:read', { id, account_id, workspace_id })
  } catch (error) {
    const isSeen = account_id === ctx.caller?.account_id && hasPermission(ctx, `${kind}:read`, workspace_id)
    if (isRefusal(error, 'not_found') && isSeen) refuse('forbidden', 'This requires the permission secret:read.')
    throw error
  }
}

/**
 * Reads user data in a command, so that the row that records the reader is committed before the answer is sent. Not
 * found if there is none.
 */
export async function answerUserData(ctx: Ctx, owner: UserDataOwner): Promise<CloudInitResponse> {
  const bytes = (await openUserData(ctx, owner)) ?? refuseNotFound()
  const { id, account_id } = owner
  const { token_id } = callerOf(ctx)
  const { request_id, now: read_at } = ctx
  await insertUserDataReading(ctx.db, { owner_id: id, account_id, token_id, request_id, read_at })
  return { object: 'cloud_init_user_data', cloud_init_user_data: bytes.toString('base64') }
}

/** Erases the user data of instances or templates. */
export async function eraseUserData(ctx: Ctx, ownerIds: readonly string[]): Promise<void> {
  if (ownerIds.length > 0) await removeUserData(ctx.db, ownerIds)
}
