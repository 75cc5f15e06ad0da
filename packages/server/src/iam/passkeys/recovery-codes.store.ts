import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { LastingOrigin } from '../tokens/origins.rules.ts'

/** A code that was not used. */
type RecoveryCodeRow = LastingOrigin & {
  id: string
  account_id: string
  user_id: Id<'user'>
  secret_hash: Buffer
  created_at: number
}

const insertSome = statement<never>(
  'iam.insert_recovery_codes',
  `insert into recovery_codes
     (id, account_id, user_id, secret_hash, created_at, opened_by_token_id, made_in_sessions, let_in_by)
   select i, $2, $3, h, $5, $6, $7, $8
   from unnest($1::text[], $4::bytea[]) as codes (i, h)`,
)

const findOne = statement<RecoveryCodeRow>(
  'iam.find_recovery_code',
  `select id, account_id, user_id, secret_hash, created_at, opened_by_token_id, made_in_sessions, let_in_by
   from recovery_codes
   where id = $1`,
)

const countOfUser = statement<{ count: number }>(
  'iam.count_recovery_codes',
  `select count(*)::int as count
   from recovery_codes
   where user_id = $1`,
)

const removeOne = statement<never>(
  'iam.remove_recovery_code',
  `delete from recovery_codes
   where id = $1`,
)

const removeOfUser = statement<never>(
  'iam.remove_recovery_codes',
  `delete from recovery_codes
   where user_id = $1`,
)

/** Inserts the codes of a user. */
export function insertRecoveryCodes(
  db: Db,
  codes: readonly { readonly id: string; readonly secret_hash: Buffer }[],
  { account_id, user_id, created_at, ...origin }: Omit<RecoveryCodeRow, 'id' | 'secret_hash'>,
): Promise<number> {
  const [ids, hashes] = [codes.map(({ id }) => id), codes.map(({ secret_hash }) => secret_hash)]
  const { opened_by_token_id, made_in_sessions, let_in_by } = origin
  const origins = [opened_by_token_id, made_in_sessions, let_in_by]
  return db.run(insertSome, [ids, account_id, user_id, hashes, created_at, ...origins])
}

/** A code by the part that finds it. */
export function findRecoveryCode(db: Db, id: string): Promise<RecoveryCodeRow | undefined> {
  return db.row(findOne, [id])
}

/** How many codes of a user are left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return (await db.row(countOfUser, [userId]))?.count ?? 0
}

/** Deletes a code. False if it was used already. */
export async function removeRecoveryCode(db: Db, id: string): Promise<boolean> {
  return (await db.run(removeOne, [id])) === 1
}

/** Deletes the codes of a user. */
export function removeRecoveryCodesOf(db: Db, userId: string): Promise<number> {
  return db.run(removeOfUser, [userId])
}
