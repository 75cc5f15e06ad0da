/**
 * Who users are at the providers of OpenID Connect: an issuer and a subject, never an e-mail address, which a provider
 * may give to another person. Not this file's work: sign-in at a provider (providers).
 */
import { type deleteUserIdentity as deleteContract, type Identity, identitiesMax } from '@bourse/api/iam/identities.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { refuseWithoutAdmin } from '../access/grants.service.ts'
import { refuseNotFound } from '../access/permissions.service.ts'
import { type LastingOrigin, lastingOriginOf } from '../tokens/origins.rules.ts'
import {
  findIdentity as findOne,
  type IdentityRow,
  insertIdentity,
  listIdentities as listRows,
  recordIdentityUse,
  removeIdentity,
} from './identities.store.ts'
import { loadUserToRead, lockUserToWrite } from './user-places.service.ts'

/** A person at an issuer, and what its provider tells of it. */
export type Subject = Pick<IdentityRow, 'account_id' | 'issuer' | 'subject' | 'provider' | 'email'>

/** Lists the identities of a user. */
export async function listIdentities(ctx: Ctx, ref: Ref<'user'>) {
  const { user_id } = await loadUserToRead(ctx, ref)
  const rows = await listRows(ctx.db, user_id)
  return { object: 'list' as const, data: rows.map(presentIdentity), has_more: false }
}

/** Removes an identity of a user. Refuses `last_admin`. */
export async function deleteIdentity(ctx: Ctx, { params }: Input<typeof deleteContract>): Promise<void> {
  const { user_id, account_id } = await lockUserToWrite(ctx, params.id)
  if (!(await removeIdentity(ctx.db, { id: params.identity, user_id }))) refuseNotFound()
  await refuseWithoutAdmin(ctx, account_id, user_id)
}

/** The identity of a subject in an account. */
export function findIdentity({ db }: Ctx, subject: Subject): Promise<IdentityRow | undefined> {
  return findOne(db, subject)
}

/** Records that the user of an identity signs in, and what the provider tells. */
export async function recordUse(ctx: Ctx, id: Id<'identity'>, { provider, email }: Subject): Promise<void> {
  await recordIdentityUse(ctx.db, { id, provider, email, last_used_at: ctx.now })
}

/** Whether a user may have another identity. Requires the account's lock. */
export async function mayConnect({ db }: Ctx, user_id: string): Promise<boolean> {
  return (await listRows(db, user_id)).length < identitiesMax
}

/** Lets a user in by an identity. Requires the account's lock. Undefined if the user has as many as it may. */
export async function connectIdentity(
  ctx: Ctx,
  subject: Subject,
  { user_id, ...origin }: Pick<IdentityRow, 'user_id' | keyof LastingOrigin>,
): Promise<Id<'identity'> | undefined> {
  if (!(await mayConnect(ctx, user_id))) return undefined
  const id = ctx.newId('identity')
  const times = { created_at: ctx.now, last_used_at: ctx.now }
  const isNew = await insertIdentity(ctx.db, { ...subject, ...times, id, user_id, ...lastingOriginOf(origin) })
  return isNew ? id : undefined
}

function presentIdentity(row: IdentityRow): Identity {
  const { id, provider, issuer, subject, email, created_at, last_used_at } = row
  return { object: 'identity', id, provider, issuer, subject, email, created_at, last_used_at }
}
