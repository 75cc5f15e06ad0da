/**
 * What a sign-in at a provider leads to: the session of the user that the identity belongs to; with a sign-in link,
 * that of its user, who has the identity from then on; where the provider adds users, that of a new one.
 */

import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { assignRole, type GroupGrant, type GroupRole, setGroupGrants } from '../access/grants.service.ts'
import { findUsableRole } from '../access/roles.service.ts'
import { addUser } from '../accounts/users.service.ts'
import { idToLoad } from '../names/names.service.ts'
import { findWorkspaceAccount, isAccountFrozen, lockAccount } from '../names/owners.service.ts'
import { connectIdentity, findIdentity, mayConnect, recordUse, type Subject } from '../people/identities.service.ts'
import { type AttemptOf, isSinceBegin } from '../people/sign-in-attempts.rules.ts'
import { useAttempt } from '../people/sign-in-attempts.service.ts'
import {
  type OpenedSession,
  openBrowserSession,
  readSignInLink,
  type SessionOpening,
  type TakenLink,
  takeSignInLink,
} from '../people/sign-in-links.service.ts'
import { type LastingOrigin, lastingOriginOf, noOrigin } from '../tokens/origins.rules.ts'
import {
  type ProviderUser,
  providerWay,
  recordAddedUser,
  recordConnection,
  recordGrants,
} from './provider-acts.service.ts'
import type { PersonClaims } from './provider-clients.service.ts'
import type { GroupSetting, SignInProvider } from './provider-settings.rules.ts'

/** Why nobody is signed in. */
export type SignInProblem =
  | 'unknown'
  | 'used'
  | 'other_user'
  | 'old'
  | 'taken'
  | 'link_over'
  | 'no_account'
  | 'frozen'
  | 'full'
  | 'over'

/** A person who comes back from a provider. */
export type Returned = {
  readonly provider: SignInProvider
  readonly claims: PersonClaims
  readonly attempt: AttemptOf<'provider'>
}

/** Signs in whoever comes back from a provider. */
export async function signInFromProvider(
  ctx: Ctx,
  returned: Returned,
  opening: SessionOpening,
): Promise<OpenedSession | SignInProblem> {
  const { provider, claims, attempt } = returned
  const { account: account_id, name } = provider
  if (!(await lockAccount(ctx, account_id))) return 'no_account'
  if (!(await useAttempt(ctx, attempt))) return 'used'
  const { sender } = opening
  const subject = subjectOf(provider, claims)
  const user = await userOf(ctx, returned, subject, sender)
  if (typeof user === 'string') return user
  // A frozen account may read and sign out: a sign-in changes nothing in it.
  if (!(await isAccountFrozen(ctx, account_id))) {
    await setGroups(ctx, returned, { account_id, user_id: user.user_id, provider: name, sender })
    // What the groups give may have ended this way in (people/openers.service.ts).
    if (!(await findIdentity(ctx, subject))) return 'over'
  }
  // A link opens a session of now by itself, whatever the provider says.
  const authenticated_at = attempt.link === null ? signedInAt(ctx, claims) : ctx.now
  const place = { ...user, account_id, authenticated_at, way: providerWay }
  return (await openBrowserSession(ctx, place, opening)) ?? 'over'
}

/** Who a provider says that a person is. Its address counts only if the provider has verified it. */
export function subjectOf({ account: account_id, name }: SignInProvider, claims: PersonClaims): Subject {
  const email = claims.is_email_verified ? claims.email : null
  return { account_id, issuer: claims.issuer, subject: claims.subject, provider: name, email }
}

/** When a person signed in at its provider; 0, which is never recent, if the provider does not say. */
function signedInAt({ now }: Ctx, { age_seconds }: PersonClaims): number {
  return age_seconds === null ? 0 : now - age_seconds
}

type FoundUser = LastingOrigin & { readonly user_id: Id<'user'> }

async function userOf(
  ctx: Ctx,
  { provider, claims, attempt }: Returned,
  subject: Subject,
  sender: RequestSender,
): Promise<FoundUser | SignInProblem> {
  const known = await findIdentity(ctx, subject)
  if (attempt.user_id !== null && known?.user_id !== attempt.user_id) return 'other_user'
  const isNew = isSinceBegin(attempt, signedInAt(ctx, claims))
  if (attempt.is_step_up && attempt.link === null && !isNew) return 'old'
  const link = attempt.link === null ? undefined : await readSignInLink(ctx, attempt.link)
  if (attempt.link !== null && (!link || link.account_id !== subject.account_id)) return 'link_over'
  if (link && known && known.user_id !== link.user_id) return 'taken'
  if (!known && (await isAccountFrozen(ctx, subject.account_id))) return 'frozen'
  if (link && !known && !(await mayConnect(ctx, link.user_id))) return 'full'
  // Used up only where it leads to a session.
  const taken = attempt.link === null ? undefined : await takeSignInLink(ctx, attempt.link, sender)
  if (known) {
    await recordUse(ctx, known.id, subject)
    return known
  }
  if (taken) return connect(ctx, subject, taken, sender)
  return provider.auto_provision ? provision(ctx, { provider, claims, subject, sender }) : 'unknown'
}

