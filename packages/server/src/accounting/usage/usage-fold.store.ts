import { type Db, statement } from '../../core/db/db.ts'
import { jsonRows } from '../../core/db/json-rows.ts'
import { defineRowLock } from '../../core/work/locks.ts'
import type { LotRow } from './cost-lots.rules.ts'
import type { HourRow, PoolAndSku, UsageMove } from './usage-fold.rules.ts'

/** How far the moves of an account are folded. */
export type FoldRow = {
  readonly id: string
  readonly position: number
  readonly version: number
  /** Months before this time are closed, in seconds. */
  readonly open_month: number
}

/** A move as it is stored: what does not belong to its kind is null. */
export type MoveRow = {
  readonly kind: UsageMove['kind']
  readonly position: number
  readonly pool_id: string
  readonly to_pool_id: string | null
  readonly sku_id: string
  readonly fill_id: string | null
  readonly schedule: number[] | null
  readonly node_minutes: number | null
  readonly amount_micros: bigint | null
  readonly fee_micros: bigint | null
  readonly filled_at: number | null
  readonly minute: number | null
  readonly delta: number | null
}

/** A place, and the minutes in which capacity leaves it. */
export type CapacityEnd = PoolAndSku & { readonly from_minute: number; readonly to_minute: number }

const traded = `select case t.type when 'buy_fill' then 'bought' else 'sold' end as kind, t.position, o.pool_id,
       f.sku_id, f.id as fill_id, f.schedule, f.node_minutes,
       (case t.type when 'buy_fill' then -1 else 1 end * t.amount_micros)::numeric as amount_micros,
       t.fee_micros::numeric as fee_micros,
       f.filled_at
     from ledger_transactions t
     join fills f on f.id = t.fill_id
     join orders o on o.id = t.order_id
     where t.account_id = $1 and t.position > $2 and t.fill_id is not null
     order by t.position
     limit $3`
// Where more trades follow than are read, no change beyond the last one that is read may be counted before them.
const bound = `select case when count(*) = $3 then max(position) else 9223372036854775807 end as position
     from traded`
const both = `select kind, position, pool_id, null as to_pool_id, sku_id, fill_id, schedule, node_minutes,
     amount_micros, fee_micros, filled_at, null::bigint as minute, null::bigint as delta
   from traded
   union all
   select kind, position, pool_id, to_pool_id, sku_id, null, schedule, null, null, null, null, minute, delta
   from changed
   order by position`
const lotColumns = `l.id, l.pool_id, l.sku_id, l.purchase, l.fill_id, l.value_micros::numeric as value_micros,
     l.node_minutes, l.shape, l.boxes, l.start_minute, l.end_minute, l.left_minutes,
     l.cost_micros::numeric as cost_micros, l.sold_micros::numeric as sold_micros, l.counted_minute`
const lotShape = `n bigint, id bigint, pool_id text, sku_id text, purchase bigint, fill_id text, value_micros bigint,
     node_minutes bigint, shape jsonb, boxes jsonb, start_minute bigint, end_minute bigint, left_minutes bigint,
     cost_micros bigint, sold_micros bigint, counted_minute bigint`
const cellColumns = `bought_micros, sold_micros, fee_micros, cost_micros, owned_minutes, owned_nodes, run_minutes,
     run_nodes`

