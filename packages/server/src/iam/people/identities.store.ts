import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { LastingOrigin } from '../tokens/origins.rules.ts'

/** Who a user is at an issuer. */
export type IdentityRow = LastingOrigin & {
  id: Id<'identity'>
  account_id: string
  user_id: Id<'user'>
  issuer: string
  subject: string
  provider: string
  email: string | null
  created_at: number
  last_used_at: number | null
}

const columns = `id, account_id, user_id, issuer, subject, provider, email, created_at, last_used_at,
     opened_by_token_id, made_in_sessions, let_in_by`

const insertOne = statement<never>(
  'iam.insert_identity',
  `insert into identities (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict do nothing`,
)

const findBySubject = statement<IdentityRow>(
  'iam.find_identity',
  `select ${columns}
   from identities
   where account_id = $1 and issuer = $2 and subject = $3`,
)

const listOfUser = statement<IdentityRow>(
  'iam.list_identities',
  `select ${columns}
   from identities
   where user_id = $1
   order by created_at, id`,
)

const recordOne = statement<never>(
  'iam.record_identity_use',
  `update identities
   set provider = $2, email = $3, last_used_at = $4
   where id = $1`,
)

const removeOne = statement<never>(
  'iam.remove_identity',
  `delete from identities
   where id = $1 and user_id = $2`,
)

/** Inserts an identity. False if the account has it already. */
export async function insertIdentity(db: Db, row: IdentityRow): Promise<boolean> {
  const { id, account_id, user_id, issuer, subject, provider, email, created_at, last_used_at } = row
  const who = [id, account_id, user_id, issuer, subject, provider, email]
  const origin = [row.opened_by_token_id, row.made_in_sessions, row.let_in_by]
  return (await db.run(insertOne, [...who, created_at, last_used_at, ...origin])) === 1
}

/** The identity of a subject in an account. */
export function findIdentity(
  db: Db,
  { account_id, issuer, subject }: Pick<IdentityRow, 'account_id' | 'issuer' | 'subject'>,
): Promise<IdentityRow | undefined> {
  return db.row(findBySubject, [account_id, issuer, subject])
}

/** The identities of a user, oldest first. */
export function listIdentities(db: Db, userId: string): Promise<IdentityRow[]> {
  return db.rows(listOfUser, [userId])
}

/** Records a sign-in. */
export function recordIdentityUse(
  db: Db,
  { id, provider, email, last_used_at }: Pick<IdentityRow, 'id' | 'provider' | 'email' | 'last_used_at'>,
): Promise<number> {
  return db.run(recordOne, [id, provider, email, last_used_at])
}

/** Deletes an identity of a user. False if there is none. */
export async function removeIdentity(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<boolean> {
  return (await db.run(removeOne, [id, user_id])) === 1
}
