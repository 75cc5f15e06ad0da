import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Ctx, Referrer } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import type { StatusColumns } from './automation-status.rules.ts'
import type { DeploymentRow } from './deployments.rules.ts'

/** A column that refers to another resource. */
export type DeploymentReference = 'pool_id' | 'sku_id' | 'instance_template_id' | 'workspace_id' | 'account_id'

const columns = `d.id, d.account_id, d.workspace_id, d.kind, d.pool_id, d.sku_id, d.instance_template_id, d.enabled,
  d.target_instance_count, d.instance_name_template, d.max_buy_hourly_micros::numeric as max_buy_hourly_micros,
  d.status_state, d.status_code, d.status_message, d.failures, d.retry_at, d.created_at, d.updated_at`

const selectDeployment = statement<DeploymentRow>(
  'automation.find_deployment',
  `select ${columns}
   from deployments d
   where d.id = $1 and d.deleted_at is null`,
)
// Listed, because a later migration may add a column with a default, and `n.*` would write null into it.
const insertedColumns = `id, account_id, workspace_id, kind, pool_id, sku_id, instance_template_id, enabled,
     target_instance_count, instance_name_template, max_buy_hourly_micros, status_state, status_code, status_message,
     failures, retry_at, created_at, updated_at`
const insertRow = statement<never>(
  'automation.insert_deployment',
  `insert into deployments (${insertedColumns})
   select ${insertedColumns}
   from jsonb_populate_record(null::deployments, $1::jsonb) n`,
)
const updateRow = statement<never>(
  'automation.update_deployment',
  `update deployments
   set instance_template_id = $2, enabled = $3, target_instance_count = $4, instance_name_template = $5,
     max_buy_hourly_micros = $6, updated_at = $7
   where id = $1`,
)
const updateStatusRow = statement<never>(
  'automation.update_deployment_status',
  `update deployments
   set status_state = $2, status_code = $3, status_message = $4, failures = $5, retry_at = $6
   where id = $1`,
)
const removeRow = statement<never>(
  'automation.remove_deployment',
  `update deployments
   set deleted_at = $2
   where id = $1`,
)

const selectTargets = statement<{ id: Id<'deployment'>; target: number }>(
  'automation.list_deployment_targets',
  `select id, target_instance_count as target
   from deployments
   where enabled and retry_at is null and deleted_at is null
   order by id`,
)

/** Taken to change or delete a deployment. */
export const deploymentLock = defineLock(
  'deployment',
  'claimed_work',
  `select id
   from deployments
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken by a step of a deployment. Skips a deployment that another transaction has locked. */
export const deploymentStepLock = defineLock(
  'deployment.step',
  'claimed_work',
  `select id
   from deployments
   where id = any($1) and deleted_at is null
   order by id
   for update skip locked`,
)

/** A deployment of any account that is not deleted. */
export function findDeployment(db: Db, id: string): Promise<DeploymentRow | undefined> {
  return db.row(selectDeployment, [id])
}

export async function insertDeployment(db: Db, row: DeploymentRow): Promise<void> {
  const max_buy_hourly_micros = row.max_buy_hourly_micros?.toString() ?? null
  await db.run(insertRow, [JSON.stringify({ ...row, max_buy_hourly_micros })])
}

export async function updateDeployment(db: Db, row: DeploymentRow): Promise<void> {
  const { id, instance_template_id, enabled, target_instance_count, instance_name_template } = row
  const change = [instance_template_id, enabled, target_instance_count, instance_name_template]
  await db.run(updateRow, [id, ...change, row.max_buy_hourly_micros, row.updated_at])
}

/** Records the status after a step. Leaves `updated_at`, which shows changes by callers. */
export async function updateDeploymentStatus(db: Db, id: string, status: StatusColumns): Promise<void> {
  const { status_state, status_code, status_message, failures, retry_at } = status
  await db.run(updateStatusRow, [id, status_state, status_code, status_message, failures, retry_at])
}

export async function removeDeployment(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the deployments that match `where`. */
export function listDeployments(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<DeploymentRow>> {
  where.add('d.deleted_at is null')
  const select = `select ${columns}
     from deployments d`
  return readPage<DeploymentRow>(ctx, { prefix: 'deplc', query, select, where, sort: newestFirst('d') })
}

/** The targets of enabled deployments that do not wait after a refusal. */
export function listTargets(db: Db): Promise<{ id: Id<'deployment'>; target: number }[]> {
  return db.rows(selectTargets)
}

/** The deployments that refer to a resource, at most `limit`. */
export async function listDeploymentReferrers(
  db: Db,
  column: DeploymentReference,
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `automation.list_deployments_by_${column}`,
      `select id, account_id
       from deployments
       where ${column} = $1 and deleted_at is null
       order by id
       limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'deployment', ...row }))
}
