import type { Id } from '@bourse/api/kit/ids.ts'
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

/** The condition that an address is one of those of a parameter. The index of addresses serves it. */
const isAmong = (parameter: string) =>
  `lower(email) = any(array(select lower(form) from unnest(${parameter}::text[]) form))`

const findEmail = statement<{ found: boolean }>(
  'iam.is_email_taken',
  `select exists (
     select 1
     from users
     where account_id = $1 and ${isAmong('$2')} and deleted_at is null
   ) as found`,
)

const findAdmin = statement<{ id: Id<'user'> }>(
  'iam.find_admin_user',
  `select u.id
   from users u
   join grants g on g.principal_id = u.id and g.role_id = $2 and g.workspace_id is null
   where u.account_id = $1 and u.deleted_at is null and ($3::text[] is null or ${isAmong('$3')})
   order by u.created_at, u.id
   limit 1`,
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

/** Whether a user of an account has an email address, in one of its forms. */
export async function isEmailTaken(db: Db, accountId: string, emails: readonly string[]): Promise<boolean> {
  return (await db.row(findEmail, [accountId, emails]))?.found ?? false
}

/** A user by its id. */
export function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.row(findOne, [id])
}

/** The first user that holds the admin role `role_id` for its whole account, or the one of an address in some forms. */
export async function findAdminUser(
  db: Db,
  { account_id, role_id, emails }: { account_id: string; role_id: string; emails: readonly string[] | undefined },
): Promise<Id<'user'> | undefined> {
  return (await db.row(findAdmin, [account_id, role_id, emails ?? null]))?.id
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
  filter: {
    account_id: string | undefined
    ids: readonly string[] | undefined
    emails: readonly string[] | undefined
    query: PageQuery
  },
): Promise<Page<UserRow>> {
  const where = conditions()
    .add('u.deleted_at is null')
    .addIf('u.account_id = $', filter.account_id)
    .addIf('u.id = any($)', filter.ids)
    .addIf(isAmong('$'), filter.emails)
  return readPage<UserRow>(ctx, { prefix: 'usrc', query: filter.query, select, where, sort: newestFirst('u') })
}
