/**
 * Whoever makes a link for a user could have used it. So what a link of somebody else led to ends when the user gets a
 * right that this one lacks: otherwise they would have got it too.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { listPrincipalGrants } from '../access/grants.service.ts'
import { findLacking, rightsOf } from '../access/permissions.rules.ts'
import { assignedRoles } from '../access/roles.rules.ts'
import { findAccount } from '../names/owners.service.ts'
import { endSessions } from '../tokens/sessions.service.ts'
import { listOpeners, listSessionsOpenedBy, removeWaysOpenedBy } from './openers.store.ts'

/**
 * Ends the sessions and ways in of users, and the approvals of programs, to which links of others led who lack a right
 * of the user. After a change of the rights. Requires the account's lock.
 */
export async function endAccessByOthers(ctx: Ctx, account_id: string, user_ids: readonly Id<'user'>[]): Promise<void> {
  for (const user_id of user_ids) {
    const openers = await listOpeners(ctx.db, user_id)
    if (openers.length === 0) continue
    const lacking = await openersLacking(ctx, account_id, { user_id, openers })
    if (lacking.length === 0) continue
    await endSessions(ctx, await listSessionsOpenedBy(ctx.db, user_id, lacking))
    await removeWaysOpenedBy(ctx.db, user_id, lacking)
  }
}

async function openersLacking(
  ctx: Ctx,
  account_id: string,
  { user_id, openers }: { readonly user_id: Id<'user'>; readonly openers: readonly string[] },
): Promise<string[]> {
  const { is_platform = false } = (await findAccount(ctx, account_id)) ?? {}
  const held = assignedRoles(await listPrincipalGrants(ctx, account_id, user_id))
  const lacking: string[] = []
  for (const id of openers) {
    const own = rightsOf(assignedRoles(await listPrincipalGrants(ctx, account_id, id)), { is_platform })
    if (held.some((role) => findLacking(own, { ...role, is_platform }) !== undefined)) lacking.push(id)
  }
  return lacking
}
