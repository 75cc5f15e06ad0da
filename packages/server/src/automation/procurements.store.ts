import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Ctx, Referrer } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import type { StatusColumns } from './automation-status.rules.ts'

export type ProcurementRow = StatusColumns & {
  id: Id<'procurement'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  /** Null for the number of live instances that the pool has of the SKU. */
  target: number | null
  min_sell_hourly_micros: bigint
  /** Null for an originating pool, which only sells. */
  max_buy_hourly_micros: bigint | null
  managed_window_minutes: number
  enabled: boolean
  created_at: number
  updated_at: number
}

/** A column that refers to another resource. */
export type ProcurementReference = 'pool_id' | 'sku_id' | 'workspace_id' | 'account_id'

const columns = `p.id, p.account_id, p.workspace_id, p.pool_id, p.sku_id, p.target,
  p.min_sell_hourly_micros::numeric as min_sell_hourly_micros,
  p.max_buy_hourly_micros::numeric as max_buy_hourly_micros,
  p.managed_window_minutes, p.enabled, p.status_state, p.status_code, p.status_message, p.failures, p.retry_at,
  p.created_at, p.updated_at`

const selectProcurement = statement<ProcurementRow>(
  'automation.find_procurement',
  `select ${columns}
   from procurements p
   where p.id = $1 and p.deleted_at is null`,
)
// Listed, because a later migration may add a column with a default, and `n.*` would write null into it.
const insertedColumns = `id, account_id, workspace_id, pool_id, sku_id, target, min_sell_hourly_micros,
     max_buy_hourly_micros, managed_window_minutes, enabled, status_state, status_code, status_message, failures,
     retry_at, created_at, updated_at`
const insertRow = statement<never>(
  'automation.insert_procurement',
  `insert into procurements (${insertedColumns})
   select ${insertedColumns}
   from jsonb_populate_record(null::procurements, $1::jsonb) n`,
)
const updateRow = statement<never>(
  'automation.update_procurement',
  `update procurements
   set sku_id = $2, target = $3, min_sell_hourly_micros = $4, max_buy_hourly_micros = $5, managed_window_minutes = $6,
     enabled = $7, updated_at = $8
   where id = $1`,
)
const updateStatusRow = statement<never>(
  'automation.update_procurement_status',
  `update procurements
   set status_state = $2, status_code = $3, status_message = $4, failures = $5, retry_at = $6
   where id = $1`,
)
const removeRow = statement<never>(
  'automation.remove_procurement',
  `update procurements
   set deleted_at = $2
   where id = $1`,
)
const selectFollowers = statement<{ id: Id<'procurement'> }>(
  'automation.list_procurements_that_follow',
  `select id
   from procurements
   where pool_id = $1 and sku_id = $2 and target is null and enabled and deleted_at is null
   order by id`,
)

const selectUnpaid = statement<{ id: Id<'procurement'> }>(
  'automation.list_unpaid_procurements',
  `select id
   from procurements
   where account_id = $1 and status_code in ('payment_required', 'budget_exhausted') and retry_at > $2
     and deleted_at is null
   order by id`,
)
const endWaitRows = statement<never>(
  'automation.end_waits_of_procurements',
  `update procurements
   set retry_at = $2
   where id = any($1) and retry_at > $2`,
)

/** Taken to change or delete a procurement. */
export const procurementLock = defineLock(
  'procurement',
  'claimed_work',
  `select id
   from procurements
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken by a step of a procurement. Skips a procurement that another transaction has locked. */
export const procurementStepLock = defineLock(
  'procurement.step',
  'claimed_work',
  `select id
   from procurements
   where id = any($1) and deleted_at is null
   order by id
   for update skip locked`,
)

/** A procurement of any account that is not deleted. */
export function findProcurement(db: Db, id: string): Promise<ProcurementRow | undefined> {
  return db.row(selectProcurement, [id])
}

export async function insertProcurement(db: Db, row: ProcurementRow): Promise<void> {
  const { min_sell_hourly_micros: sell, max_buy_hourly_micros: buy, ...plain } = row
  const prices = { min_sell_hourly_micros: String(sell), max_buy_hourly_micros: buy === null ? null : String(buy) }
  await db.run(insertRow, [JSON.stringify({ ...plain, ...prices })])
}

export async function updateProcurement(db: Db, row: ProcurementRow): Promise<void> {
  const { id, sku_id, target, min_sell_hourly_micros, max_buy_hourly_micros, managed_window_minutes, enabled } = row
  const prices = [min_sell_hourly_micros, max_buy_hourly_micros]
  await db.run(updateRow, [id, sku_id, target, ...prices, managed_window_minutes, enabled, row.updated_at])
}

/** Records the status after a step. Leaves `updated_at`, which shows changes by callers. */
export async function updateProcurementStatus(db: Db, id: string, status: StatusColumns): Promise<void> {
  const { status_state, status_code, status_message, failures, retry_at } = status
  await db.run(updateStatusRow, [id, status_state, status_code, status_message, failures, retry_at])
}

export async function removeProcurement(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the procurements that match `where`. */
export function listProcurements(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<ProcurementRow>> {
  where.add('p.deleted_at is null')
  const select = `select ${columns}
     from procurements p`
  return readPage<ProcurementRow>(ctx, { prefix: 'procc', query, select, where, sort: newestFirst('p') })
}

/** The enabled procurements of a pool and SKU whose target is the number of its instances. */
export function listFollowers(
  db: Db,
  { pool_id, sku_id }: Pick<ProcurementRow, 'pool_id' | 'sku_id'>,
): Promise<{ id: Id<'procurement'> }[]> {
  return db.rows(selectFollowers, [pool_id, sku_id])
}

/** The procurements of an account that wait for money or a budget. */
export async function listUnpaidProcurements({ db, now }: Ctx, accountId: string): Promise<Id<'procurement'>[]> {
  return (await db.rows(selectUnpaid, [accountId, now])).map(({ id }) => id)
}

/** Ends the wait of locked procurements after a refusal. */
export async function endProcurementWaits({ db, now }: Ctx, ids: readonly string[]): Promise<void> {
  await db.run(endWaitRows, [ids, now])
}

/** The procurements that refer to a resource, at most `limit`. */
export async function listProcurementReferrers(
  db: Db,
  column: ProcurementReference,
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `automation.list_procurements_by_${column}`,
      `select id, account_id
       from procurements
       where ${column} = $1 and deleted_at is null
       order by id
       limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'procurement', ...row }))
}
