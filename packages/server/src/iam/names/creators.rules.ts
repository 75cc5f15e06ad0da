/** The creator of a resource, as stored and as presented. */
import type { Id } from '@bourse/api/kit/ids.ts'

/** The columns of a creator. Both are null for the system. */
export type CreatorColumns = { created_by_token_id: Id<'token'> | null; created_by_user_id: Id<'user'> | null }

/** A creator with its name and email address, which stay available after its deletion. */
export type Creator = CreatorColumns & { created_by_name: string | null; created_by_email: string | null }

/** The creator to record: the user of a session, otherwise the token. The system for a caller of another account. */
export function creatorOf(
  caller: { account_id: string; token_id: Id<'token'>; user_id: Id<'user'> | null } | undefined,
  accountId: string,
): CreatorColumns {
  if (!caller || caller.account_id !== accountId) return { created_by_token_id: null, created_by_user_id: null }
  const { token_id, user_id } = caller
  return { created_by_token_id: user_id ? null : token_id, created_by_user_id: user_id }
}

/** Presents a creator in a response. */
export function presentCreator(creator: Creator): {
  type: 'token' | 'user' | 'system'
  id?: string
  name?: string
  email?: string | null
} {
  const { created_by_token_id, created_by_name, created_by_user_id, created_by_email } = creator
  if (created_by_user_id !== null) return { type: 'user', id: created_by_user_id, email: created_by_email }
  if (created_by_token_id === null) return { type: 'system' }
  return { type: 'token', id: created_by_token_id, ...(created_by_name === null ? {} : { name: created_by_name }) }
}
