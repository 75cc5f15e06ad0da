import type { Instance, replaceInstance as replaceContract } from '@bourse/api/fleet/instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import { isRefusal, throwIfRefused } from '../core/refusal.ts'
import { claimName, pickSummary, resolveRef } from '../iam/names.service.ts'
import { allow, refuseNotFound } from '../iam/permissions.service.ts'
import { holdImage } from '../images/images.service.ts'
import { moveAddress } from '../network/subnets.service.ts'
import { lockInstances, settleEnds, tell } from './instance-changes.service.ts'
import { newMarks } from './instance-creation.service.ts'
import { refuseReplace, successorOf } from './instances.rules.ts'
import { composeInstance, loadInstance, loadSurroundings, presentInstance } from './instances.service.ts'
import {
  findPlacedInstance,
  type InstanceRow,
  insertSuccessor,
  type NewInstanceRow,
  type PlacedInstanceRow,
} from './instances.store.ts'
import { keepUserData, readUserData } from './user-data.service.ts'

type Body = Input<typeof replaceContract>['body']

/** Finds the template that the names of a fleet's members are drawn from; undefined where the fleet is gone. */
export type FindNameTemplate = (ctx: Ctx, deployment_id: Id<'deployment'>) => Promise<string | undefined>

let findNameTemplate: FindNameTemplate = async () => undefined

/** Registers who knows how the members of a fleet are named; called once, where the program is put together. */
export function nameSuccessorsBy(find: FindNameTemplate): void {
  findNameTemplate = find
}

/**
 * Ends an instance and makes its successor, in one transaction of five flights: begin and claim of the key; the instance
 * as it was, for the rights; locks, name and all that is read under them; the writes; answer, events and COMMIT. One
 * more where the instance or the image is given by its path, where a fleet names the successor, and where a generated
 * name is taken. The limit of instances is not touched: the successor uses what the old one used.
 */
export async function replaceInstance(ctx: Ctx, ref: Ref<'instance'>, body: Body): Promise<Instance> {
  const user_data = readUserData(body.cloud_init_user_data)
  const [known, image_id] = await Promise.all([loadInstance(ctx, ref), resolveRef(ctx, 'image', body.image)])
  await allow(ctx, 'instance:write', known.workspace_id)
  await allow(ctx, 'instance:create', known.workspace_id)
  const id = ctx.newId('instance')
  const held = await holdAll(ctx, known, { id, image_id, name: body.name })
  const { old, image, around } = held
  const row = successorRow(ctx, old, { id, image_id: image.id, user_data_used: user_data !== undefined })
  await Promise.all([
    insertSuccessor(ctx.db, { old_id: old.id, successor: row, now: ctx.now }),
    old.private_ip && moveAddress(ctx, old.id, id),
    user_data && keepUserData(ctx, [row], user_data),
    settleEnds(ctx, [old.id], [{ ...old, has_machine: old.host_id !== null }]),
  ])
  tell(ctx, [id], [row], 'instance.created')
  // A name that was drawn a second time is not among those that were read behind the first draw.
  return around.names.has(id) ? composeInstance(row, around) : presentInstance(ctx, row)
}

type Wanted = {
  readonly id: Id<'instance'>
  readonly image_id: Id<'image'> | undefined
  readonly name: string | undefined
}

/** Takes every lock in its order and decides on what is read behind it, all in one flight. */
async function holdAll(ctx: Ctx, known: InstanceRow, { id, image_id, name }: Wanted) {
  const template =
    name === undefined && known.deployment_id ? await findNameTemplate(ctx, known.deployment_id) : undefined
  const { account_id, workspace_id } = known
  const shown = { ...known, image_id: image_id ?? known.image_id }
  const [image, claimed, , old, around] = await Promise.all([
    image_id && holdImage(ctx, image_id),
    // A living instance has a name in its workspace, which keeps that from being deleted; it needs no lock.
    tryName(claimName(ctx, { id, kind: 'instance', account_id, workspace_id, name, template })),
    lockInstances(ctx, [known.id]),
    findPlacedInstance(ctx.db, known.id),
    loadSurroundings(ctx, [shown, { ...shown, id }]),
  ])
  if (!old) refuseNotFound()
  const refusal = refuseReplace({
    old: { state: old.state, name: pickSummary(around.names, 'instance', old.id).name },
    image: image && { state: image.state, is_readable: true },
    name: name ?? null,
    is_name_taken: claimed === undefined,
  })
  throwIfRefused(refusal)
  if (!image || claimed === undefined) throw new Error('A replacement was let through without an image or a name.')
  return { old, image, around }
}

/** The name, or undefined where it is taken: told only after what counts more. */
async function tryName(claimed: Promise<string>): Promise<string | undefined> {
  try {
    return await claimed
  } catch (error) {
    if (isRefusal(error, 'name_taken')) return undefined
    throw error
  }
}

/** The record of the successor, as the rule has it, under the names of the table. */
function successorRow(
  ctx: Ctx,
  old: PlacedInstanceRow,
  fresh: { id: Id<'instance'>; image_id: Id<'image'>; user_data_used: boolean },
): NewInstanceRow {
  const { host_id, slot, replaces_host_id } = old
  const successor = successorOf(
    {
      ...old,
      managed_by_id: old.deployment_id,
      fleet_slot: old.deployment_slot,
      slot: host_id === null ? null : { host_id, slot: slot as number },
      replaces_slot:
        replaces_host_id === null ? null : { host_id: replaces_host_id, slot: old.replaces_slot as number },
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
