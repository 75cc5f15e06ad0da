/** Who made something, as it is kept and as it is shown. */
import type { Id } from '@bourse/api/kit/ids.ts'

/** The columns of a maker: both null for the system. */
export type CreatorColumns = { created_by_token_id: Id<'token'> | null; created_by_user_id: Id<'user'> | null }

/** A maker with what is shown of it; both outlive its deletion. */
export type Creator = CreatorColumns & { created_by_name: string | null; created_by_email: string | null }

/** Who is written down: the user of a session, the token otherwise, and the system for another account's caller. */
export function creatorOf(
  maker: { account_id: string; token_id: Id<'token'>; user_id: Id<'user'> | null } | undefined,
  account_id: string,
): CreatorColumns {
  if (!maker || maker.account_id !== account_id) return { created_by_token_id: null, created_by_user_id: null }
  const { token_id, user_id } = maker
  return { created_by_token_id: user_id ? null : token_id, created_by_user_id: user_id }
}

/** A maker in an answer. */
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
