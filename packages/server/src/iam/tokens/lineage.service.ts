/** Tells whether two acts were those of two people or programs that are independent of each other. */
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { rightsOfCaller } from '../access/permissions.service.ts'
import { isSamePrincipal, type Lineage, lineageFrom } from './lineage.rules.ts'
import { listLineage } from './lineage.store.ts'

/** Who stands behind the caller. */
export async function lineageOfCaller(ctx: Ctx): Promise<Lineage> {
  const caller = callerOf(ctx)
  const { user_id } = rightsOfCaller(caller)
  return lineageFrom({ token_id: caller.token_id, user_id }, await listLineage(ctx.db, caller.token_id))
}

/** Whether the caller may be the same as somebody who acted before. */
export async function isCallerSameAs(ctx: Ctx, earlier: Lineage): Promise<boolean> {
  return isSamePrincipal(earlier, await lineageOfCaller(ctx))
}
