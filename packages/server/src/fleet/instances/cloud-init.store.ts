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

export async function removeUserData(db: Db, ownerIds: readonly string[]): Promise<void> {
  await db.run(removeRows, [ownerIds])
}

export async function insertUserDataReading(db: Db, reading: UserDataReading): Promise<void> {
  const { owner_id, account_id, token_id, request_id, read_at } = reading
  await db.run(insertReading, [owner_id, account_id, token_id, request_id, read_at])
}
