/**
 * What a credential descends from: the service token that led to it, and the sessions in which it was made. A session
 * has no row once it has ended, so all of them are named, not only the last one.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { TokenMaker } from './tokens.rules.ts'

export type Origin = {
  /** When it ends at the latest; null if there is no bound. */
  readonly ends_by: number | null
  /** The service token that led to it; null if there is none. */
  readonly opened_by_token_id: Id<'token'> | null
  /** The ids of the sessions, the oldest first; null for none. */
  readonly made_in_sessions: readonly Id<'token'>[] | null
}

/** What lets a user in for longer than a session has no bound in time. */
export type LastingOrigin = Pick<Origin, 'opened_by_token_id' | 'made_in_sessions'>

/** The part of an origin that what lets a user in for good has. */
export function lastingOriginOf({ opened_by_token_id, made_in_sessions }: LastingOrigin): LastingOrigin {
  return { opened_by_token_id, made_in_sessions }
}

/** What the system makes descends from nothing. */
export const noOrigin: Origin = { ends_by: null, opened_by_token_id: null, made_in_sessions: null }

type Maker = TokenMaker & LastingOrigin & { readonly id: Id<'token'>; readonly first_session_id: Id<'token'> | null }

/** The id by which what is made in a session names it. Sessions that replaced each other in a browser have one. */
export function sessionIdOf({ id, first_session_id }: Pick<Maker, 'id' | 'first_session_id'>): Id<'token'> {
  return first_session_id ?? id
}

/** What descends from a token, or is made in a session. Undefined stands for the system. */
export function originOf(maker: Maker | undefined): Origin {
  if (!maker) return noOrigin
  const { kind, id, expires_at, ends_by, opened_by_token_id, made_in_sessions } = maker
  // The row of a service token stays, so its own sessions are found through it.
  if (kind === 'service') return { ends_by: expires_at, opened_by_token_id: id, made_in_sessions: null }
  return { ends_by, opened_by_token_id, made_in_sessions: [...(made_in_sessions ?? []), sessionIdOf(maker)] }
}

/**
 * The sessions that a new session names: those that are still open, as no other can be ended. This bounds their number.
 * Leaves out its own id, which it may have from a session that it replaces.
 */
export function ancestorsOf(
  made_in_sessions: Origin['made_in_sessions'],
  { open, own }: { readonly open: readonly Id<'token'>[]; readonly own: Id<'token'> | null },
): Id<'token'>[] | null {
  const kept = (made_in_sessions ?? []).filter((id) => id !== own && open.includes(id))
  return kept.length > 0 ? kept : null
}
