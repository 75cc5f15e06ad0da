import { type Db, statement } from '../../core/db/db.ts'

/** Sealed user data. `owner_id` is an instance or a template. */
type UserDataRow = {
  readonly owner_id: string
  readonly account_id: string
  readonly key_id: number
  readonly sealed: Buffer
}

/** Who read user data, and when. */
type UserDataReading = {
  readonly owner_id: string
  readonly account_id: string
  readonly token_id: string
  readonly request_id: string
  readonly read_at: number
}

const insertReading = statement<never>(
  'fleet.insert_user_data_reading',
  `insert into user_data_readings (owner_id, account_id, token_id, request_id, read_at)
   values ($1, $2, $3, $4, $5)`,
)
const insertRows = statement<never>(
  'fleet.insert_user_data',
  `insert into user_data (owner_id, account_id, key_id, sealed)
   select *
   from unnest($1::text[], $2::text[], $3::integer[], $4::bytea[])`,
)
const selectRow = statement<UserDataRow>(
  'fleet.find_user_data',
  `select owner_id, account_id, key_id, sealed
   from user_data
   where owner_id = $1`,
)
const countByKey = statement<{ key_id: number; count: number }>(
  'fleet.count_user_data_by_key',
  `select key_id, count(*)::integer as count
   from user_data
   group by key_id`,
)
const lockRowsOfOthers = statement<UserDataRow>(
  'fleet.lock_user_data_of_other_keys',
  `select owner_id, account_id, key_id, sealed
   from user_data
   where owner_id > $1 and key_id <> $2
   order by owner_id
   limit $3
   for update`,
)
const updateSealed = statement<never>(
  'fleet.put_sealed_user_data',
  `update user_data u
   set key_id = $3, sealed = n.sealed
   from unnest($1::text[], $2::bytea[]) as n(owner_id, sealed)
   where u.owner_id = n.owner_id`,
)
const removeRows = statement<never>(
  'fleet.remove_user_data',
  `delete from user_data
   where owner_id = any($1)`,
)

export async function insertUserData(db: Db, rows: readonly UserDataRow[]): Promise<void> {
  const column = <K extends keyof UserDataRow>(name: K) => rows.map((row) => row[name])
  await db.run(insertRows, [column('owner_id'), column('account_id'), column('key_id'), column('sealed')])
}

export function findUserData(db: Db, ownerId: string): Promise<UserDataRow | undefined> {
  return db.row(selectRow, [ownerId])
}

/** How many rows are sealed under each key. */
export function countUserDataByKey(db: Db): Promise<{ key_id: number; count: number }[]> {
  return db.rows(countByKey)
}

/** Locks the next rows after an owner that are sealed under other keys than one. */
export function lockUserDataOfOtherKeys(
  db: Db,
  { after, key_id, limit }: { after: string; key_id: number; limit: number },
): Promise<UserDataRow[]> {
  return db.rows(lockRowsOfOthers, [after, key_id, limit])
}

/** Replaces what is sealed in some rows. */
export async function putSealedUserData(
  db: Db,
  rows: readonly Pick<UserDataRow, 'owner_id' | 'sealed'>[],
  keyId: number,
): Promise<void> {
  await db.run(updateSealed, [rows.map(({ owner_id }) => owner_id), rows.map(({ sealed }) => sealed), keyId])
}

export async function removeUserData(db: Db, ownerIds: readonly string[]): Promise<void> {
  await db.run(removeRows, [ownerIds])
}

export async function insertUserDataReading(db: Db, reading: UserDataReading): Promise<void> {
  const { owner_id, account_id, token_id, request_id, read_at } = reading
  await db.run(insertReading, [owner_id, account_id, token_id, request_id, read_at])
}