// One statement: its parts see the same state, so a transfer is never counted before a trade that preceded it.
const takeRows = statement<MoveRow>(
  'accounting.take_moves',
  `with traded as materialized (${traded}), bound as (${bound}), changed as (
     delete from usage_changes c
     using bound b
     where c.account_id = $1 and c.position <= b.position
     returning c.*
   )
   ${both}`,
)
const selectMoves = statement<MoveRow>(
  'accounting.list_moves',
  `with traded as materialized (${traded}), bound as (${bound}), changed as (
     select c.*
     from usage_changes c, bound b
     where c.account_id = $1 and c.position <= b.position
   )
   ${both}`,
)
const insertFold = statement<never>(
  'accounting.open_fold',
  `insert into usage_folds (account_id)
   values ($1)
   on conflict do nothing`,
)
const selectFold = statement<FoldRow>(
  'accounting.find_fold',
  `select account_id as id, position, version, open_month
   from usage_folds
   where account_id = $1`,
)
const updateFold = statement<never>(
  'accounting.update_fold',
  `update usage_folds
   set position = $2, version = version + 1
   where account_id = $1`,
)
const updateOpenMonth = statement<never>(
  'accounting.put_open_month',
  `update usage_folds
   set open_month = $2
   where account_id = $1`,
)
const selectToClose = statement<{ account_id: string }>(
  'accounting.list_accounts_to_close',
  `select account_id
   from usage_folds
   where open_month < $1
   order by open_month
   limit $2`,
)
const selectReached = statement<LotRow>(
  'accounting.list_reached_lots',
  `select ${lotColumns}
   from jsonb_to_recordset($1::jsonb) as r(pool_id text, sku_id text, from_minute bigint, to_minute bigint)
   join cost_lots l on l.pool_id = r.pool_id and l.sku_id = r.sku_id and l.end_minute > r.from_minute
     and l.start_minute < r.to_minute and l.left_minutes > 0`,
)
const selectUncounted = statement<LotRow>(
  'accounting.list_uncounted_lots',
  `select ${lotColumns}
   from cost_lots l
   where l.account_id = $1 and l.counted_minute < l.end_minute and l.counted_minute < $3 and l.end_minute > $2
     and l.left_minutes > 0
   order by l.counted_minute, l.id
   limit $4`,
)
// The order gives new lots rising ids: those of one purchase leave a pool in the order in which they came to be.
const insertLotRows = statement<never>(
  'accounting.insert_lots',
  `insert into cost_lots (account_id, pool_id, sku_id, purchase, fill_id, value_micros, node_minutes, shape, boxes,
     start_minute, end_minute, left_minutes, cost_micros, sold_micros, counted_minute)
   select $2, l.pool_id, l.sku_id, l.purchase, l.fill_id, l.value_micros, l.node_minutes, l.shape, l.boxes,
     l.start_minute, l.end_minute, l.left_minutes, l.cost_micros, l.sold_micros, l.counted_minute
   from jsonb_to_recordset($1::jsonb) as l(${lotShape})
   order by l.n`,
)
const updateLotRows = statement<never>(
  'accounting.update_lots',
  `update cost_lots x
   set boxes = l.boxes, left_minutes = l.left_minutes, cost_micros = l.cost_micros, sold_micros = l.sold_micros,
     counted_minute = l.counted_minute
   from jsonb_to_recordset($1::jsonb) as l(${lotShape})
   where x.id = l.id`,
)
const addHours = statement<never>(
  'accounting.add_hours',
  `insert into usage_hours (account_id, hour, pool_id, sku_id, ${cellColumns})
   select $2, h.hour, h.pool_id, h.sku_id, h.bought_micros, h.sold_micros, h.fee_micros, h.cost_micros,
     h.owned_minutes, h.owned_nodes, h.run_minutes, h.run_nodes
   from jsonb_to_recordset($1::jsonb) as h(hour bigint, pool_id text, sku_id text, bought_micros numeric,
     sold_micros numeric, fee_micros numeric, cost_micros numeric, owned_minutes bigint,
     owned_nodes bigint, run_minutes bigint, run_nodes bigint)
   on conflict (account_id, hour, pool_id, sku_id) do update
   set bought_micros = usage_hours.bought_micros + excluded.bought_micros,
     sold_micros = usage_hours.sold_micros + excluded.sold_micros,
     fee_micros = usage_hours.fee_micros + excluded.fee_micros,
     cost_micros = usage_hours.cost_micros + excluded.cost_micros,
     owned_minutes = usage_hours.owned_minutes + excluded.owned_minutes,
     owned_nodes = usage_hours.owned_nodes + excluded.owned_nodes,
     run_minutes = usage_hours.run_minutes + excluded.run_minutes,
     run_nodes = usage_hours.run_nodes + excluded.run_nodes`,
)
const pending = `select c.account_id
     from usage_changes c
     union
     select l.account_id
     from cost_lots l
     where l.counted_minute < l.end_minute and l.counted_minute < $1 and l.left_minutes > 0`
