/**
 * The end of what lets users in for longer than a session: identities, passkeys, recovery codes. They outlive the token
 * whose link let the user in and the session in which they were added, as the grants of the user do; the end of all
 * that descends from that token or session ends them.
 * Not this file's work: each single one (people/identities.service.ts, passkeys).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { removeWaysByOpener, removeWaysOfUser, type WayOpeners } from './ways-in.store.ts'

/** Ends all ways in of a user that is being deleted. */
export async function endWaysInOf(ctx: Ctx, userId: string): Promise<void> {
  await removeWaysOfUser(ctx.db, userId)
}

/**
 * Ends the ways in that descend from tokens or sessions, and links and approvals that are not used. Returns the users
 * that had the ways in.
 */
export function endWaysInOpenedBy(ctx: Ctx, openers: WayOpeners): Promise<Id<'user'>[]> {
  return removeWaysByOpener(ctx.db, openers)
}
