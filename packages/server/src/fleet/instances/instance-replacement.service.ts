import type { Instance, replaceInstance as replaceContract } from '@bourse/api/fleet/instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Id, isPath } from '@bourse/api/kit/ids.ts'
import { isRefusal, type RefusalData, throwIfRefused } from '../../core/base/refusal.ts'
import { type BatchEntry, type BatchVerdict, ctxOfEntry } from '../../core/work/batch-command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import {
  claimFreeNames,
  idToLoad,
  pickSummary,
  plainId,
  refuseNameBeyondLimits,
  withinLimits,
} from '../../iam/names/names.service.ts'
import { lockImagesShared, mayStartFrom } from '../../images/images.service.ts'
import { moveAddress } from '../../network/subnets.service.ts'
import { stopMachines } from '../hosts/machines.service.ts'
import { keepUserData, readUserData } from './cloud-init.service.ts'
import { notifyChanged, planRemains } from './instance-changes.service.ts'
import { newMac } from './instance-creation.service.ts'
import { passSshKeys } from './instance-ssh-keys.service.ts'
import { insertSuccessors, type ReplacedRow, replacedLock } from './instance-writes.store.ts'
import {
  type NewInstanceRow,
  refuseReplacement,
  refuseSuccessorName,
  type SuccessorSlot,
  successorOf,
} from './instances.rules.ts'
import { composeInstance, type InstanceRelations, loadRelated, presentInstance } from './instances.service.ts'
import { listSlots } from './instances.store.ts'

/** A request to replace an instance, with its references resolved. */
export type Replacement = {
  readonly old_id: Id<'instance'>
  /** Undefined if there is no image at its path. */
  readonly image_id: Id<'image'> | undefined
  readonly name: string | undefined
  readonly user_data: Buffer | undefined
}

type ReplacementEntry = BatchEntry<Replacement>
type ReplacementInput = Input<typeof replaceContract>
/** A locked instance and the slot of its machine. */
type OldInstance = ReplacedRow & { readonly at: SuccessorSlot | null }
type Image = Parameters<typeof mayStartFrom>[1]

/** The locked instances and images of a batch of requests. */
type LockedReplaced = { readonly olds: ReadonlyMap<string, OldInstance>; readonly images: ReadonlyMap<string, Image> }

/** A replacement that is admitted except for its name. `ctx` is that of its own request. */
type Admitted = {
  readonly ctx: Ctx
  readonly entry: ReplacementEntry
  readonly old: OldInstance
  readonly row: NewInstanceRow
}

/** Finds the name template of a deployment; undefined if the deployment is gone. */
type FindNameTemplate = (ctx: Ctx, deploymentId: Id<'deployment'>) => Promise<string | undefined>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly find_name_template: FindNameTemplate
  }
}

/** Reads a request that gives everything by id, without a query; undefined if it contains paths. */
export function readReplacement({ params, body }: ReplacementInput): Replacement | undefined {
  if (isPath(params.id) || isPath(body.image)) return undefined
  const { name, cloud_init_user_data } = body
  const ids = { old_id: plainId<'instance'>(params.id), image_id: plainId<'image'>(body.image) }
  return { ...ids, name, user_data: readUserData(cloud_init_user_data) }
}

/** Reads a request and resolves its paths. */
export async function prepareReplacement(ctx: Ctx, { params, body }: ReplacementInput): Promise<Replacement> {
  const user_data = readUserData(body.cloud_init_user_data)
  const [old_id, image_id] = await Promise.all([
    idToLoad(ctx, 'instance', params.id),
    idToLoad(ctx, 'image', body.image),
  ])
  return { old_id, image_id, name: body.name, user_data }
}

/** Locks images and instances and reads the slots of machines, in one round trip. */
export async function lockReplaced(ctx: Ctx, entries: readonly ReplacementEntry[]): Promise<LockedReplaced> {
  const oldIds = entries.map(({ input }) => input.old_id)
  const imageIds = entries.flatMap(({ input }) => input.image_id ?? [])
  const [images, rows, slots] = await Promise.all([
    lockImagesShared(ctx, imageIds),
    ctx.lockRows(replacedLock, oldIds),
    listSlots(ctx.db, oldIds),
  ])
  const places = new Map(slots.map(({ instance_id, ...at }) => [instance_id, at]))
  return { images, olds: new Map(rows.map((row) => [row.id, { ...row, at: places.get(row.id) ?? null }])) }
}

/**
 * Ends instances and creates their successors. Each entry succeeds or is refused by itself, all in one transaction of
 * three round trips: (1) begin, claims of idempotency keys, locks of images and instances; (2) names and the data of
 * the answers; (3) writes, stored answers, events and COMMIT. An existing machine, a name template and a generated name
 * that is taken each need one more. The limit of instances does not change: a successor uses what its predecessor used.
 * No two entries replace the same instance.
 */
export async function replaceInstances(
  ctx: Ctx,
  entries: readonly ReplacementEntry[],
  locked: LockedReplaced,
): Promise<BatchVerdict<Instance>[]> {
  const verdicts = new Map<ReplacementEntry, BatchVerdict<Instance>>()
  const letThrough = await admit(ctx, entries, { locked, verdicts })
  const nameRequests = await Promise.all(letThrough.map(nameRequestOf))
  const [claimed, related] = await Promise.all([
    claimFreeNames(ctx, nameRequests),
    loadRelated(
      ctx,
      letThrough.flatMap(({ row, old }) => [row, { ...row, id: old.id }]),
    ),
  ])
  const named: Admitted[] = []
  for (const one of letThrough) {
    const refusal = refuseName(one, related, claimed) ?? (await refuseNameOf(one, claimed))
    if (refusal) verdicts.set(one.entry, { refusal })
    else named.push(one)
  }
  await carryOut(ctx, named)
  await Promise.all(
    named.map(async (one) => {
      const { row, entry } = one
      // A name that was generated a second time is not among the names that were read before.
      const done = related.names.has(row.id) ? composeInstance(row, related) : await presentInstance(one.ctx, row)
      verdicts.set(entry, { done, asked: one.ctx.asked })
    }),
  )
  return entries.map((entry) => verdicts.get(entry) as BatchVerdict<Instance>)
}

