import type { Instance, listInstances as listContract } from '@bourse/api/fleet/instances.ts'
import type { CloudInitResponse } from '@bourse/api/fleet/launch-fields.ts'
import type {
  PlatformInstance,
  listPlatformInstances as platformContract,
} from '@bourse/api/fleet/platform-instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { among, type Conditions, conditions, emptyPage, type ListFilters, pageResponse } from '../../core/work/page.ts'
import type { FindReferrers } from '../../core/work/references.ts'
import { allow, onlyVisible, refuseNotFound, visibleWorkspaces } from '../../iam/access/permissions.service.ts'
import {
  idToLoad,
  listNamed,
  onlyNamed,
  pickSummary,
  releaseName,
  resolveFilter,
  type Summary,
  summaries,
} from '../../iam/names/names.service.ts'
import { type SkuSummary, skuSummaries } from '../../market/skus/skus.service.ts'
import { type InstanceHardwareRow, opaqueHost } from '../hardware/host-fit.rules.ts'
import { readInstanceHardware } from '../hardware/host-fit.service.ts'
import { allowReadingUserData, answerUserData, eraseUserData } from './cloud-init.service.ts'
import { endInstance, lockInstances, removeRecords } from './instance-changes.service.ts'
import { type InstanceSshKeyRow, shownSshKeys } from './instance-ssh-keys.rules.ts'
import { sshKeysOf } from './instance-ssh-keys.service.ts'
import { type InstanceRow, refuseInstanceAction } from './instances.rules.ts'
import {
  countLivingMembers,
  countLivingOf,
  findInstance as findRow,
  findInstances as findRows,
  listInstanceReferrers,
  listLivingMembers,
  listInstances as listRows,
  type MemberRow,
} from './instances.store.ts'

/** Names and SKUs that answers about instances show, and which resources of ended ones are deleted. */
export type InstanceRelations = {
  readonly names: ReadonlyMap<string, Summary>
  readonly skus: ReadonlyMap<Id<'sku'>, SkuSummary>
  readonly gone: ReadonlySet<string>
  /** The SSH keys of those that have not ended. */
  readonly ssh_keys: ReadonlyMap<string, InstanceSshKeyRow[]>
  /** What the instances that have a machine run on. */
  readonly hardware: ReadonlyMap<string, InstanceHardwareRow>
}

/** The columns of an instance that an answer shows. */
type ShownInstance = Pick<
  InstanceRow,
  | 'id'
  | 'account_id'
  | 'workspace_id'
  | 'pool_id'
  | 'sku_id'
  | 'image_id'
  | 'deployment_id'
  | 'order_id'
  | 'state'
  | 'created_at'
  | 'updated_at'
  | 'subnet_id'
  | 'private_ip'
  | 'enable_public_ipv4'
  | 'public_ip'
  | 'firewall_id'
  | 'infiniband_partition_id'
  | 'tags'
  | 'priority_level'
  | 'user_data_used'
>

/** Lists the instances that the caller may list. */
export async function listInstances(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'instance:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 'i', visible)
  const filters = await addFilters(ctx, where, query, callerOf(ctx).account_id)
  if (filters === undefined) return pageResponse(emptyPage(), [])
  const page = await listRows(ctx, query, filters)
  return pageResponse(page, await presentInstances(ctx, page.rows))
}

