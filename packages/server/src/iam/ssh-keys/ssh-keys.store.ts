import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import type { LastingOrigin } from '../tokens/origins.rules.ts'
import type { NewSshKey } from './ssh-keys.rules.ts'

/** A key with its owner: a user or a token. */
export type SshKeyRow = NewSshKey & {
  id: Id<'ssh_key'>
  account_id: string
  owner_id: Id<'user'> | Id<'token'>
  owner_name: string
  created_at: number
}

const select = `select k.id, k.account_id, k.owner_id, n.name as owner_name, k.name, k.key_type, k.bits, k.public_key,
     k.fingerprint, k.created_at
   from ssh_keys k
   join names n on n.id = k.owner_id`

const insertOne = statement<never>(
  'iam.insert_ssh_key',
  `insert into ssh_keys (id, account_id, owner_id, name, key_type, bits, public_key, fingerprint, created_at,
     opened_by_token_id, made_in_sessions, let_in_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict do nothing`,
)

const findOne = statement<SshKeyRow>(
  'iam.find_ssh_key',
  `${select}
   where k.id = $1`,
)

const listSome = statement<SshKeyRow>(
  'iam.list_some_ssh_keys',
  `${select}
   where k.id = any($1)
   order by k.created_at, k.id`,
)

const listOfOwner = statement<SshKeyRow>(
  'iam.list_ssh_keys_of_owner',
  `${select}
   where k.owner_id = $1
   order by k.created_at, k.id`,
)

/** Inserts a key. False if the account has it already. */
export async function insertSshKey(db: Db, row: Omit<SshKeyRow, 'owner_name'> & LastingOrigin): Promise<boolean> {
  const { id, account_id, owner_id, name, key_type, bits, public_key, fingerprint, created_at } = row
  const key = [id, account_id, owner_id, name, key_type, bits, public_key, fingerprint, created_at]
  const origin = [row.opened_by_token_id, row.made_in_sessions, row.let_in_by]
  return (await db.run(insertOne, [...key, ...origin])) === 1
}

/** A key by its id. */
export function findSshKey(db: Db, id: string): Promise<SshKeyRow | undefined> {
  return db.row(findOne, [id])
}

/** Those of some keys that exist, oldest first. */
export function listSomeSshKeys(db: Db, ids: readonly string[]): Promise<SshKeyRow[]> {
  return db.rows(listSome, [ids])
}

/** The keys of a user or token, oldest first. */
export function listSshKeysOf(db: Db, ownerId: string): Promise<SshKeyRow[]> {
  return db.rows(listOfOwner, [ownerId])
}

/** A page of the keys of an account, newest first. */
export function listSshKeys(
  ctx: Ctx,
  filter: {
    readonly account_id: string | undefined
    readonly owner_id: string | undefined
    readonly ids: readonly string[] | undefined
    readonly fingerprint: string | undefined
    readonly query: PageQuery
  },
): Promise<Page<SshKeyRow>> {
  const where = conditions()
    .addIf('k.account_id = $', filter.account_id)
    .addIf('k.owner_id = $', filter.owner_id)
    .addIf('k.id = any($)', filter.ids)
    .addIf('k.fingerprint = $', filter.fingerprint)
  return readPage<SshKeyRow>(ctx, { prefix: 'sshkc', query: filter.query, select, where, sort: newestFirst('k') })
}
