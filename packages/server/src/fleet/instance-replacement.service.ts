import type { Instance, replaceInstance as replaceContract } from '@bourse/api/fleet/instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import { isRefusal, throwIfRefused } from '../core/refusal.ts'
import { claimName, pickSummary, resolveRef } from '../iam/names.service.ts'
import { allow, refuseNotFound } from '../iam/permissions.service.ts'
import { holdImage } from '../images/images.service.ts'
import { moveAddress } from '../network/subnets.service.ts'
import { keepUserData, readUserData } from './cloud-init.service.ts'
import { settleEnds, tell } from './instance-changes.service.ts'
import { newMarks } from './instance-creation.service.ts'
import { refuseReplace, type SlotClaim, successorOf } from './instances.rules.ts'
import { composeInstance, loadSurroundings, presentInstance } from './instances.service.ts'
import { findSlot, insertSuccessor, type NewInstanceRow, type ReplacedRow, replacedLock } from './instances.store.ts'

type Body = Input<typeof replaceContract>['body']
/** An instance that is locked, and where its machine stands. */
type Old = ReplacedRow & { readonly at: SlotClaim | null }

/** Finds the template that the names of a fleet's members are drawn from; undefined where the fleet is gone. */
export type FindNameTemplate = (ctx: Ctx, deployment_id: Id<'deployment'>) => Promise<string | undefined>

let findNameTemplate: FindNameTemplate = async () => undefined

/** Registers who knows how the members of a fleet are named; called once, where the program is put together. */
export function nameSuccessorsBy(find: FindNameTemplate): void {
  findNameTemplate = find
}

/**
 * Ends an instance and makes its successor, in one transaction of four flights with 14 statements: begin and claim of
 * the key; locks of image and instance; name, writes and what the answer shows; stored answer, events and COMMIT. One
 * flight more where the instance or the image is given by its path, where a fleet names the successor, and where a
 * generated name is taken. The limit of instances is not touched: the successor uses what the old one used.
 */
export async function replaceInstance(ctx: Ctx, ref: Ref<'instance'>, body: Body): Promise<Instance> {
  const user_data = readUserData(body.cloud_init_user_data)
  const { old, image } = await holdBoth(ctx, ref, body.image)
  const { account_id, workspace_id, deployment_id } = old
  const { name } = body
  const template = name === undefined && deployment_id ? await findNameTemplate(ctx, deployment_id) : undefined
  const id = ctx.newId('instance')
  const row = successorRow(ctx, old, { id, image_id: image.id, user_data_used: user_data !== undefined })
  // A living instance has a name in its workspace, which keeps that from being deleted; so it needs no lock.
  const wish = { id, kind: 'instance' as const, account_id, workspace_id, name, template }
  // Who waits without a slot waits on as the successor: what kept the old one waiting wakes placement when it changes,
  // and a step that is just placing the old one finds it gone and looks again.
  const waits = old.state === 'awaiting_allocation' && old.at === null && old.replaces_host_id === null
  const news = { concerns_placement: !waits }
  const [is_name_taken, around] = await Promise.all([
    isTaken(claimName(ctx, wish)),
    loadSurroundings(ctx, [row, { ...row, id: old.id }]),
    insertSuccessor(ctx.db, { old_id: old.id, successor: row, now: ctx.now }),
    old.private_ip && moveAddress(ctx, old.id, id),
    user_data && keepUserData(ctx, [row], user_data),
    settleEnds(ctx, [old.id], [{ ...old, has_machine: old.at !== null }], news),
  ])
  const known = { state: old.state, name: pickSummary(around.names, 'instance', old.id).name }
  throwIfRefused(refuseReplace({ old: known, image: launchable(image), name: name ?? null, is_name_taken }))
  tell(ctx, [id], [row], 'instance.created', news)
  // A name that was drawn a second time is not among those that were read behind the first draw.
  return around.names.has(id) ? composeInstance(row, around) : presentInstance(ctx, row)
}

/** Locks image and instance, and decides all that does not hang on the name. */
async function holdBoth(ctx: Ctx, ref: Ref<'instance'>, image_ref: Ref<'image'>) {
  const [old_id, image_id] = await Promise.all([resolveRef(ctx, 'instance', ref), resolveRef(ctx, 'image', image_ref)])
  if (old_id === undefined) refuseNotFound()
  const [image, [row], at = null] = await Promise.all([
    image_id && holdImage(ctx, image_id),
    ctx.lockRows(replacedLock, [old_id]),
    findSlot(ctx.db, old_id),
  ])
  if (!row) refuseNotFound()
  await allow(ctx, 'instance:write', row.workspace_id)
  await allow(ctx, 'instance:create', row.workspace_id)
  const old: Old = { ...row, at }
  const unnamed = { name: null, is_name_taken: false }
  throwIfRefused(refuseReplace({ old: { state: old.state, name: '' }, image: image && launchable(image), ...unnamed }))
  if (!image) throw new Error('A replacement was let through without an image.')
  return { old, image }
}

function launchable({ state }: NonNullable<Awaited<ReturnType<typeof holdImage>>>) {
  return { state, is_readable: true }
}

/** Whether a claimed name was taken: told only after what counts more. */
async function isTaken(claimed: Promise<string>): Promise<boolean> {
  try {
    await claimed
    return false
  } catch (error) {
    if (isRefusal(error, 'name_taken')) return true
    throw error
  }
}

/** The record of the successor, as the rule has it, under the names of the table. */
function successorRow(
  ctx: Ctx,
  old: Old,
  fresh: { id: Id<'instance'>; image_id: Id<'image'>; user_data_used: boolean },
): NewInstanceRow {
  const { replaces_host_id: host_id, replaces_slot: slot } = old
  const successor = successorOf(
    {
      ...old,
      managed_by_id: old.deployment_id,
      fleet_slot: old.deployment_slot,
      slot: old.at,
      replaces_slot: host_id === null || slot === null ? null : { host_id, slot },
    },
    { ...fresh, now: ctx.now },
  )
  const { managed_by_id, fleet_slot, replaces_id, replaces_slot, ...common } = successor
  return {
    ...common,
    ...newMarks(ctx, fresh.id),
    user_data_used: fresh.user_data_used,
    deployment_id: managed_by_id,
    deployment_slot: fleet_slot,
    replaces: replaces_id,
    replaces_host_id: replaces_slot?.host_id ?? null,
    replaces_slot: replaces_slot?.slot ?? null,
  }
}
