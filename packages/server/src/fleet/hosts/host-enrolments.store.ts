import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

export type EnrolmentRow = {
  id: Id<'host_enrolment'>
  account_id: string
  workspace_id: Id<'workspace'>
  sku_id: Id<'sku'>
  slots: number
  uses: number
  used: number
  key_id: number
  expires_at: number
  created_at: number
  ended_at: number | null
}

const columns = `e.id, e.account_id, e.workspace_id, e.sku_id, e.slots, e.uses, e.used, e.key_id, e.expires_at,
  e.created_at, e.ended_at`

const selectRow = statement<EnrolmentRow>(
  'fleet.find_enrolment',
  `select ${columns}
   from host_enrolments e
   where e.id = $1`,
)
const countByKey = statement<{ key_id: number; count: number }>(
  'fleet.count_host_enrolments_by_key',
  `select key_id, count(*)::integer as count
   from host_enrolments
   where ended_at is null
   group by key_id`,
)
const insertRow = statement<never>(
  'fleet.insert_enrolment',
  `insert into host_enrolments (id, account_id, workspace_id, sku_id, slots, uses, key_id, expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const useRow = statement<never>(
  'fleet.use_enrolment',
  `update host_enrolments
   set used = used + 1
   where id = $1`,
)
const endRow = statement<never>(
  'fleet.end_enrolment',
  `update host_enrolments
   set ended_at = $2
   where id = $1 and ended_at is null`,
)

/** Taken to use or end a permit. */
export const enrolmentLock = defineLock(
  'host_enrolment',
  'claimed_work',
  `select id
   from host_enrolments
   where id = any($1)
   order by id
   for update`,
)

/** How many permits that have not ended have a secret that is derived from each master key. */
export function countEnrolmentsByKey(db: Db): Promise<{ key_id: number; count: number }[]> {
  return db.rows(countByKey)
}

/** A permit, including one that has ended. */
export function findEnrolment(db: Db, id: string): Promise<EnrolmentRow | undefined> {
  return db.row(selectRow, [id])
}

export async function insertEnrolment(db: Db, row: EnrolmentRow): Promise<void> {
  const { id, account_id, workspace_id, sku_id, slots, uses, key_id, expires_at, created_at } = row
  await db.run(insertRow, [id, account_id, workspace_id, sku_id, slots, uses, key_id, expires_at, created_at])
}

/** Counts one more host that enrolled with a locked permit. */
export async function updateUsed(db: Db, id: string): Promise<void> {
  await db.run(useRow, [id])
}

/** Ends a permit. False if it had already ended. */
export async function updateEnded(db: Db, id: string, now: number): Promise<boolean> {
  return (await db.run(endRow, [id, now])) > 0
}

/** A page of the permits that match `where` and have not ended. */
export function listEnrolments(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<EnrolmentRow>> {
  where.add('e.ended_at is null').check('e.expires_at > $', ctx.now)
  const select = `select ${columns}
     from host_enrolments e`
  return readPage<EnrolmentRow>(ctx, { prefix: 'henrc', query, select, where, sort: newestFirst('e') })
}
