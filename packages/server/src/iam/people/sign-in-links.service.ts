/**
 * Sign-in links: made for a user, opened once. Somebody who may make a link for a user could take the place of that
 * user, so it needs every right that the user has, and gives no right that the user gets later.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { SignInLink } from '@bourse/api/iam/users.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { principalOf } from '../access/grants.service.ts'
import { recordFailedSignIn, recordSignIn } from '../audit/sign-ins.service.ts'
import { lockAccount } from '../names/owners.service.ts'
import {
  ancestorsOf,
  type LastingOrigin,
  lastingOriginOf,
  openersOf,
  originOf,
  sessionIdOf,
  type TokenOrigin,
} from '../tokens/origins.rules.ts'
import { endSessions, listOpenAmong, listOpenSessions, recordSession } from '../tokens/sessions.service.ts'
import { createSessionToken, findToken, requireMaker } from '../tokens/tokens.service.ts'
import {
  type LinkCode,
  linkCodeText,
  linkSeconds,
  linksToEnd,
  readLinkCode,
  type SessionUse,
  sessionEnd,
  sessionsToEnd,
} from './sign-in.rules.ts'
import {
  findHomeWorkspace,
  findLink,
  insertLink,
  listGrantDigests,
  listLinks,
  removeExpiredLinks,
  removeLinks,
  removeLinksIn,
  removeLinksOf,
  type ShownLink,
} from './sign-in-links.store.ts'

/** The path of the page of a link, below the public URL. */
export const linkPath = '/sign-in/:code'

/** A user of an account. */
type UserPlace = { readonly account_id: string; readonly user_id: Id<'user'> }

/** A new session: its token, to be given to the device, and how long it lasts. */
export type OpenedSession = UserPlace & {
  readonly token: string
  readonly seconds: number
  readonly expires_at: number
}

/** What opens a session, and the session that is there before. */
export type SessionOpening = {
  readonly sender: RequestSender
  readonly replaces?: Pick<Caller, 'token_id'> | undefined
}

/** Makes a link, without permission checks. Requires the account's lock. `origin` is what it descends from. */
export async function makeSignInLink(
  ctx: Ctx,
  { account_id, user_id }: UserPlace,
  origin?: TokenOrigin,
): Promise<SignInLink> {
  const { ends_by, opened_by_token_id, made_in_sessions, let_in_by } = origin ?? (await originByCaller(ctx))
  const maker = origin || !ctx.caller ? undefined : principalOf(ctx.caller)
  await removeExpiredLinks(ctx.db, user_id, ctx.now)
  await removeLinks(ctx.db, linksToEnd(await listLinks(ctx.db, user_id)))
  const code: LinkCode = { id: ctx.random.bytes(16).toString('base64url'), secret: ctx.random.bytes(32) }
  const expires_at = ctx.now + linkSeconds
  await insertLink(ctx.db, {
    id: code.id,
    account_id,
    user_id,
    secret_hash: hashOf(code.secret),
    created_at: ctx.now,
    expires_at,
    grant_ids: await listGrantDigests(ctx.db, user_id),
    ends_by,
    made_by_token_id: opened_by_token_id,
    made_in_sessions,
    let_in_by: openersOf(let_in_by, { maker, user_id }),
  })
  const path = linkPath.replace(':code', linkCodeText(code))
  return { object: 'sign_in_link', url: `${ctx.public_url()}${path}`, expires_at }
}

/** Ends the links of a user. */
export async function endLinksOf(ctx: Ctx, user_id: string): Promise<void> {
  await removeLinksOf(ctx.db, user_id)
}

/** Ends the links of an account. */
export async function endLinksIn(ctx: Ctx, account_id: string): Promise<void> {
  await removeLinksIn(ctx.db, account_id)
}

/** The user of an open link; undefined if it is unknown, used or expired. */
export async function readSignInLink(ctx: Ctx, text: string): Promise<ShownLink | undefined> {
  const code = readLinkCode(text)
  const link = code && (await findLink(ctx.db, code.id))
  // Compared in constant time, and also where there is no link: the time of a response tells nothing of either.
  const isRight = code !== undefined && timingSafeEqual(hashOf(code.secret), link?.secret_hash ?? noHash)
  if (!link || !isRight || link.expires_at <= ctx.now) return undefined
  const isNarrower = (await listGrantDigests(ctx.db, link.user_id)).every((grant) => link.grant_ids.includes(grant))
  return isNarrower ? link : undefined
}

/** Opens the session of a link, which ends with that; undefined if it is not open. */
export async function useSignInLink(
  ctx: Ctx,
  text: string,
  { sender, replaces }: SessionOpening,
): Promise<OpenedSession | undefined> {
  const link = await takeSignInLink(ctx, text, sender)
  if (!link) return undefined
  const first_session_id = await endReplaced(ctx, replaces, link.user_id)
  const opened = await openSession(ctx, { ...link, use: 'browser', sender, first_session_id })
  if (!opened) return recordFailedSignIn(ctx, link, { way: 'sign_in_by_link', sender })
  await recordSignIn(ctx, { ...opened, way: 'sign_in_by_link', sender })
  return opened
}

/** A link that is used up now, and what its session descends from. */
export type TakenLink = UserPlace & { readonly origin: TokenOrigin }