/** Decides everything that does not depend on the names. */
async function admit(
  ctx: Ctx,
  entries: readonly ReplacementEntry[],
  { locked, verdicts }: Deciding,
): Promise<Admitted[]> {
  const admitted: Admitted[] = []
  for (const entry of entries) {
    const { old_id, image_id } = entry.input
    const found = { old: locked.olds.get(old_id), image: locked.images.get(image_id ?? '') }
    const verdict = await admitOne(ctxOfEntry(ctx, entry), entry, found)
    if ('refusal' in verdict) verdicts.set(entry, verdict)
    else admitted.push(verdict)
  }
  return admitted
}

type Deciding = { readonly locked: LockedReplaced; readonly verdicts: Map<ReplacementEntry, BatchVerdict<Instance>> }
type ReplacementParts = { readonly old: OldInstance | undefined; readonly image: Image | undefined }

async function admitOne(
  ctx: Ctx,
  entry: ReplacementEntry,
  found: ReplacementParts,
): Promise<Admitted | { refusal: RefusalData }> {
  const old = found.old
  const image = found.image && (await isUsable(ctx, found.image)) ? found.image : undefined
  try {
    if (!old) refuseNotFound()
    await allow(ctx, 'instance:write', old)
    await allow(ctx, 'instance:create', old)
    throwIfRefused(refuseReplacement(old.state, image))
    if (!image) throw new Error('A replacement was admitted without an image.')
    const row = successorOf(old, {
      id: ctx.newId('instance'),
      image_id: image.id,
      mac: newMac(ctx.random),
      user_data_used: entry.input.user_data !== undefined,
      now: ctx.now,
    })
    return { ctx, entry, old, row }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { refusal: error.data }
  }
}

async function isUsable(ctx: Ctx, image: Image): Promise<boolean> {
  return mayStartFrom(ctx, image) && (await withinLimits(ctx, [image.id])).has(image.id)
}

/** The name of a successor. The name of the old instance protects the workspace against deletion. */
async function nameRequestOf({ ctx, entry, old, row }: Admitted) {
  const { account_id, workspace_id, deployment_id } = old
  const { name } = entry.input
  const template =
    name === undefined && deployment_id ? await ctx.services.find_name_template(ctx, deployment_id) : undefined
  return { id: row.id, kind: 'instance' as const, account_id, workspace_id, name, template }
}

function refuseName({ entry, old, row }: Admitted, related: InstanceRelations, claimed: ReadonlyMap<string, string>) {
  return refuseSuccessorName(entry.input.name ?? null, {
    replaced: pickSummary(related.names, 'instance', old.id).name,
    is_taken: !claimed.has(row.id),
  })
}

/** A batch claims names for many callers, so each name is checked against the limits of its own. */
async function refuseNameOf({ ctx, old, row }: Admitted, claimed: ReadonlyMap<string, string>) {
  if (!ctx.caller?.limits?.resources) return undefined
  const { account_id, workspace_id } = old
  const place = { id: row.id, kind: 'instance', account_id, workspace_id } as const
  const outcome = refuseNameBeyondLimits(ctx, { ...place, name: claimed.get(row.id) as string })
  return outcome.then(
    () => undefined,
    (error) => {
      if (!isRefusal(error)) throw error
      return error.data
    },
  )
}

/** Writes the admitted replacements and emits their events. */
async function carryOut(ctx: Ctx, replacements: readonly Admitted[]): Promise<void> {
  if (replacements.length === 0) return
  const standing = replacements.flatMap(({ old }) => (old.at === null ? [] : old.id))
  // Only the stop of machines must wait for the writes here. Otherwise the writes are sent with the commit.
  if (standing.length > 0) await Promise.all([write(ctx, replacements), stopMachines(ctx, standing)])
  else ctx.deferWrite(() => write(ctx, replacements))
  for (const { ctx: own, old, row } of replacements) {
    // The successor of an instance that waits without a slot waits for the same reasons, so placement has nothing new
    // to do. A step that is placing the old instance finds it ended and plans again.
    const waits = old.state === 'awaiting_allocation' && old.at === null && old.replaces_host_id === null
    const changed = { concerns_placement: !waits }
    planRemains(own, old)
    notifyChanged(own, [old.id], [old], 'instance.terminated', changed)
    notifyChanged(own, [row.id], [row], 'instance.created', changed)
  }
}

async function write(ctx: Ctx, replacements: readonly Admitted[]): Promise<void> {
  const writes: Promise<unknown>[] = [
    insertSuccessors(
      ctx.db,
      replacements.map(({ row }) => row),
      ctx.now,
    ),
  ]
  // The row of a successor is written before its keys: the statements are carried out in this order.
  writes.push(
    passSshKeys(
      ctx,
      replacements.map(({ old, row }) => ({ old_id: old.id, new_id: row.id })),
    ),
  )
  for (const { old, row, entry } of replacements) {
    if (old.private_ip) writes.push(moveAddress(ctx, old.id, row.id))
    if (entry.input.user_data) writes.push(keepUserData(ctx, [row], entry.input.user_data))
  }
  await Promise.all(writes)
}