/** Lists the instances of all accounts, for the platform operator. */
export async function listPlatformInstances(ctx: Ctx, query: Input<typeof platformContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const where = conditions().addIf('i.account_id = $', query.account)
  if (query.workspace) where.check('i.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  const filters = await addFilters(ctx, where, query, query.account)
  if (filters === undefined) return pageResponse(emptyPage(), [])
  const page = await listRows(ctx, query, { ...filters, list: 'platform_instances' })
  const instances = await presentInstances(ctx, page.rows)
  return pageResponse(
    page,
    instances.map((instance, index): PlatformInstance => {
      return { ...instance, account: (page.rows[index] as InstanceRow).account_id }
    }),
  )
}

/** How many instances of a pool and SKU are not terminated. */
export function countLivingInstances(
  ctx: Ctx,
  place: { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> },
): Promise<number> {
  return countLivingOf(ctx.db, place)
}

/** An instance of a deployment that is not terminated. */
export type Member = MemberRow & { readonly deployment_slot: number }

/** The members of a deployment that are not terminated. Lock them if a decision depends on their state. */
export async function listMembers(ctx: Ctx, deploymentId: Id<'deployment'>): Promise<Member[]> {
  const rows = await listLivingMembers(ctx.db, deploymentId)
  // A member has a slot.
  return rows.map((row) => ({ ...row, deployment_slot: row.deployment_slot as number }))
}

/** The number of members of each deployment that are not terminated. Deployments without members are left out. */
export function countMembers(
  ctx: Ctx,
  deploymentIds: readonly Id<'deployment'>[],
): Promise<Map<Id<'deployment'>, number>> {
  return countLivingMembers(ctx.db, deploymentIds)
}

/** Finds the living instances that refer to a resource by a column. */
export function instancesBy(column: Parameters<typeof listInstanceReferrers>[1]): FindReferrers {
  return (ctx, id, limit) => listInstanceReferrers(ctx.db, column, id, limit)
}

/** Reads one instance. */
export async function getInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<Instance> {
  const row = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:read', row)
  return presentInstance(ctx, row)
}

/** Reads the user data of an instance. Not found also if it has none or the data was erased. */
export async function getInstanceCloudInit(ctx: Ctx, ref: Ref<'instance'>): Promise<CloudInitResponse> {
  const row = await loadInstance(ctx, ref)
  await allowReadingUserData(ctx, row, 'instance')
  return answerUserData(ctx, row)
}

/** Terminates an instance. */
export async function terminateInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<Instance> {
  const known = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:write', known)
  const row = await lockInstance(ctx, known.id)
  throwIfRefused(refuseInstanceAction('terminate', row.state))
  await endInstance(ctx, row.id, 'user')
  return presentInstance(ctx, (await findInstance(ctx, row.id)) as InstanceRow)
}

/** Removes the record of an instance that has ended, and frees its name. */
export async function deleteInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<void> {
  const known = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:delete', known)
  const { id, state } = await lockInstance(ctx, known.id)
  throwIfRefused(refuseInstanceAction('delete', state))
  await Promise.all([releaseName(ctx, id), eraseUserData(ctx, [id]), removeRecords(ctx, [id])])
}

/** An instance of any account. */
export function findInstance(ctx: Ctx, id: Id<'instance'>): Promise<InstanceRow | undefined> {
  return findRow(ctx.db, id)
}

/** Some instances of any account. Missing ones are left out. */
export function findInstances(ctx: Ctx, ids: readonly Id<'instance'>[]): Promise<InstanceRow[]> {
  return findRows(ctx.db, ids)
}

/** An instance of any account by id or path; undefined if there is none. */
export async function findKnownInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<InstanceRow | undefined> {
  const id = await idToLoad(ctx, 'instance', ref)
  return findInstance(ctx, id)
}

/** An instance of any account by id or path. The caller checks rights. Refuses `not_found`. */
export async function loadInstance(ctx: Ctx, ref: Ref<'instance'>): Promise<InstanceRow> {
  return (await findKnownInstance(ctx, ref)) ?? refuseNotFound()
}

/** Locks an instance and reads it under the lock, in one round trip. */
export async function lockInstance(ctx: Ctx, id: Id<'instance'>): Promise<InstanceRow> {
  const [, row] = await Promise.all([lockInstances(ctx, [id]), findInstance(ctx, id)])
  return row ?? refuseNotFound()
}

/** An instance as the API shows it. */
export async function presentInstance(ctx: Ctx, row: ShownInstance): Promise<Instance> {
  const [shown] = await presentInstances(ctx, [row])
  return shown as Instance
}

/** Instances as the API shows them, in order. */
export async function presentInstances(ctx: Ctx, rows: readonly ShownInstance[]): Promise<Instance[]> {
  const related = await loadRelated(ctx, rows)
  return rows.map((row) => composeInstance(row, related))
}

/** Loads what {@link composeInstance} needs for some instances, in one round trip. */
export async function loadRelated(ctx: Ctx, rows: readonly ShownInstance[]): Promise<InstanceRelations> {
  const ids = rows.flatMap((row) => [row.id, row.workspace_id, row.pool_id, row.image_id, row.deployment_id])
  // A living instance protects what it uses against deletion. Only what an ended instance used may be gone.
  const doubtful = rows.filter(({ state }) => state === 'terminated').flatMap(usedBy)
  const placed = rows.filter(({ state }) => state === 'running' || state === 'failed').map(({ id }) => id)
  const living = rows.filter(({ state }) => state !== 'terminated').map(({ id }) => id)
  const [names, skus, present, hardware, ssh_keys] = await Promise.all([
    summaries(ctx, ids),
    skuSummaries(
      ctx,
      rows.map(({ sku_id }) => sku_id),
    ),
    listNamed(ctx, doubtful),
    readInstanceHardware(ctx, placed),
    sshKeysOf(ctx, living),
  ])
  const gone = new Set(doubtful.filter((id) => !present.has(id)))
  return { names, skus, gone, ssh_keys, hardware: new Map(hardware.map((row) => [row.instance_id, row])) }
}

function usedBy({ pool_id, firewall_id, subnet_id, infiniband_partition_id }: ShownInstance): string[] {
  return [pool_id, firewall_id, subnet_id, infiniband_partition_id].filter((id) => id !== null)
}

/** An instance as the API shows it, from loaded surroundings. */
export function composeInstance(row: ShownInstance, related: InstanceRelations): Instance {
  const { names, skus, gone, ssh_keys, hardware } = related
  const { name, resource_path } = pickSummary(names, 'instance', row.id)
  const { enable_public_ipv4 } = row
  const unlessGone = <I extends string>(id: I | null) => (id !== null && gone.has(id) ? null : id)
  return {
    object: 'instance',
    id: row.id,
    resource_path,
    workspace: pickSummary(names, 'workspace', row.workspace_id),
    name,
    state: row.state,
    sku: skus.get(row.sku_id) as SkuSummary,
    image: pickSummary(names, 'image', row.image_id),
    pool: gone.has(row.pool_id) ? null : pickSummary(names, 'pool', row.pool_id),
    ...(row.deployment_id && { managed_by: names.get(row.deployment_id) as NonNullable<Instance['managed_by']> }),
    created_at: row.created_at,
    _preview_updated_at: row.updated_at,
    cloud_init_user_data_used: row.user_data_used,
    ...sshKeysShown(ssh_keys.get(row.id)),
    subnet: unlessGone(row.subnet_id),
    ...(row.private_ip && { private_ip: row.private_ip }),
    _preview_enable_public_ipv4: enable_public_ipv4,
    ...(enable_public_ipv4 && row.public_ip && { _preview_public_ip: row.public_ip }),
    ...(enable_public_ipv4 && { _preview_firewall: unlessGone(row.firewall_id) }),
    _preview_infiniband_partition: unlessGone(row.infiniband_partition_id),
    tags: row.tags,
    priority_level: row.priority_level,
    ...(row.order_id && { order: row.order_id }),
    ...hardwareOf(row, hardware.get(row.id)),
  }
}

function sshKeysShown(rows: readonly InstanceSshKeyRow[] = []): Pick<Instance, 'ssh_keys'> {
  const ssh_keys = shownSshKeys(rows)
  return ssh_keys.length === 0 ? {} : { ssh_keys }
}

function hardwareOf({ account_id }: ShownInstance, row: InstanceHardwareRow | undefined): Pick<Instance, 'hardware'> {
  if (!row) return {}
  const { accelerators = [], numa = [], rdma, nvswitches } = row.slot_hardware ?? {}
  const shown = accelerators.map(({ kind, pci }) => ({ kind, pci }))
  const host = opaqueHost(account_id, row.host_id)
  const others = { ...(rdma && { rdma }), ...(nvswitches && { nvswitches }) }
  return { hardware: { host, accelerators: shown, numa, ...others, verified_at: row.facts_at } }
}

/**
 * The filters of the list, of one account or of all: the first that has an index decides what is read. Undefined if the
 * deployment does not exist, so that nothing matches.
 */
async function addFilters(
  ctx: Ctx,
  where: Conditions,
  query: Input<typeof listContract>['query'],
  account_id: string | undefined,
): Promise<ListFilters | undefined> {
  const [ids, pools, images] = await Promise.all([
    resolveFilter(ctx, 'instance', query.id),
    resolveFilter(ctx, 'pool', query.pool),
    resolveFilter(ctx, 'image', query.image),
  ])
  where.addIf('i.id = any($)', ids)
  if (query.name !== undefined) await onlyNamed(ctx, where, 'i', { kind: 'instance', name: query.name, account_id })
  where.addIf('i.created_at >= $', query.created_after).addIf('i.created_at <= $', query.created_before)
  where.checkIf('i.image_id = any($)', images).checkIf('i.sku_id = any($)', query.sku)
  let deployments: string[] | undefined
  if (query.deployment !== undefined) {
    const deploymentId = await idToLoad(ctx, 'deployment', query.deployment)
    if (deploymentId === undefined) return undefined
    deployments = [deploymentId]
  }
  // The index by state begins with an account.
  if (account_id === undefined) where.checkIf('i.state = any($)', query.state)
  const states = account_id === undefined ? undefined : query.state
  const indexed = { 'i.deployment_id': deployments, 'i.pool_id': pools, 'i.state': states }
  const [first, ...rest] = Object.entries(indexed).filter(([, values]) => values !== undefined)
  for (const [column, values] of rest) where.check(`${column} = any($)`, values)
  return { where, among: first && among(first[0], first[1]) }
}