async function connect(
  ctx: Ctx,
  subject: Subject,
  link: TakenLink,
  sender: RequestSender,
): Promise<FoundUser | SignInProblem> {
  const { account_id, provider } = subject
  const user = { user_id: link.user_id, ...lastingOriginOf(link.origin) }
  const id = await connectIdentity(ctx, subject, user)
  if (!id) return 'full'
  await recordConnection(ctx, subject, { account_id, user_id: link.user_id, provider, sender }, id)
  return user
}

type Newcomer = {
  readonly provider: SignInProvider
  readonly claims: PersonClaims
  readonly subject: Subject
  readonly sender: RequestSender
}

/** Adds a user. Its address is the one that the provider has verified, unless somebody has that already. */
async function provision(
  ctx: Ctx,
  { provider, claims: { given_name: first_name, family_name: last_name }, subject, sender }: Newcomer,
): Promise<FoundUser | SignInProblem> {
  const { account_id } = subject
  const names = { first_name, last_name }
  const added = await ctx.attempt(async () => {
    const user_id = await addUser(ctx, account_id, { ...names, email: subject.email })
    await connectIdentity(ctx, subject, { user_id, ...lastingOriginOf(noOrigin) })
    return { user_id, given: await giveDefaultRole(ctx, provider, user_id) }
  })
  if ('done' in added) {
    const { user_id, given } = added.done
    const user = { account_id, user_id, provider: provider.name, sender }
    recordAddedUser(ctx, subject, user)
    recordGrants(ctx, user, { given, ended: [] })
    return { user_id, ...lastingOriginOf(noOrigin) }
  }
  const { code } = added.refusal
  ctx.log.error({ provider: provider.name, account_id, code }, 'A provider could not add a user.')
  return 'full'
}

async function giveDefaultRole(
  ctx: Ctx,
  { account: account_id, default_role }: SignInProvider,
  user_id: Id<'user'>,
): Promise<GroupGrant[]> {
  if (default_role === undefined) return []
  const { id: role_id } = await findUsableRole(ctx, account_id, default_role, 'default_role')
  const role = { role_id, workspace_id: null }
  return [{ ...role, id: await assignRole(ctx, { account_id, principal_id: user_id, ...role }) }]
}

/** Sets the grants that come from the groups of a user. A role or workspace that has gone is left out, and logged. */
async function setGroups(ctx: Ctx, { provider, claims }: Returned, user: ProviderUser): Promise<void> {
  const { account: account_id, name, group_claim, group_roles } = provider
  const { user_id } = user
  if (group_claim === undefined) return
  const wanted: GroupRole[] = []
  const problems: string[] = []
  for (const group of new Set(claims.groups.groups)) {
    const setting = group_roles.get(group)
    if (!setting) continue
    const role = await resolve(ctx, account_id, setting)
    if (!role) problems.push(group)
    else if (!wanted.some((one) => one.role_id === role.role_id && one.workspace_id === role.workspace_id)) {
      wanted.push(role)
    }
  }
  const { refused, ...changed } = await setGroupGrants(ctx, { account_id, user_id, provider: name }, wanted)
  recordGrants(ctx, user, changed)
  if (problems.length > 0 || refused.length > 0) {
    const facts = { provider: name, account_id, user_id, groups: problems.slice(0, 20), refused }
    ctx.log.error(facts, 'Some roles of groups of a provider could not be set.')
  }
  const { left_out } = claims.groups
  if (left_out > 0) {
    const message = 'A provider sent more groups than are looked at. Let it send those of group_roles only.'
    ctx.log.warn({ provider: name, account_id, user_id, left_out }, message)
  }
}

async function resolve(
  ctx: Ctx,
  account_id: string,
  { role, workspace }: GroupSetting,
): Promise<GroupRole | undefined> {
  try {
    const { id: role_id } = await findUsableRole(ctx, account_id, role, 'role')
    if (workspace === undefined) return { role_id, workspace_id: null }
    const workspace_id = await idToLoad(ctx, 'workspace', workspace)
    return (await findWorkspaceAccount(ctx, workspace_id)) === account_id ? { role_id, workspace_id } : undefined
  } catch (error) {
    if (isRefusal(error, 'reference_not_found')) return undefined
    throw error
  }
}
