/**
 * Whoever makes a link for a user could have used it. So what a link of somebody else led to ends when the user gets a
 * right that this one lacks: otherwise they would have got it too.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { listGrantsByPrincipal } from '../access/grants.service.ts'
import { findAccount } from '../names/owners.service.ts'
import { endSessions } from '../tokens/sessions.service.ts'
import { endSshKeysLetInBy } from '../tokens/ssh-key-ends.service.ts'
import { givesMoreThan } from './openers.rules.ts'
import { listOpeners, listSessionsOpenedBy, removeWaysOpenedBy } from './openers.store.ts'

/**
 * Carries out a change of the rights of users. Then it ends the sessions, ways in and approvals of programs to which
 * links of others led who lack a right that the change gives. Requires the account's lock.
 */
export async function changeRights<T>(
  ctx: Ctx,
  { account_id, user_ids }: { readonly account_id: string; readonly user_ids: readonly Id<'user'>[] },
  change: () => Promise<T>,
): Promise<T> {
  const openers = user_ids.length === 0 ? undefined : await listOpeners(ctx.db, user_ids)
  if (!openers?.size) return change()
  const users = [...openers.keys()]
  const before = await listGrantsByPrincipal(ctx, account_id, users)
  const changed = await change()
  const now = await listGrantsByPrincipal(ctx, account_id, [...users, ...[...openers.values()].flat()])
  const { is_platform = false } = (await findAccount(ctx, account_id)) ?? {}
  for (const [userId, ids] of openers) {
    const rights = { before: before.get(userId) ?? [], after: now.get(userId) ?? [], is_platform }
    const lacking = ids.filter((id) => givesMoreThan(now.get(id) ?? [], rights))
    if (lacking.length === 0) continue
    await endSessions(ctx, await listSessionsOpenedBy(ctx.db, userId, lacking))
    await removeWaysOpenedBy(ctx.db, userId, lacking)
    await endSshKeysLetInBy(ctx, userId, lacking)
  }
  return changed
}
