import { type Db, statement } from '../../core/db/db.ts'
import type { Tables } from '../../core/generated/tables.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A user that is not deleted. */
export type UserRow = Omit<Tables['users'], 'deleted_at'> & { name: string }

const select = `select u.id, u.account_id, n.name, u.email, u.first_name, u.last_name, u.created_at
   from users u
   join names n on n.id = u.id`

const insertOne = statement<never>(
  'iam.insert_user',
  `insert into users (id, account_id, email, first_name, last_name, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing`,
)

const findOne = statement<UserRow>(
  'iam.find_user',
  `${select}
   where u.id = $1 and u.deleted_at is null`,
)

const updateOne = statement<never>(
  'iam.update_user',
  `update users
   set first_name = $2, last_name = $3
   where id = $1`,
)

const markDeleted = statement<never>(
  'iam.remove_user',
  `update users
   set deleted_at = $2
   where id = $1`,
)

/** Inserts a user. False if the account already has a user with that email address. */
export async function insertUser(db: Db, row: Omit<UserRow, 'name'>): Promise<boolean> {
  const { id, account_id, email, first_name, last_name, created_at } = row
  return (await db.run(insertOne, [id, account_id, email, first_name, last_name, created_at])) === 1
}

/** A user by its id. */
export function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.row(findOne, [id])
}

/** Updates the first and last name of a user. */
export function updateUser(db: Db, row: UserRow): Promise<number> {
  return db.run(updateOne, [row.id, row.first_name, row.last_name])
}

/** Marks a user as deleted. The row is kept because resources show their creator. */
export function removeUser(db: Db, id: string, now: number): Promise<number> {
  return db.run(markDeleted, [id, now])
}

/** A page of the users of an account, newest first. */
export function listUsers(
  ctx: Ctx,
  filter: { account_id: string | undefined; ids: readonly string[] | undefined; query: PageQuery & { email?: string } },
): Promise<Page<UserRow>> {
  const where = conditions()
    .add('u.deleted_at is null')
    .addIf('u.account_id = $', filter.account_id)
    .addIf('u.id = any($)', filter.ids)
    .addIf('lower(u.email) = lower($)', filter.query.email)
  return readPage<UserRow>(ctx, { prefix: 'usrc', query: filter.query, select, where, sort: newestFirst('u') })
}
