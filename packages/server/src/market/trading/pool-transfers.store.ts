import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** An executed transfer. The schedule is edges: minute, count, minute, count, … */
export type TransferRow = {
  id: Id<'pool_transfer'>
  account_id: string
  from_pool_id: Id<'pool'>
  to_pool_id: Id<'pool'>
  /** The workspace of the source pool. It decides who may read the transfer. */
  workspace_id: Id<'workspace'>
  sku_id: Id<'sku'>
  schedule: number[]
  created_by_token_id: Id<'token'> | null
  created_at: number
}

const columns = `t.id, t.account_id, t.from_pool_id, t.to_pool_id, t.workspace_id, t.sku_id, t.schedule,
  t.created_by_token_id, t.created_at`

const insertRow = statement<never>(
  'market.insert_transfer',
  `insert into pool_transfers (id, account_id, from_pool_id, to_pool_id, workspace_id, sku_id, schedule,
     created_by_token_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const selectRow = statement<TransferRow>(
  'market.find_transfer',
  `select ${columns}
   from pool_transfers t
   where t.id = $1`,
)

export async function insertTransfer(db: Db, row: TransferRow): Promise<void> {
  await db.run(insertRow, [
    row.id,
    row.account_id,
    row.from_pool_id,
    row.to_pool_id,
    row.workspace_id,
    row.sku_id,
    JSON.stringify(row.schedule),
    row.created_by_token_id,
    row.created_at,
  ])
}

/** A transfer of any account. */
export function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db.row(selectRow, [id])
}

/** A page of transfers; `where` selects them. */
export function listTransfers(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<TransferRow>> {
  const select = `select ${columns} from pool_transfers t`
  return readPage<TransferRow>(ctx, { prefix: 'pxfrc', query, select, where, sort: newestFirst('t') })
}
