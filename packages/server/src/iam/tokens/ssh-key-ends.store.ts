import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What keys descend from: tokens, and sessions by the ids by which things name them. */
export type SshKeyOpeners = { readonly token_ids: readonly string[]; readonly session_ids: readonly string[] }

/** A key that has just been deleted. */
export type EndedSshKey = { id: Id<'ssh_key'>; account_id: string }

const removeOne = statement<EndedSshKey>(
  'iam.remove_ssh_key',
  `delete from ssh_keys
   where id = $1
   returning id, account_id`,
)

const removeOfOwners = statement<EndedSshKey>(
  'iam.remove_ssh_keys_of_owners',
  `delete from ssh_keys
   where owner_id = any($1)
   returning id, account_id`,
)

const removeByOpeners = statement<EndedSshKey>(
  'iam.remove_ssh_keys_by_openers',
  `delete from ssh_keys
   where opened_by_token_id = any($1) or made_in_sessions && $2::text[]
   returning id, account_id`,
)

const removeLetInBy = statement<EndedSshKey>(
  'iam.remove_ssh_keys_let_in_by',
  `delete from ssh_keys
   where owner_id = $1 and let_in_by && $2::text[]
   returning id, account_id`,
)

/** Deletes one key. Empty if there is none. */
export function removeSshKey(db: Db, id: string): Promise<EndedSshKey[]> {
  return db.rows(removeOne, [id])
}

/** Deletes the keys of users and tokens. */
export function removeSshKeysOf(db: Db, ownerIds: readonly string[]): Promise<EndedSshKey[]> {
  return db.rows(removeOfOwners, [ownerIds])
}

/** Deletes the keys that were added by some tokens or in some sessions. */
export function removeSshKeysByOpeners(db: Db, { token_ids, session_ids }: SshKeyOpeners): Promise<EndedSshKey[]> {
  return db.rows(removeByOpeners, [token_ids, session_ids])
}

/** Deletes the keys of a user that were added after links of some users and tokens had let it in. */
export function removeSshKeysLetInBy(db: Db, ownerId: string, openers: readonly string[]): Promise<EndedSshKey[]> {
  return db.rows(removeLetInBy, [ownerId, openers])
}
