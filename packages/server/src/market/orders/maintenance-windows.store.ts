import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

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

const columns = `w.id, w.start_at, w.end_at, w.maintenance_type, w.title, w.description, w.action_message, w.sku_ids,
  w.created_at`

// A window without SKUs concerns all of them.
const selectNotices = statement<WindowRow>(
  'market.list_notices',
  `select ${columns}
   from maintenance_windows w
   where w.end_at > $1 and w.start_at < $2 and (w.sku_ids = '{}' or $3 = any(w.sku_ids))
   order by w.start_at, w.id`,
)
const insertRow = statement<never>(
  'market.insert_maintenance_window',
  `insert into maintenance_windows (id, start_at, end_at, maintenance_type, title, description, action_message,
     sku_ids, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const deleteRow = statement<never>(
  'market.remove_maintenance_window',
  `delete from maintenance_windows
   where id = $1`,
)

/** Maintenance windows of a SKU that overlap a time. */
export function listNotices(
  db: Db,
  { from, to, sku_id }: { from: number; to: number; sku_id: string },
): Promise<WindowRow[]> {
  return db.rows(selectNotices, [from, to, sku_id])
}

export async function insertWindow(db: Db, row: WindowRow): Promise<void> {
  const { id, start_at, end_at, maintenance_type, title, description, action_message, sku_ids, created_at } = row
  const params = [id, start_at, end_at, maintenance_type, title, description, action_message, sku_ids, created_at]
  await db.run(insertRow, params)
}

/** Removes a maintenance window; false where there is none. */
export async function removeWindow(db: Db, id: string): Promise<boolean> {
  return (await db.run(deleteRow, [id])) > 0
}

/** A page of maintenance windows, newest first. */
export function listWindows(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<WindowRow>> {
  return readPage<WindowRow>(ctx, {
    prefix: 'mwinc',
    query,
    select: `select ${columns} from maintenance_windows w`,
    where,
    sort: { columns: ['w.created_at', 'w.id'], direction: 'falling', keys: (row) => [row.created_at, row.id] },
  })
}