/** Uses a link up; undefined if it is not open. Locks its account. */
export async function takeSignInLink(ctx: Ctx, text: string, sender: RequestSender): Promise<TakenLink | undefined> {
  const seen = await readSignInLink(ctx, text)
  if (!seen) return recordRefusedLink(ctx, text, sender)
  await lockAccount(ctx, seen.account_id)
  // Read again under the lock: two requests with one link open one session, and a deleted user opens none.
  const link = await readSignInLink(ctx, text)
  if (!link) return recordRefusedLink(ctx, text, sender)
  await removeLinks(ctx.db, [link.id])
  const { account_id, user_id, ends_by, made_by_token_id: opened_by_token_id, made_in_sessions, let_in_by } = link
  return { account_id, user_id, origin: { ends_by, opened_by_token_id, made_in_sessions, let_in_by } }
}

/** Who signs in by a way in that lasts, and which: the audit trail shows it as the operation. */
type LastingPlace = UserPlace &
  LastingOrigin & {
    readonly way: string
    readonly authenticated_at?: number
  }

/** A new session of a browser by a way in that lasts, in place of the one that was there. */
export async function openBrowserSession(
  ctx: Ctx,
  place: LastingPlace,
  { sender, replaces }: SessionOpening,
): Promise<OpenedSession | undefined> {
  const first_session_id = await endReplaced(ctx, replaces, place.user_id)
  const { way, ...rest } = place
  const origin = { ends_by: null, ...lastingOriginOf(place) }
  const opened = await openSession(ctx, { ...rest, use: 'browser', sender, origin, first_session_id })
  if (opened) await recordSignIn(ctx, { ...opened, way, sender })
  return opened
}

/**
 * Signs the person of a session in again, without anything to prove: for sandboxes. What limits the session limits the
 * new one. Undefined if nothing is left of its time.
 */
export async function renewSession(
  ctx: Ctx,
  { account_id, user_id }: UserPlace,
  { sender, replaces }: SessionOpening,
): Promise<OpenedSession | undefined> {
  await lockAccount(ctx, account_id)
  const made = await originByCaller(ctx)
  const maker = principalOf(callerOf(ctx))
  const origin = { ...made, let_in_by: openersOf(made.let_in_by, { maker, user_id }) }
  const first_session_id = await endReplaced(ctx, replaces, user_id)
  const opened = await openSession(ctx, { account_id, user_id, use: 'browser', sender, origin, first_session_id })
  if (opened) await recordSignIn(ctx, { ...opened, way: 'sign_in_again', sender })
  return opened
}

/**
 * Ends the session that was in a browser. If the same user signs in there again, the new one goes on with it: returns
 * the id that stands for both, by which what was made before is found.
 */
async function endReplaced(
  ctx: Ctx,
  replaces: SessionOpening['replaces'],
  user_id: Id<'user'>,
): Promise<Id<'token'> | null> {
  if (!replaces) return null
  const before = await findToken(ctx, replaces.token_id)
  await endSessions(ctx, [replaces.token_id])
  return before?.user_id === user_id ? sessionIdOf(before) : null
}

/** Records that a link did not sign anybody in. One that is gone names no account. */
export async function recordRefusedLink(ctx: Ctx, text: string, sender: RequestSender): Promise<undefined> {
  const code = readLinkCode(text)
  const link = code && (await findLink(ctx.db, code.id))
  return recordFailedSignIn(ctx, link, { way: 'sign_in_by_link', sender })
}

type SessionParams = UserPlace & {
  readonly use: SessionUse
  readonly sender: RequestSender
  readonly origin: TokenOrigin
  /** When the user signed in: now, unless it was in another session. */
  readonly authenticated_at?: number
  /** The first of the sessions that it goes on with in its browser. */
  readonly first_session_id?: Id<'token'> | null
}

/**
 * Opens a session of a user. Requires the account's lock. Undefined if nothing is left of its time, or the user has
 * gone.
 */
export async function openSession(
  ctx: Ctx,
  { account_id, user_id, use, sender, origin, authenticated_at = ctx.now, first_session_id = null }: SessionParams,
): Promise<OpenedSession | undefined> {
  const expires_at = sessionEnd(use, origin.ends_by, ctx.now)
  if (expires_at <= ctx.now) return undefined
  const workspace_id = await findHomeWorkspace(ctx.db, account_id, user_id)
  if (!workspace_id) return undefined
  await endSessions(ctx, sessionsToEnd(await listOpenSessions(ctx, user_id), ctx.now))
  const open = await listOpenAmong(ctx, origin.made_in_sessions ?? [])
  const made_in_sessions = ancestorsOf(origin.made_in_sessions, { open, own: first_session_id })
  const { ends_by, opened_by_token_id, let_in_by } = origin
  const place = { account_id, workspace_id, user_id, expires_at }
  const made = await createSessionToken(ctx, { ...place, opened_by_token_id, made_in_sessions })
  const times = { authenticated_at, ends_by }
  await recordSession(ctx, { token_id: made.id, ...sender, ...times, opened_by_token_id, first_session_id, let_in_by })
  return { account_id, user_id, token: made.token, seconds: expires_at - ctx.now, expires_at }
}

/**
 * What a session that the caller opens for somebody descends from: the caller itself if it is the token of a program,
 * otherwise its session and what that descends from. Nothing that a token leads to outlives it.
 */
export async function originByCaller(ctx: Ctx): Promise<TokenOrigin> {
  return originOf(await requireMaker(ctx))
}

const noHash = hashOf(Buffer.alloc(32))

function hashOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}
