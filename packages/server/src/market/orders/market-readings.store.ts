import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A trade without its parties. */
export type TapeRow = {
  id: Id<'fill'>
  sku_id: Id<'sku'>
  price_micros: bigint
  schedule: number[]
  filled_at: number
}

/** The trades of a SKU in one bucket of time. */
export type BucketRow = {
  sku_id: Id<'sku'>
  start_at: number
  first_micros: bigint
  last_micros: bigint
  low_micros: bigint
  high_micros: bigint
  node_minutes: number
  value_micros: bigint
  fill_count: number
}

export type WindowRow = {
  id: Id<'maintenance_window'>
  start_at: number
  end_at: number
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  title: string
  description: string
  action_message: string | null
  sku_ids: Id<'sku'>[]
  created_at: number
}

const bucketColumns = `b.sku_id, b.start_at, b.first_micros::numeric as first_micros,
  b.last_micros::numeric as last_micros,
  b.low_micros::numeric as low_micros, b.high_micros::numeric as high_micros, b.node_minutes::bigint as node_minutes,
  b.value_micros, b.fill_count`
const windowColumns = `w.id, w.start_at, w.end_at, w.maintenance_type, w.title, w.description, w.action_message,
  w.sku_ids,
  w.created_at`

const selectBuckets = statement<BucketRow>(
  'market.list_price_buckets',
  `select ${bucketColumns} from (
     select f.sku_id, f.filled_at / $4 * $4 as start_at,
       (array_agg(f.price_micros order by f.filled_at, f.id))[1] as first_micros,
       (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1] as last_micros,
       min(f.price_micros) as low_micros, max(f.price_micros) as high_micros, sum(f.node_minutes) as node_minutes,
       sum(f.value_micros) as value_micros, count(*) as fill_count
     from fills f where f.sku_id = any($1) and f.filled_at >= $2 and f.filled_at < $3 group by f.sku_id, 2
   ) b order by b.start_at, b.sku_id`,
)
const selectNotices = statement<WindowRow>(
  'market.list_notices',
  `select ${windowColumns} from maintenance_windows w
   where w.end_at > $1 and w.start_at < $2 and (w.sku_ids = '{}' or $3 = any(w.sku_ids)) order by w.start_at, w.id`,
)
const insertWindowRow = statement<never>(
  'market.insert_maintenance_window',
  `insert into maintenance_windows (id, start_at, end_at, maintenance_type, title, description, action_message, sku_ids,
     created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const deleteWindowRow = statement<never>(
  'market.remove_maintenance_window',
  'delete from maintenance_windows where id = $1',
)

/** Trades that touch a window, newest first; `where` adds the rest. */
export function listTape(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<TapeRow>> {
  return readPage<TapeRow>(ctx, {
    prefix: 'fillc',
    list: 'orderbook_fills',
    query,
    select: `select f.id, f.sku_id, f.price_micros::numeric as price_micros, f.schedule, f.filled_at from fills f`,
    where,
    sort: { columns: ['f.filled_at', 'f.id'], direction: 'falling', keys: (row) => [row.filled_at, row.id] },
  })
}

/** What was traded in each bucket of fill time, oldest first. */
export function listBuckets(
  db: Db,
  { sku_ids, since, until, seconds }: { sku_ids: readonly string[]; since: number; until: number; seconds: number },
): Promise<BucketRow[]> {
  return db.rows(selectBuckets, [sku_ids, since, until, seconds])
}

/** Maintenance windows that overlap a time on a SKU. */
export function listNotices(
  db: Db,
  { from, to, sku_id }: { from: number; to: number; sku_id: string },
): Promise<WindowRow[]> {
  return db.rows(selectNotices, [from, to, sku_id])
}

export async function insertWindow(db: Db, row: WindowRow): Promise<void> {
  const { id, start_at, end_at, maintenance_type, title, description, action_message, sku_ids, created_at } = row
  const params = [id, start_at, end_at, maintenance_type, title, description, action_message, sku_ids, created_at]
  await db.run(insertWindowRow, params)
}

/** Removes a maintenance window; false where there is none. */
export async function removeWindow(db: Db, id: string): Promise<boolean> {
  return (await db.run(deleteWindowRow, [id])) > 0
}

/** A page of maintenance windows, newest first. */
export function listWindows(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<WindowRow>> {
  return readPage<WindowRow>(ctx, {
    prefix: 'mwinc',
    query,
    select: `select ${windowColumns} from maintenance_windows w`,
    where,
    sort: { columns: ['w.created_at', 'w.id'], direction: 'falling', keys: (row) => [row.created_at, row.id] },
  })
}
