import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'

/** The status of a spot deployment's buying, and its consecutive refusals. */
export type SpotBuyingRow = {
  deployment_id: Id<'deployment'>
  status_state: 'info' | 'warning' | 'error'
  status_code: string
  status_message: string
  failures: number
  /** When a refused order is tried again; null if none was refused. */
  retry_at: number | null
}

const columns = 'b.deployment_id, b.status_state, b.status_code, b.status_message, b.failures, b.retry_at'

const selectRows = statement<SpotBuyingRow>(
  'automation.list_spot_buying',
  `select ${columns}
   from spot_buying b
   where b.deployment_id = any($1)`,
)
const upsertRow = statement<never>(
  'automation.put_spot_buying',
  `insert into spot_buying (deployment_id, status_state, status_code, status_message, failures, retry_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (deployment_id) do update
   set status_state = excluded.status_state, status_code = excluded.status_code,
     status_message = excluded.status_message, failures = excluded.failures, retry_at = excluded.retry_at`,
)

const selectUnpaid = statement<{ deployment_id: Id<'deployment'> }>(
  'automation.list_unpaid_spot_buying',
  `select b.deployment_id
   from spot_buying b
   join deployments d on d.id = b.deployment_id
   where d.account_id = $1 and b.status_code in ('payment_required', 'budget_exhausted') and b.retry_at > $2
     and d.deleted_at is null
   order by b.deployment_id`,
)
const endWaitRows = statement<never>(
  'automation.end_waits_of_spot_buying',
  `update spot_buying
   set retry_at = $2
   where deployment_id = any($1) and retry_at > $2`,
)

const selectAt = statement<{ id: Id<'deployment'> }>(
  'automation.find_deployment_at',
  `select id
   from deployments
   where pool_id = $1 and sku_id = $2 and deleted_at is null
   order by id
   limit 1`,
)

/** The buying status of some spot deployments. Generic deployments have none. */
export function listSpotBuying(db: Db, deploymentIds: readonly string[]): Promise<SpotBuyingRow[]> {
  return db.rows(selectRows, [deploymentIds])
}

/** Records the buying status of a spot deployment. */
export async function putSpotBuying(db: Db, row: SpotBuyingRow): Promise<void> {
  const { deployment_id, status_state, status_code, status_message, failures, retry_at } = row
  await db.run(upsertRow, [deployment_id, status_state, status_code, status_message, failures, retry_at])
}

/** The spot deployments of an account that wait for money or a budget. */
export async function listUnpaidSpotBuying({ db, now }: Ctx, accountId: string): Promise<Id<'deployment'>[]> {
  return (await db.rows(selectUnpaid, [accountId, now])).map(({ deployment_id }) => deployment_id)
}

/** Ends the wait of locked spot deployments after a refusal. */
export async function endSpotBuyingWaits({ db, now }: Ctx, ids: readonly string[]): Promise<void> {
  await db.run(endWaitRows, [ids, now])
}

/** The first deployment by id on a pool and SKU. */
export async function findDeploymentAt(
  db: Db,
  { pool_id, sku_id }: { pool_id: string; sku_id: string },
): Promise<Id<'deployment'> | undefined> {
  return (await db.row(selectAt, [pool_id, sku_id]))?.id
}
