import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Tables } from '../../core/generated/tables.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** An account. */
export type AccountRow = Tables['accounts'] & {
  entity_type: 'personal' | 'business' | null
  trust_level: TrustLevel
}

const columns = 'a.id, a.name, a.entity_type, a.trust_level, a.is_frozen, a.is_platform, a.created_at'

const accountLock = defineLock(
  'account',
  'accounts',
  'select id from accounts where id = any($1) order by id for no key update',
)

const insertOne = statement<never>(
  'iam.insert_account',
  `insert into accounts (id, name, entity_type, trust_level, is_platform, created_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
)

const findOne = statement<AccountRow>('iam.find_account', `select ${columns} from accounts a where a.id = $1`)

const findPlatform = statement<{ id: string }>('iam.find_platform_account', 'select id from accounts where is_platform')

const updateOne = statement<never>(
  'iam.update_account',
  'update accounts set name = $2, entity_type = $3, trust_level = $4, is_frozen = $5 where id = $1',
)

/** Writes a new account; false where the id is taken, or there is a platform account already and this is another. */
export async function insertAccount(db: Db, row: Omit<AccountRow, 'is_frozen'>): Promise<boolean> {
  const { id, name, entity_type, trust_level, is_platform, created_at } = row
  return (await db.run(insertOne, [id, name, entity_type, trust_level, is_platform, created_at])) === 1
}

/** An account by its id. */
export function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.row(findOne, [id])
}

/** The id of the platform account, once it is made. */
export async function findPlatformAccount(db: Db): Promise<string | undefined> {
  return (await db.row(findPlatform))?.id
}

/** Holds an account for changes to its limits, its admins or itself, in the order of locks. */
export async function lockAccount(ctx: Ctx, id: string): Promise<boolean> {
  return (await ctx.lock(accountLock, [id])).length > 0
}

/** Writes what can change of an account. */
export function updateAccount(db: Db, row: AccountRow): Promise<number> {
  return db.run(updateOne, [row.id, row.name, row.entity_type, row.trust_level, row.is_frozen])
}

/** A page of all accounts, newest first. */
export function listAccounts(ctx: Ctx, query: AccountFilter & PageQuery): Promise<Page<AccountRow>> {
  const where = conditions()
    .addIf('a.id = any($)', query.id)
    .addIf('a.trust_level = $', query.trust_level)
    .addIf('a.is_frozen = $', query.is_frozen)
  return readPage<AccountRow>(ctx, {
    prefix: 'acctc',
    query,
    select: `select ${columns} from accounts a`,
    where,
    sort: newestFirst('a'),
  })
}

type AccountFilter = { id?: string[]; trust_level?: TrustLevel; is_frozen?: boolean }
