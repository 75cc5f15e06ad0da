/**
 * What a credential descends from: the service token that led to it, and the sessions in which it was made. A session
 * has no row once it has ended, so all of them are named, not only the last one.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { TokenMaker } from './tokens.rules.ts'

export type TokenOrigin = {
  /** When it ends at the latest; null if there is no bound. */
  readonly ends_by: number | null
  /** The service token that led to it; null if there is none. */
  readonly opened_by_token_id: Id<'token'> | null
  /** The ids of the sessions, the oldest first; null for none. */
  readonly made_in_sessions: readonly Id<'token'>[] | null
  /** The users and tokens whose links led to it, other than the user itself; null for none. */
  readonly let_in_by: readonly string[] | null
}

/** What lets a user in for longer than a session has no bound in time. */
export type LastingOrigin = Pick<TokenOrigin, 'opened_by_token_id' | 'made_in_sessions' | 'let_in_by'>

/** The part of an origin that what lets a user in for good has. */
export function lastingOriginOf({ opened_by_token_id, made_in_sessions, let_in_by }: LastingOrigin): LastingOrigin {
  return { opened_by_token_id, made_in_sessions, let_in_by }
}

/** What the system makes descends from nothing. */
export const noOrigin: TokenOrigin = {
  ends_by: null,
  opened_by_token_id: null,
  made_in_sessions: null,
  let_in_by: null,
}

type Maker = TokenMaker & LastingOrigin & { readonly id: Id<'token'>; readonly first_session_id: Id<'token'> | null }

/** The id by which what is made in a session names it. Sessions that replaced each other in a browser have one. */
export function sessionIdOf({ id, first_session_id }: Pick<Maker, 'id' | 'first_session_id'>): Id<'token'> {
  return first_session_id ?? id
}

/** What descends from a token, or is made in a session. Undefined stands for the system. */
export function originOf(maker: Maker | undefined): TokenOrigin {
  if (!maker) return noOrigin
  const { kind, id, expires_at, ends_by, opened_by_token_id, made_in_sessions, let_in_by } = maker
  // The row of a service token stays, so its own sessions are found through it.
  if (kind === 'service') return { ends_by: expires_at, opened_by_token_id: id, made_in_sessions: null, let_in_by }
  const sessions = [...(made_in_sessions ?? []), sessionIdOf(maker)]
  return { ends_by, opened_by_token_id, made_in_sessions: sessions, let_in_by }
}

/**
 * The sessions that a new session names: those that are still open, as no other can be ended. This bounds their number.
 * Leaves out its own id, which it may have from a session that it replaces.
 */
export function ancestorsOf(
  made_in_sessions: TokenOrigin['made_in_sessions'],
  { open, own }: { readonly open: readonly Id<'token'>[]; readonly own: Id<'token'> | null },
): Id<'token'>[] | null {
  const kept = (made_in_sessions ?? []).filter((id) => id !== own && open.includes(id))
  return kept.length > 0 ? kept : null
}

/**
 * Who lets a user in by a link: whoever makes it, and whoever let that one in. A user who makes a link for itself is
 * not among them.
 */
export function openersOf(
  let_in_by: TokenOrigin['let_in_by'],
  { maker, user_id }: { readonly maker: string | undefined; readonly user_id: string },
): string[] | null {
  const all = [...new Set([...(let_in_by ?? []), ...(maker === undefined ? [] : [maker])])].filter(
    (id) => id !== user_id,
  )
  return all.length > 0 ? all.sort() : null
}
