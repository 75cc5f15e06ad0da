/**
 * Removes what is left of ended instances: user data after one day, records and names after seven days. Not this file's
 * work: deleting a record earlier (instances.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { releaseName } from '../../iam/names/names.service.ts'
import { eraseUserData } from './cloud-init.service.ts'
import {
  instanceKeptSeconds,
  instancePurge,
  lockInstances,
  removeRecords,
  userDataErasure,
  userDataKeptSeconds,
} from './instance-changes.service.ts'
import { findInstance } from './instances.service.ts'

export const purgeReconciler: Reconciler = {
  kind: instancePurge,
  step: async (ctx, key) => {
    const id = key as Id<'instance'>
    const wait = await secondsUntil(ctx, id, instanceKeptSeconds)
    if (wait === undefined || wait > 0) return wait && ctx.now + wait
    // If the record was deleted in between, the statements below change nothing.
    await lockInstances(ctx, [id])
    await Promise.all([releaseName(ctx, id), eraseUserData(ctx, [id]), removeRecords(ctx, [id])])
    return undefined
  },
}

export const userDataReconciler: Reconciler = {
  kind: userDataErasure,
  step: async (ctx, key) => {
    const id = key as Id<'instance'>
    const wait = await secondsUntil(ctx, id, userDataKeptSeconds)
    if (wait !== undefined && wait > 0) return ctx.now + wait
    await eraseUserData(ctx, [id])
    return undefined
  },
}

/** How long something of an ended instance is still kept; undefined if there is no record or it has not ended. */
async function secondsUntil(ctx: Ctx, id: Id<'instance'>, keptSeconds: number): Promise<number | undefined> {
  const row = await findInstance(ctx, id)
  const endedAt = row?.terminated_at ?? undefined
  return endedAt === undefined ? undefined : Math.max(0, endedAt + keptSeconds - ctx.now)
}
