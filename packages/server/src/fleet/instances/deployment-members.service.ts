import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { takeLimit } from '../../iam/names/limit-usage.service.ts'
import { idToLoad } from '../../iam/names/names.service.ts'
import { livingSshKeys } from '../../iam/ssh-keys/ssh-keys.service.ts'
import { lockPoolShared } from '../../market/pools/pools.service.ts'
import { requireSku } from '../../market/skus/skus.service.ts'
import { openUserData } from './cloud-init.service.ts'
import { addInstances, launchSku } from './instance-creation.service.ts'
import { findTemplate, lockTemplateShared } from './instance-templates.service.ts'
import { admitInstance } from './instances.rules.ts'
import { type LockedLaunch, lockLaunchReferences } from './launches.service.ts'

/** New members of a deployment: their settings, and the free slots that they take. */
type NewMembers = {
  readonly deployment_id: Id<'deployment'>
  readonly account_id: string
  readonly pool_id: Id<'pool'>
  readonly sku_id: Id<'sku'>
  readonly instance_template_id: Id<'instance_template'>
  readonly name_template: string
  readonly deployment_slots: readonly number[]
}

/** An instance template that is locked against its deletion. */
type LockedTemplate = NonNullable<Awaited<ReturnType<typeof lockTemplateShared>>>

type Launch = LockedLaunch & { readonly template: LockedTemplate }

/** Where members are created: the workspace and kind of the pool, and the SKU as it applies to the account. */
type MembersPlace = {
  readonly pool: { readonly kind: string; readonly workspace_id: Id<'workspace'> }
  readonly sku: Parameters<typeof launchSku>[0]
}

const field = 'instance_template'

/**
 * Locks the template of a deployment and everything that the template refers to (rank `parents`). Refuses
 * `reference_not_found`, `workspace_mismatch`, and whatever would refuse a single instance with these settings.
 */
export async function lockMemberTemplate(
  ctx: Ctx,
  ref: Ref<'instance_template'>,
  place: MembersPlace,
): Promise<LockedTemplate> {
  const id = await idToLoad(ctx, field, ref)
  const { template } = await lockTemplateLaunch(ctx, id, { ...place, members: 0 })
  return template
}

/** Refuses a template that does not exist or lies in another workspace, without a lock. */
export async function checkMemberTemplate(
  ctx: Ctx,
  ref: Ref<'instance_template'>,
  workspace_id: Id<'workspace'>,
): Promise<void> {
  await findOwnTemplate(ctx, await idToLoad(ctx, field, ref), workspace_id)
}

/**
 * Creates members of a deployment, all or none, if the limit of the account, the pool, the template and its image allow
 * it. Takes locks from rank `books` on, so it must come before anything that locks instances. The deployment is locked.
 */
export async function createMembers(ctx: Ctx, newMembers: NewMembers): Promise<Id<'instance'>[]> {
  const { account_id, deployment_id, deployment_slots } = newMembers
  if (deployment_slots.length === 0) return []
  const sku = await requireSku(ctx, newMembers.sku_id, { account_id })
  await takeLimit(ctx, account_id, 'instances', deployment_slots.length)
  const pool = await lockPoolShared(ctx, newMembers.pool_id)
  const place = { pool, sku, members: deployment_slots.length }
  const { template, columns, subnet } = await lockTemplateLaunch(ctx, newMembers.instance_template_id, place)
  const user_data = template.user_data_used ? await openUserData(ctx, template) : undefined
  const { priority_level, tags } = template
  const ssh_keys = await livingSshKeys(ctx, template.ssh_key_ids)
  const { workspace_id } = pool
  const where = { account_id, workspace_id, pool_id: pool.id, sku_id: sku.id, deployment_id }
  const rows = await addInstances(
    ctx,
    { ...where, ...columns, priority_level, tags, subnet, user_data, ssh_keys },
    deployment_slots.map((deployment_slot) => ({ deployment_slot, template: newMembers.name_template })),
  )
  return rows.map(({ id }) => id)
}

async function lockTemplateLaunch(
  ctx: Ctx,
  id: Id<'instance_template'> | undefined,
  { pool, sku, members }: MembersPlace & { readonly members: number },
): Promise<Launch> {
  const { workspace_id } = pool
  const known = await findOwnTemplate(ctx, id, workspace_id)
  // An existing template protects what it refers to against deletion, but its image may have been revoked.
  const launch = await lockLaunchReferences(ctx, launchRequestOf(known), {
    workspace_id,
    joins_subnet: members > 0,
    image_field: field,
  })
  const template = (await lockTemplateShared(ctx, known.id)) ?? refuseTemplate()
  const refusal = admitInstance({ ...launch.choice, pool, sku: launchSku(sku) })
  if (refusal) throw new Refusal({ ...refusal, field: ownField(refusal.field) })
  if (launch.subnet && launch.subnet.available_addresses < members) {
    refuse('subnet_full', `The subnet of the template does not have enough free addresses.`, field)
  }
  return { ...launch, template }
}

async function findOwnTemplate(ctx: Ctx, id: Id<'instance_template'> | undefined, workspace_id: Id<'workspace'>) {
  const known = id === undefined ? undefined : await findTemplate(ctx, id)
  const isOwn = known && (!ctx.caller || known.account_id === ctx.caller.account_id)
  if (!isOwn) refuseTemplate()
  if (known.workspace_id !== workspace_id) {
    refuse('workspace_mismatch', 'The template belongs to another workspace than the pool.', field)
  }
  return known
}

function launchRequestOf(template: LockedTemplate) {
  return {
    image: template.image_id,
    subnet: template.subnet_id ?? undefined,
    _preview_enable_public_ipv4: template.enable_public_ipv4,
    _preview_firewall: template.firewall_id ?? undefined,
    _preview_infiniband_partition: template.infiniband_partition_id ?? undefined,
  }
}

/** The request names the pool, the SKU and the template. Any other field at fault is one of the template. */
function ownField(named: string | null | undefined): string {
  return named === 'pool' || named === 'sku' ? named : field
}

function refuseTemplate(): never {
  refuse('reference_not_found', 'There is no such instance template.', field)
}
