/**
 * What a sign-in at a provider leads to: the session of the user that the identity belongs to; with a sign-in link,
 * that of its user, who has the identity from then on; where the provider adds users, that of a new one.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import type { Sender } from '../../core/http/transfer.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { assignRole, type GroupRole, setGroupGrants } from '../access/grants.service.ts'
import { findUsableRole } from '../access/roles.service.ts'
import { addUser } from '../accounts/users.service.ts'
import { recordFailedSignIn } from '../audit/sign-ins.service.ts'
import { idToLoad } from '../names/names.service.ts'
import { findWorkspaceAccount, lockAccount } from '../names/owners.service.ts'
import { connectIdentity, findIdentity, recordUse, type Subject } from '../people/identities.service.ts'
import type { AttemptOf } from '../people/sign-in-attempts.rules.ts'
import { useAttempt } from '../people/sign-in-attempts.service.ts'
import {
  type OpenedSession,
  type Opening,
  openBrowserSession,
  readSignInLink,
  type TakenLink,
  takeSignInLink,
} from '../people/sign-in-links.service.ts'
import type { Claims } from './provider-clients.service.ts'
import type { GroupSetting, Provider } from './provider-settings.rules.ts'

const way = 'sign_in_by_provider'

/** Why nobody is signed in. */
export type SignInProblem = 'unknown' | 'used' | 'other_user' | 'taken' | 'link_over' | 'no_account' | 'full' | 'over'

/** A person who comes back from a provider. */
export type Returned = {
  readonly provider: Provider
  readonly claims: Claims
  readonly attempt: AttemptOf<'provider'>
}

/** Signs in whoever comes back from a provider. */
export async function signInFromProvider(
  ctx: Ctx,
  returned: Returned,
  opening: Opening,
): Promise<OpenedSession | SignInProblem> {
  const { provider, claims, attempt } = returned
  const { account: account_id, name } = provider
  if (!(await lockAccount(ctx, account_id))) return 'no_account'
  const email = claims.is_email_verified ? claims.email : null
  const subject: Subject = { account_id, issuer: claims.issuer, subject: claims.subject, provider: name, email }
  if (!(await useAttempt(ctx, attempt))) return refuseIdentity(ctx, subject, opening.sender, 'used')
  const user = await userOf(ctx, returned, subject, opening.sender)
  if (typeof user === 'string') return refuseIdentity(ctx, subject, opening.sender, user)
  await setGroups(ctx, returned, user.user_id)
  const authenticated_at = ctx.now - claims.age_seconds
  const place = { ...user, account_id, authenticated_at, way }
  return (await openBrowserSession(ctx, place, opening)) ?? 'over'
}

/** Records that an identity did not come in, if its user is known. */
async function refuseIdentity(ctx: Ctx, subject: Subject, sender: Sender, why: SignInProblem): Promise<SignInProblem> {
  await recordFailedSignIn(ctx, await findIdentity(ctx, subject), { way, sender })
  return why
}

type FoundUser = { readonly user_id: Id<'user'>; readonly opened_by_token_id: Id<'token'> | null }

async function userOf(
  ctx: Ctx,
  { provider, claims, attempt }: Returned,
  subject: Subject,
  sender: Sender,
): Promise<FoundUser | SignInProblem> {
  const known = await findIdentity(ctx, subject)
  if (attempt.user_id !== null && known?.user_id !== attempt.user_id) return 'other_user'
  const link = attempt.link === null ? undefined : await readSignInLink(ctx, attempt.link)
  if (attempt.link !== null && (!link || link.account_id !== subject.account_id)) return 'link_over'
  if (link && known && known.user_id !== link.user_id) return 'taken'
  // Used up only where it leads to a session.
  const taken = attempt.link === null ? undefined : await takeSignInLink(ctx, attempt.link, sender)
  if (known) {
    await recordUse(ctx, known.id, subject)
    return known
  }
  if (taken) return connect(ctx, subject, taken)
  return provider.auto_provision ? provision(ctx, provider, claims, subject) : 'unknown'
}

async function connect(ctx: Ctx, subject: Subject, link: TakenLink): Promise<FoundUser | SignInProblem> {
  const user = { user_id: link.user_id, opened_by_token_id: link.origin.opened_by_token_id }
  return (await connectIdentity(ctx, subject, user)) ? user : 'full'
}

/** Adds a user. Its address is the one that the provider has verified, unless somebody has that already. */
async function provision(
  ctx: Ctx,
  provider: Provider,
  { given_name: first_name, family_name: last_name }: Claims,
  subject: Subject,
): Promise<FoundUser | SignInProblem> {
  const { account_id } = subject
  const names = { first_name, last_name }
  const added = await ctx.attempt(async () => {
    const user_id = await addUser(ctx, account_id, { ...names, email: subject.email })
    const user = { user_id, opened_by_token_id: null }
    await connectIdentity(ctx, subject, user)
    if (provider.default_role !== undefined) {
      const role = await findUsableRole(ctx, account_id, provider.default_role, 'default_role')
      await assignRole(ctx, { account_id, principal_id: user_id, role_id: role.id, workspace_id: null })
    }
    return user
  })
  if ('done' in added) return added.done
  const { code } = added.refusal
  ctx.log.error({ provider: provider.name, account_id, code }, 'A provider could not add a user.')
  return 'full'
}

/** Sets the grants that come from the groups of a user. A role or workspace that has gone is left out, and logged. */
async function setGroups(ctx: Ctx, { provider, claims }: Returned, user_id: Id<'user'>): Promise<void> {
  const { account: account_id, name, group_claim, group_roles } = provider
  if (group_claim === undefined) return
  const wanted: GroupRole[] = []
  const problems: string[] = []
  for (const group of new Set(claims.groups)) {
    const setting = group_roles.get(group)
    if (!setting) continue
    const role = await resolve(ctx, account_id, setting)
    if (!role) problems.push(group)
    else if (!wanted.some((one) => one.role_id === role.role_id && one.workspace_id === role.workspace_id)) {
      wanted.push(role)
    }
  }
  const refused = await setGroupGrants(ctx, { account_id, user_id, provider: name }, wanted)
  if (problems.length > 0 || refused.length > 0) {
    const facts = { provider: name, account_id, user_id, groups: problems.slice(0, 20), refused }
    ctx.log.error(facts, 'Some roles of groups of a provider could not be set.')
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
