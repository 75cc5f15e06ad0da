import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { type AccountRow, accountColumns } from '../names/owners.rules.ts'

const insertOne = statement<never>(
  'iam.insert_account',
  `insert into accounts (id, name, entity_type, trust_level, is_platform, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing`,
)

const findPlatform = statement<{ id: string }>(
  'iam.find_platform_account',
  `select id
   from accounts
   where is_platform`,
)

const updateOne = statement<never>(
  'iam.update_account',
  `update accounts
   set name = $2, entity_type = $3, trust_level = $4, is_frozen = $5, token_lifetime_max_days = $6
   where id = $1`,
)

/** Inserts an account. False if the id is taken, or if this would be a second platform account. */
export async function insertAccount(
  db: Db,
  row: Omit<AccountRow, 'is_frozen' | 'token_lifetime_max_days'>,
): Promise<boolean> {
  const { id, name, entity_type, trust_level, is_platform, created_at } = row
  return (await db.run(insertOne, [id, name, entity_type, trust_level, is_platform, created_at])) === 1
}

/** The id of the platform account; undefined if there is none. */
export async function findPlatformAccount(db: Db): Promise<string | undefined> {
  return (await db.row(findPlatform))?.id
}

/** Updates the columns of an account that can change. */
export function updateAccount(db: Db, row: AccountRow): Promise<number> {
  const { id, name, entity_type, trust_level, is_frozen, token_lifetime_max_days } = row
  return db.run(updateOne, [id, name, entity_type, trust_level, is_frozen, token_lifetime_max_days])
}

/** A page of all accounts, newest first. */
export function listAccounts(ctx: Ctx, query: AccountFilter & PageQuery, prefix = 'acctc'): Promise<Page<AccountRow>> {
  const where = conditions()
    .addIf('a.id = any($)', query.id)
    .checkIf('a.trust_level = $', query.trust_level)
    .checkIf('a.is_frozen = $', query.is_frozen)
  return readPage<AccountRow>(ctx, {
    prefix,
    query,
    select: `select ${accountColumns}
     from accounts a`,
    where,
    sort: newestFirst('a'),
  })
}

type AccountFilter = { id?: string[]; trust_level?: TrustLevel; is_frozen?: boolean }
