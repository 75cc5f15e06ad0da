/** What the audit trail says of a sign-in at a provider, besides the sign-in itself. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { GroupGrant, GroupOutcome } from '../access/grants.service.ts'
import { recordActOf, recordActOfProvider } from '../audit/acts.service.ts'
import { recordFailedSignIn, recordSignIn } from '../audit/sign-ins.service.ts'
import { findAccount } from '../names/owners.service.ts'
import { findIdentity, type Subject } from '../people/identities.service.ts'

/** How the trail names a sign-in at a provider. */
export const providerWay = 'sign_in_by_provider'

/** A user at a provider, who comes back to this server. */
export type ProviderUser = {
  readonly account_id: string
  readonly user_id: Id<'user'>
  readonly provider: string
  readonly sender: RequestSender
}

/** Records an identity that a link has connected, as an act of its user. */
export function recordConnection(
  ctx: Ctx,
  { issuer, subject, email }: Subject,
  { provider, sender, ...user }: ProviderUser,
  id: Id<'identity'>,
): Promise<void> {
  const targets = [
    { type: 'user', id: user.user_id },
    { type: 'identity', id },
  ]
  return recordActOf(ctx, user, {
    operation: 'connect_identity',
    targets,
    sender,
    after: { provider, issuer, subject, email },
  })
}

/** Records a user that a provider has added, with its identity. */
export function recordAddedUser(ctx: Ctx, { issuer, subject, email }: Subject, user: ProviderUser): void {
  const targets = [{ type: 'user', id: user.user_id }]
  const after = { email, provider: user.provider, issuer, subject }
  recordActOfProvider(ctx, user, { operation: 'create_user', targets, sender: user.sender, after })
}

/** Records the grants that a provider has given to a user, or ended. */
export function recordGrants(ctx: Ctx, user: ProviderUser, { given, ended }: Omit<GroupOutcome, 'refused'>): void {
  for (const grant of given) recordGrant(ctx, user, 'create_grant', grant)
  for (const grant of ended) recordGrant(ctx, user, 'delete_grant', grant)
}

function recordGrant(
  ctx: Ctx,
  user: ProviderUser,
  operation: 'create_grant' | 'delete_grant',
  { id, role_id: role, workspace_id: workspace }: GroupGrant,
): void {
  const { user_id, provider, sender } = user
  const targets = [
    { type: 'grant', id },
    { type: 'user', id: user_id },
  ]
  const fields = { principal_id: user_id, role, workspace, provider }
  const change = operation === 'create_grant' ? { after: fields } : { before: fields }
  recordActOfProvider(ctx, user, { operation, targets, sender, ...change })
}

/** A sign-in at a provider that let nobody in. `subject` came back, `asked` is the user who was to sign in again. */
type ProviderFailed = {
  readonly account_id: string
  readonly subject: Subject | undefined
  readonly asked: Id<'user'> | null
  readonly sender: RequestSender
}

/** Records a sign-in that failed, as one of its user, or of nobody whom the account knows. For a query. */
export async function recordFailedAtProvider(
  ctx: Ctx,
  { account_id, subject, asked, sender }: ProviderFailed,
): Promise<void> {
  const user = subject ? await findIdentity(ctx, subject) : asked && { account_id, user_id: asked }
  if (user) return recordFailedSignIn(ctx, user, { way: providerWay, sender })
  if (!(await findAccount(ctx, account_id))) return
  await recordSignIn(ctx, { account_id, user_id: undefined, way: providerWay, sender, code: 'authentication_error' })
}
