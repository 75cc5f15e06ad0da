import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { LastingOrigin } from '../tokens/origins.rules.ts'

/** A passkey of a user. */
export type PasskeyRow = LastingOrigin & {
  id: Id<'passkey'>
  account_id: string
  user_id: Id<'user'>
  name: string
  credential_id: Buffer
  public_key: Buffer
  signature_count: number
  transports: string[]
  is_backed_up: boolean
  created_at: number
  last_used_at: number | null
}

const columns = `id, account_id, user_id, name, credential_id, public_key, signature_count, transports, is_backed_up,
     created_at, last_used_at, opened_by_token_id, made_in_sessions, let_in_by`

const insertOne = statement<never>(
  'iam.insert_passkey',
  `insert into passkeys (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict do nothing`,
)

const findByCredential = statement<PasskeyRow>(
  'iam.find_passkey',
  `select ${columns}
   from passkeys
   where credential_id = $1`,
)

const listOfUser = statement<PasskeyRow>(
  'iam.list_passkeys',
  `select ${columns}
   from passkeys
   where user_id = $1
   order by created_at, id`,
)

const renameOne = statement<never>(
  'iam.rename_passkey',
  `update passkeys
   set name = $3
   where id = $1 and user_id = $2`,
)

// Two requests with one signature, or with a lower count than another one brought meanwhile, change one row once.
const recordOne = statement<never>(
  'iam.record_passkey_use',
  `update passkeys
   set signature_count = $2, is_backed_up = $3, last_used_at = $4
   where id = $1 and (signature_count < $2 or (signature_count = 0 and $2 = 0))`,
)

const removeOne = statement<never>(
  'iam.remove_passkey',
  `delete from passkeys
   where id = $1 and user_id = $2`,
)

/** Inserts a passkey. False if its credential is known already. */
export async function insertPasskey(db: Db, row: PasskeyRow): Promise<boolean> {
  const { id, account_id, user_id, name, credential_id, public_key, signature_count, transports, is_backed_up } = row
  const key = [id, account_id, user_id, name, credential_id, public_key, signature_count, transports, is_backed_up]
  const origin = [row.created_at, row.last_used_at, row.opened_by_token_id, row.made_in_sessions, row.let_in_by]
  return (await db.run(insertOne, [...key, ...origin])) === 1
}

/** A passkey by the id of its credential. */
export function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return db.row(findByCredential, [credentialId])
}

/** The passkeys of a user, oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db.rows(listOfUser, [userId])
}

/** Renames a passkey of a user. False if there is none. */
export async function renamePasskey(
  db: Db,
  { id, user_id, name }: { id: string; user_id: string; name: string },
): Promise<boolean> {
  return (await db.run(renameOne, [id, user_id, name])) === 1
}

/** Records a sign-in. False if the authenticator has counted back since. */
export async function recordPasskeyUse(
  db: Db,
  { id, signature_count, is_backed_up, last_used_at }: PasskeyUse,
): Promise<boolean> {
  return (await db.run(recordOne, [id, signature_count, is_backed_up, last_used_at])) === 1
}

type PasskeyUse = Pick<PasskeyRow, 'id' | 'signature_count' | 'is_backed_up' | 'last_used_at'>

/** Deletes a passkey of a user. False if there is none. */
export async function removePasskey(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<boolean> {
  return (await db.run(removeOne, [id, user_id])) === 1
}
