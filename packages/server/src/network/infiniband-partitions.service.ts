import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type {
  createInfinibandPartition as createContract,
  InfinibandPartition,
  listInfinibandPartitions as listContract,
} from '@bourse/api/network/infiniband-partitions.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { refuseInUse } from '../core/http/in-use.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { listOwned, loadAndAllow } from '../iam/access/owned.service.ts'
import { allow, chooseWorkspace, mayName, refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { claimName, idToLoad, pickSummary, releaseName, renameName, summaries } from '../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../iam/names/owners.service.ts'
import { seesFabric } from '../market/skus/skus.service.ts'
import {
  findPartition,
  insertPartition,
  listPartitionKeys,
  listPartitions,
  type PartitionRow,
  partitionLock,
  partitionShareLock,
  removePartition,
  updatePartition,
} from './infiniband-partitions.store.ts'

const kind = 'infiniband_partition'
const referrersShown = 20
const insertTries = 20

/** Creates a partition on the fabric of a SKU that is visible to the caller. */
export async function createInfinibandPartition(
  ctx: Ctx,
  body: Input<typeof createContract>['body'],
): Promise<InfinibandPartition> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'infiniband_partition:create', workspace_id)
  if (!(await seesFabric(ctx, account_id, body.infiniband_fabric))) {
    refuse('fabric_not_found', 'No SKU that is visible to you uses this fabric.', 'infiniband_fabric')
  }
  await takeLimit(ctx, account_id, 'infiniband_partitions')
  await lockWorkspaceShared(ctx, workspace_id)
  const id = ctx.newId(kind)
  await claimName(ctx, { id, kind, account_id, workspace_id, name: body.name })
  const { infiniband_fabric, tags = null } = body
  const row = { id, account_id, workspace_id, infiniband_fabric, tags, created_at: ctx.now, updated_at: ctx.now }
  return presentOne(ctx, { ...row, partition_key: await insertUnderFreeKey(ctx, row) })
}

/** Lists the partitions that the caller may list. */
export async function listInfinibandPartitions(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const filters = { infiniband_fabric: query.infiniband_fabric }
  return listOwned(ctx, kind, { query, alias: 'p', filters, list: listPartitions, present })
}

/** Reads one partition. */
export async function getInfinibandPartition(ctx: Ctx, ref: Ref<typeof kind>): Promise<InfinibandPartition> {
  const row = await loadAndAllow(ctx, kind, { ref, verb: 'read', find: findPartition })
  return presentOne(ctx, row)
}

/** Renames a partition or replaces its tags. */
export async function updateInfinibandPartition(
  ctx: Ctx,
  ref: Ref<typeof kind>,
  changes: { name?: string; tags?: InfinibandPartition['tags'] },
): Promise<InfinibandPartition> {
  const known = await loadAndAllow(ctx, kind, { ref, verb: 'write', find: findPartition })
  const row = await lockPartition(ctx, known.id)
  if (changes.name !== undefined) await renameName(ctx, { id: row.id, kind, name: changes.name })
  const changed = { ...row, tags: changes.tags === undefined ? row.tags : changes.tags, updated_at: ctx.now }
  await updatePartition(ctx.db, changed)
  return presentOne(ctx, changed)
}

/** Deletes a partition that nothing refers to. */
export async function deleteInfinibandPartition(ctx: Ctx, ref: Ref<typeof kind>): Promise<void> {
  const known = await loadAndAllow(ctx, kind, { ref, verb: 'delete', find: findPartition })
  const row = await lockPartition(ctx, known.id)
  throwIfRefused(refuseInUse(kind, await ctx.referrers(kind, row.id, referrersShown)))
  await removePartition(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'infiniband_partitions')
}

/**
 * Locks a partition that another resource refers to against its deletion. Refuses `reference_not_found` if it is not
 * visible to the caller.
 */
export async function lockInfinibandPartitionShared(
  ctx: Ctx,
  ref: Ref<typeof kind>,
): Promise<Pick<PartitionRow, 'id' | 'workspace_id' | 'infiniband_fabric' | 'partition_key'>> {
  const id = await idToLoad(ctx, kind, ref)
  const locked = await ctx.lock(partitionShareLock, [id])
  const row = locked[0] === undefined ? undefined : await findPartition(ctx.db, locked[0])
  return row && mayName(ctx, row)
    ? row
    : refuse('reference_not_found', 'There is no such partition.', '_preview_infiniband_partition')
}

/** The fabrics and keys of partitions, by id, for placement and the desired state of hosts. */
export async function partitionsForHosts(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, { infiniband_fabric: string; partition_key: number }>> {
  const rows = ids.length === 0 ? [] : await listPartitionKeys(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

async function insertUnderFreeKey(ctx: Ctx, row: Omit<PartitionRow, 'partition_key'>): Promise<number> {
  for (let attempt = 0; attempt < insertTries; attempt++) {
    const key = await insertPartition(ctx.db, row)
    if (key !== undefined) return key
  }
  refuse('limit_exceeded', 'This fabric has no free partition key.', 'infiniband_fabric')
}

async function lockPartition(ctx: Ctx, id: Id<typeof kind>): Promise<PartitionRow> {
  const [, row] = await Promise.all([ctx.lock(partitionLock, [id]), findPartition(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: PartitionRow): Promise<InfinibandPartition> {
  const [shown] = await present(ctx, [row])
  return shown as InfinibandPartition
}

async function present(ctx: Ctx, rows: readonly PartitionRow[]): Promise<InfinibandPartition[]> {
  const names = await summaries(
    ctx,
    rows.flatMap(({ id, workspace_id }) => [id, workspace_id]),
  )
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, kind, row.id)
    const { id, infiniband_fabric, tags, created_at, updated_at } = row
    const workspace = pickSummary(names, 'workspace', row.workspace_id)
    return { object: kind, id, resource_path, workspace, name, infiniband_fabric, tags, created_at, updated_at }
  })
}
