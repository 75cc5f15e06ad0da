import type {
  createDeployment as createContract,
  Deployment,
  listDeployments as listContract,
  updateDeployment as updateContract,
} from '@bourse/api/automation/deployments.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import { refuse } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import type { ReferrerTable } from '../core/work/references.ts'
import { lockMemberTemplate } from '../fleet/instances/deployment-members.service.ts'
import { endInstances, lockInstances } from '../fleet/instances/instance-changes.service.ts'
import { countMembers, listMembers, type Member } from '../fleet/instances/instances.service.ts'
import { listOwned, loadAndAllow } from '../iam/access/owned.service.ts'
import { allow, refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import {
  claimName,
  idToLoad,
  pickSummary,
  readNameTemplate,
  releaseName,
  renameName,
  resolveFilter,
  type Summary,
  summaries,
} from '../iam/names/names.service.ts'
import { isAccountFrozen } from '../iam/names/owners.service.ts'
import { findOwnPool, lockPoolShared } from '../market/pools/pools.service.ts'
import { findSkuFor, requireSku, type SkuSummary, skuSummaries, validateSku } from '../market/skus/skus.service.ts'
import { requireStep, showPrice } from '../market/trading/coverage.service.ts'
import { retryStateOf, statusColumns, statusOf } from './automation-status.rules.ts'
import { type DeploymentRow, type DeploymentView, permissionsOfChange, planDeployment } from './deployments.rules.ts'
import {
  type DeploymentReference,
  deploymentLock,
  deploymentStepLock,
  findDeployment,
  insertDeployment,
  listDeploymentReferrers,
  listDeployments as listRows,
  removeDeployment,
  updateDeploymentStatus,
  updateDeployment as updateRow,
} from './deployments.store.ts'
import { joinStatus } from './spot-buying.rules.ts'
import {
  acquireSpotMandate,
  beginBuying,
  buyingStatuses,
  changeBuying,
  endBuying,
  lockPoolBesideSpot,
  priceField,
  readMaxBuyPrice,
  refusePriceOfGeneric,
} from './spot-buying.service.ts'

/** The kind of due rows for a deployment. The key is its id. */
export const deploymentDue = 'automation.deployment'

const templateField = 'instance_name_template'
const kind = 'deployment'

/** Creates a deployment. A step then creates its instances. */
export async function createDeployment(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Deployment> {
  const { account_id } = callerOf(ctx)
  const { target_instance_count, enabled = true } = body
  const { wanted, max_buy_hourly_micros, known } = await readNewDeployment(ctx, body)
  const instance_name_template = readNameTemplate(body.instance_name_template, templateField)
  const { workspace_id } = known
  const sku = await requireSku(ctx, body.sku)
  requireStep(max_buy_hourly_micros, sku, { side: 'buy', field: priceField })
  await takeLimit(ctx, account_id, 'deployments')
  const id = ctx.newId(kind)
  // The locked pool prevents the deletion of its workspace, so the workspace needs no lock.
  const place = { pool_id: known.id, sku_id: sku.id }
  const pool = wanted === 'spot' ? await acquireSpotMandate(ctx, id, place) : await lockPoolBesideSpot(ctx, place)
  const template = await lockMemberTemplate(ctx, body.instance_template, { pool, sku })
  const shown_as = wanted === 'spot' ? { shown_as: 'spot_deployment' } : {}
  await claimName(ctx, { id, kind, account_id, workspace_id, name: body.name, ...shown_as })
  const params = { enabled, target_instance_count, failures: 0, retry_at: null, status_code: 'ok', status_message: '' }
  const view = { ...viewOf(ctx, params, []), is_sku_retired: false }
  const row: DeploymentRow = {
    id,
    account_id,
    workspace_id,
    kind: wanted,
    pool_id: pool.id,
    sku_id: sku.id,
    instance_template_id: template.id,
    enabled,
    target_instance_count,
    instance_name_template,
    max_buy_hourly_micros,
    ...statusColumns(planDeployment(view)),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  await insertDeployment(ctx.db, row)
  ctx.schedule(deploymentDue, id)
  if (row.kind === 'spot') await beginBuying(ctx, row)
  return presentOne(ctx, row)
}

/**
 * Reads what a new deployment needs before anything is locked: its kind, maximum price and pool. Refuses what the
 * caller may not create.
 */
export async function readNewDeployment(ctx: Ctx, body: Input<typeof createContract>['body']) {
  const { kind: wanted = 'generic' } = body
  readNameTemplate(body.instance_name_template, templateField)
  const max_buy_hourly_micros = wanted === 'spot' ? readMaxBuyPrice(body) : null
  const known = (await findOwnPool(ctx, body.pool)) ?? refuse('reference_not_found', 'There is no such pool.', 'pool')
  await allow(ctx, 'deployment:create', known)
  await allow(ctx, 'instance:create', known)
  if (wanted === 'spot') await allow(ctx, 'order:create', known)
  else refusePriceOfGeneric(body)
  return { wanted, max_buy_hourly_micros, known }
}

/** Lists the deployments that the caller may list. */
export async function listDeployments(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const pools = await resolveFilter(ctx, 'pool', query.pool === undefined ? undefined : [query.pool])
  const filters = { kind: query.kind, pool_id: pools }
  return listOwned(ctx, kind, { query, alias: 'd', filters, list: listRows, present })
}

/** Reads one deployment. */
export async function getDeployment(ctx: Ctx, ref: Ref<typeof kind>): Promise<Deployment> {
  const row = await loadAndAllow(ctx, kind, { ref, verb: 'read', find: findDeployment })
  return presentOne(ctx, row)
}

/** A deployment that the caller may change, without a lock. */
export function loadToChange(ctx: Ctx, ref: Ref<typeof kind>): Promise<DeploymentRow> {
  return loadAndAllow(ctx, kind, { ref, verb: 'write', find: findDeployment })
}

/** Changes a deployment. Another template applies only to later instances. */
export async function updateDeployment(
  ctx: Ctx,
  ref: Ref<typeof kind>,
  body: Input<typeof updateContract>['body'],
): Promise<Deployment> {
  const requested = body.instance_name_template
  const nameTemplate = requested === undefined ? undefined : readNameTemplate(requested, templateField)
  const price_micros = body[priceField] === undefined ? undefined : readMaxBuyPrice(body)
  const known = await loadToChange(ctx, ref)
  const row = await lockDeployment(ctx, known.id)
  await allowChange(ctx, row, { ...body, price_micros })
  if (row.kind === 'spot') await changeBuying(ctx, row, { enabled: body.enabled, price_micros })
  else refusePriceOfGeneric(body)
  const template = body.instance_template === undefined ? undefined : await validateTemplate(ctx, row, body)
  if (body.name !== undefined) await renameName(ctx, { id: row.id, kind, name: body.name })
  const changed: DeploymentRow = {
    ...row,
    instance_template_id: template?.id ?? row.instance_template_id,
    enabled: body.enabled ?? row.enabled,
    target_instance_count: body.target_instance_count ?? row.target_instance_count,
    instance_name_template: nameTemplate ?? row.instance_name_template,
    max_buy_hourly_micros: price_micros ?? row.max_buy_hourly_micros,
    updated_at: ctx.now,
    // The change can remove the reason of an earlier refusal, so the next step tries again without waiting.
    failures: 0,
    retry_at: null,
  }
  const status = statusColumns(planDeployment(await readView(ctx, changed)))
  await Promise.all([updateRow(ctx.db, changed), updateDeploymentStatus(ctx.db, row.id, status)])
  ctx.schedule(deploymentDue, row.id)
  if (row.kind === 'spot') await beginBuying(ctx, changed)
  return presentOne(ctx, { ...changed, ...status })
}

/**
 * Deletes a deployment, cancels its open orders and ends its instances, in one transaction (docs/guides/spot-fleets.md,
 * "Changing and ending it"). Bought capacity stays in the pool.
 */
export async function deleteDeployment(ctx: Ctx, ref: Ref<typeof kind>): Promise<void> {
  const known = await loadAndAllow(ctx, kind, { ref, verb: 'delete', find: findDeployment })
  const row = await lockDeployment(ctx, known.id)
  const { id, account_id } = row
  // Placing an order for the deployment requires its lock, so no order is added. Books are locked before instances.
  if (row.kind === 'spot') await endBuying(ctx, row)
  await Promise.all([removeDeployment(ctx, id), releaseName(ctx, id), returnLimit(ctx, account_id, 'deployments')])
  await endMembers(ctx, id)
}

/** Locks deployments to change them. */
export async function lockDeployments(ctx: Ctx, ids: readonly Id<typeof kind>[]): Promise<void> {
  await ctx.lock(deploymentLock, ids)
}

/** The deployment of a step, and whether the step has locked it; undefined if it was deleted. */
export async function claimDeployment(
  ctx: Ctx,
  id: string,
): Promise<{ row: DeploymentRow; is_locked: boolean } | undefined> {
  const [locked] = await ctx.lock(deploymentStepLock, [id])
  const row = await findDeployment(ctx.db, id)
  return row && { row, is_locked: locked !== undefined }
}

/** The input of the plan of a deployment, with its present members. */
export async function readView(ctx: Ctx, row: DeploymentRow): Promise<DeploymentView> {
  const [members, isFrozen, sku] = await Promise.all([
    listMembers(ctx, row.id),
    isAccountFrozen(ctx, row.account_id),
    findSkuFor(ctx, row.account_id, row.sku_id),
  ])
  const view = viewOf(ctx, row, members)
  return { ...view, is_enabled: row.enabled && !isFrozen, is_sku_retired: sku?.deleted_at !== null }
}

/** The name template of a fleet's members; undefined if the deployment was deleted. */
export async function findInstanceNameTemplate(ctx: Ctx, id: Id<typeof kind>): Promise<string | undefined> {
  return (await findDeployment(ctx.db, id))?.instance_name_template
}

/** The deployments that refer to a resource, by the kind of the resource. */
export const deploymentReferrers: ReferrerTable = {
  pool: referrersBy('pool_id'),
  sku: referrersBy('sku_id'),
  instance_template: referrersBy('instance_template_id'),
  workspace: referrersBy('workspace_id'),
  automations_of_pool: referrersBy('pool_id'),
}

function referrersBy(column: DeploymentReference) {
  return (ctx: Ctx, id: string, limit: number) => listDeploymentReferrers(ctx.db, column, id, limit)
}

type DeploymentParams = Pick<DeploymentRow, 'enabled' | 'target_instance_count' | RetryColumn>
type RetryColumn = 'failures' | 'retry_at' | 'status_code' | 'status_message'

function viewOf(ctx: Ctx, row: DeploymentParams, members: readonly Member[]): Omit<DeploymentView, 'is_sku_retired'> {
  const { enabled, target_instance_count } = row
  return { now: ctx.now, is_enabled: enabled, target_instance_count, members, retry: retryStateOf(row) }
}

/** Ends the living members of a fleet. The deployment is locked, so no step creates others meanwhile. */
async function endMembers(ctx: Ctx, id: Id<typeof kind>): Promise<void> {
  const locked = new Set<Id<'instance'>>()
  for (;;) {
    const members = (await listMembers(ctx, id)).map((member) => member.id)
    const fresh = members.filter((member) => !locked.has(member))
    // The loop repeats because a replacement may have added a successor before its member was locked.
    if (fresh.length === 0) {
      await endInstances(
        ctx,
        members.map((member) => ({ id: member, reason: 'deployment_deleted' as const })),
      )
      return
    }
    for (const member of await lockInstances(ctx, fresh)) locked.add(member)
    for (const member of fresh) locked.add(member)
  }
}

/**
 * Refuses a change whose effects the caller could not have without the deployment. Returns the permissions of these
 * effects.
 */
export async function allowChange(
  ctx: Ctx,
  row: DeploymentRow,
  change: Input<typeof updateContract>['body'] & { price_micros: bigint | undefined },
): Promise<Permission[]> {
  const ref = change.instance_template
  // An unknown template counts as another one, so that only callers that may change it learn whether it exists.
  const template = ref === undefined ? row.instance_template_id : await idToLoad(ctx, 'instance_template', ref)
  const needed = permissionsOfChange(row, {
    kind: row.kind,
    enabled: change.enabled ?? row.enabled,
    target_instance_count: change.target_instance_count ?? row.target_instance_count,
    instance_template_id: template,
    max_buy_hourly_micros: change.price_micros ?? row.max_buy_hourly_micros,
  })
  for (const permission of needed) await allow(ctx, permission, row)
  return needed
}

/** Checks the new template of a deployment, as at its creation, and locks it. */
async function validateTemplate(ctx: Ctx, row: DeploymentRow, body: Input<typeof updateContract>['body']) {
  // Does not lock the SKU: cancelling orders may have taken locks that rank after it.
  const sku = await validateSku(ctx, row.sku_id)
  const pool = await lockPoolShared(ctx, row.pool_id)
  return lockMemberTemplate(ctx, body.instance_template as Ref<'instance_template'>, { pool, sku })
}

/** Locks a deployment and reads it again, because it may have changed since the last read. */
async function lockDeployment(ctx: Ctx, id: Id<typeof kind>): Promise<DeploymentRow> {
  const [, row] = await Promise.all([ctx.lock(deploymentLock, [id]), findDeployment(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: DeploymentRow): Promise<Deployment> {
  const [shown] = await present(ctx, [row])
  return shown as Deployment
}

async function present(ctx: Ctx, rows: readonly DeploymentRow[]): Promise<Deployment[]> {
  const ids = rows.map(({ id }) => id)
  const related = rows.flatMap((row) => [row.id, row.workspace_id, row.pool_id, row.instance_template_id])
  const skuIds = rows.map(({ sku_id }) => sku_id)
  const spots = rows.filter((row) => row.kind === 'spot').map(({ id }) => id)
  const [names, skus, living, buying] = await Promise.all([
    summaries(ctx, related),
    skuSummaries(ctx, skuIds),
    countMembers(ctx, ids),
    buyingStatuses(ctx, spots),
  ])
  return rows.map((row) => {
    const bought = buying.get(row.id)
    const { object, name, resource_path } = names.get(row.id) as Summary<Deployment['object']>
    return {
      object,
      id: row.id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      pool: pickSummary(names, 'pool', row.pool_id),
      sku: skus.get(row.sku_id) as SkuSummary,
      instance_template: pickSummary(names, 'instance_template', row.instance_template_id),
      enabled: row.enabled,
      target_instance_count: row.target_instance_count,
      live_instance_count: living.get(row.id) ?? 0,
      instance_name_template: row.instance_name_template,
      ...(row.max_buy_hourly_micros === null ? {} : { [priceField]: showPrice(row.max_buy_hourly_micros) }),
      status: bought ? joinStatus(statusOf(row), bought) : statusOf(row),
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}
