import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A transfer, executed when it was made. The schedule is edges: minute, count, minute, count, … */
export type TransferRow = {
  id: Id<'pool_transfer'>
  account_id: string
  from_pool_id: Id<'pool'>
  to_pool_id: Id<'pool'>
  /** Of the source; the right to see a transfer is asked for there. */
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
     created_by_token_id, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const selectRow = statement<TransferRow>(
  'market.find_transfer',
  `select ${columns} from pool_transfers t where t.id = $1`,
)

export async function insertTransfer(db: Db, row: TransferRow): Promise<void> {
  const { id, account_id, from_pool_id, to_pool_id, workspace_id, sku_id } = row
  const { schedule, created_by_token_id, created_at } = row
  const places = [id, account_id, from_pool_id, to_pool_id, workspace_id, sku_id]
  await db.run(insertRow, [...places, JSON.stringify(schedule), created_by_token_id, created_at])
}

/** A transfer of whatever account. */
export function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db.row(selectRow, [id])
}

/** A page of transfers; `where` says which. */
export function listTransfers(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<TransferRow>> {
  const select = `select ${columns} from pool_transfers t`
  return readPage<TransferRow>(ctx, { prefix: 'pxfrc', query, select, where, sort: newestFirst('t') })
}