const selectPending = statement<{ account_id: string }>(
  'accounting.list_pending',
  `select account_id
   from (
     ${pending}
   ) b
   limit $2`,
)
const selectBehind = statement<{ account_id: string }>(
  'accounting.list_behind',
  `select account_id
   from (
     select m.account_id
     from money_accounts m
     left join usage_folds f on f.account_id = m.account_id
     where f.account_id is null or exists (
       select
       from ledger_transactions t
       where t.account_id = m.account_id and t.position > f.position and t.fill_id is not null
     )
     union
     ${pending}
   ) b
   limit $2`,
)

/** Held by a fold. A row that another fold holds is left out. */
export const foldLock = defineRowLock<FoldRow>(
  'usage.fold',
  'claimed_work',
  `select account_id as id, position, version, open_month
   from usage_folds
   where account_id = any($1)
   order by account_id
   for update skip locked`,
)

/** Inserts the fold row of an account that never had one. */
export async function openFoldRow(db: Db, accountId: string): Promise<void> {
  await db.run(insertFold, [accountId])
}

export function findFold(db: Db, accountId: string): Promise<FoldRow | undefined> {
  return db.row(selectFold, [accountId])
}

export async function putFold(db: Db, accountId: string, position: number): Promise<void> {
  await db.run(updateFold, [accountId, position])
}

/** Records that the months of an account before a time are closed. */
export async function putOpenMonth(db: Db, accountId: string, openMonth: number): Promise<void> {
  await db.run(updateOpenMonth, [accountId, openMonth])
}

/** The accounts of which months before a time are not closed. */
export async function listAccountsToClose(db: Db, openMonth: number, limit: number): Promise<string[]> {
  return (await db.rows(selectToClose, [openMonth, limit])).map(({ account_id }) => account_id)
}

/** The next moves of an account after a position, at most `limit` trades. Removes those that are not trades. */
export function takeMoves(db: Db, accountId: string, after: number, limit: number): Promise<MoveRow[]> {
  return db.rows(takeRows, [accountId, after, limit])
}

/** The same without removing any. */
export function listMoves(db: Db, accountId: string, after: number, limit: number): Promise<MoveRow[]> {
  return db.rows(selectMoves, [accountId, after, limit])
}

/** Lots of places that overlap the minutes in which capacity leaves them. */
export function listReachedLots(db: Db, reaches: readonly CapacityEnd[]): Promise<LotRow[]> {
  return reaches.length === 0 ? Promise.resolve([]) : db.rows(selectReached, [JSON.stringify(reaches)])
}

/** Lots whose cost within the minutes `[from, to)` is not part of the sums by hour yet. */
export function listUncountedLots(
  db: Db,
  accountId: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<LotRow[]> {
  return db.rows(selectUncounted, [accountId, from, to, limit])
}

export async function insertLots(db: Db, accountId: string, lots: readonly Omit<LotRow, 'id'>[]): Promise<void> {
  if (lots.length > 0) await db.run(insertLotRows, [jsonRows(lots.map((lot, n) => ({ ...lot, n }))), accountId])
}

export async function updateLots(db: Db, lots: readonly LotRow[]): Promise<void> {
  if (lots.length > 0) await db.run(updateLotRows, [jsonRows(lots)])
}

export async function addUsageHours(db: Db, accountId: string, rows: readonly HourRow[]): Promise<void> {
  if (rows.length > 0) await db.run(addHours, [jsonRows(rows), accountId])
}

/** Accounts with changes that wait for a fold, and those with lots that are not counted up to a minute. */
export async function listAccountsPending(db: Db, countedMinute: number, limit: number): Promise<string[]> {
  return (await db.rows(selectPending, [countedMinute, limit])).map(({ account_id }) => account_id)
}

/** The same, and accounts with trades that are not folded or without a fold. Probes each account with money. */
export async function listAccountsBehind(db: Db, countedMinute: number, limit: number): Promise<string[]> {
  return (await db.rows(selectBehind, [countedMinute, limit])).map(({ account_id }) => account_id)
}
