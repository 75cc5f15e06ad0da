import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { TokenOrigin } from '../tokens/origins.rules.ts'

/** A new request. */
type NewDeviceLogin = {
  device_hash: Buffer
  user_code: string
  network: string
  client_name: string
  device: string
  address: string
  created_at: number
  expires_at: number
  interval_seconds: number
}

/** A request as its program and the person see it. */
export type DeviceLoginRow = Pick<
  NewDeviceLogin,
  'device_hash' | 'user_code' | 'client_name' | 'device' | 'address' | 'expires_at' | 'interval_seconds'
> & {
  state: 'pending' | 'approved' | 'denied'
  milliseconds_since_poll: number | null
  account_id: string | null
  user_id: Id<'user'> | null
  authenticated_at: number | null
} & TokenOrigin

/** Who approves a request, and what the session descends from. */
type Approval = TokenOrigin & {
  account_id: string
  user_id: Id<'user'>
  authenticated_at: number
}

/** How many requests are open. */
type OpenLogins = { of_network: number; of_wider: number; all: number }

const insertOne = statement<never>(
  'iam.insert_device_login',
  `insert into device_logins
     (device_hash, user_code, network, client_name, device, address, created_at, expires_at, interval_seconds, state)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending')
   on conflict do nothing`,
)

const realMilliseconds = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

const columns = `device_hash, user_code, client_name, device, address, expires_at, interval_seconds, state,
     ${realMilliseconds} - polled_at_ms as milliseconds_since_poll, account_id, user_id, authenticated_at, ends_by,
     opened_by_token_id, made_in_sessions, let_in_by`

const findByHash = statement<DeviceLoginRow>(
  'iam.find_device_login',
  `select ${columns}
   from device_logins
   where device_hash = $1`,
)

const findByCode = statement<DeviceLoginRow>(
  'iam.find_device_login_by_code',
  `select ${columns}
   from device_logins
   where user_code = $1 and state = 'pending' and expires_at > $2`,
)

const lockNetwork = statement<never>(
  'iam.lock_device_logins_of_network',
  "select pg_advisory_xact_lock(hashtextextended('device logins of ' || $1, 0))",
)

// The networks of a wider one begin with it and a colon. `;` comes after the colon, so they are a range of an index.
const countOpenOnes = statement<OpenLogins>(
  'iam.count_device_logins',
  `select
     (select count(*) from device_logins where network = $1 and expires_at > $2) as of_network,
     (
       select count(*)
       from device_logins
       where network >= $4 || ':' and network < $4 || ';' and expires_at > $2
     ) as of_wider,
     (
       select count(*)
       from (
         select 1
         from device_logins
         where expires_at > $2
         limit $3
       ) o
     ) as all`,
)

const removeOldest = statement<never>(
  'iam.remove_expired_device_logins',
  `delete from device_logins
   where device_hash in (
     select device_hash
     from device_logins
     where expires_at <= $1
     order by expires_at
     limit 100
     for update skip locked
   )`,
)

const recordPoll = statement<never>(
  'iam.record_device_poll',
  `update device_logins
   set polled_at_ms = ${realMilliseconds}, interval_seconds = coalesce($2, interval_seconds)
   where device_hash = $1`,
)

const removeOne = statement<never>(
  'iam.remove_device_login',
  `delete from device_logins
   where device_hash = $1`,
)

const removeOfUser = statement<never>(
  'iam.remove_device_logins_of_user',
  `delete from device_logins
   where user_id = $1`,
)

const removeOfAccount = statement<never>(
  'iam.remove_device_logins_of_account',
  `delete from device_logins
   where account_id = $1`,
)

const approveOne = statement<never>(
  'iam.approve_device_login',
  `update device_logins
   set state = 'approved', account_id = $3, user_id = $4, authenticated_at = $5, ends_by = $6, opened_by_token_id = $7,
     made_in_sessions = $8, let_in_by = $9
   where user_code = $1 and state = 'pending' and expires_at > $2`,
)

const denyOne = statement<never>(
  'iam.deny_device_login',
  `update device_logins
   set state = 'denied'
   where user_code = $1 and state = 'pending' and expires_at > $2`,
)

/** Inserts a request. False if its user code is that of another one. */
export async function insertDeviceLogin(db: Db, row: NewDeviceLogin): Promise<boolean> {
  const { device_hash, user_code, network, client_name, device, address, created_at, expires_at } = row
  const sent = [device_hash, user_code, network, client_name, device, address]
  return (await db.run(insertOne, [...sent, created_at, expires_at, row.interval_seconds])) === 1
}

/** A request by the hash of its device code. */
export function findDeviceLogin(db: Db, deviceHash: Buffer): Promise<DeviceLoginRow | undefined> {
  return db.row(findByHash, [deviceHash])
}

/** An open request by its user code. */
export function findOpenLogin(db: Db, userCode: string, now: number): Promise<DeviceLoginRow | undefined> {
  return db.row(findByCode, [userCode, now])
}

/**
 * How many requests are open: of a network, of a wider one that it is in, and of all up to a number. The widest is
 * locked until the transaction ends. Those that other networks make at this moment are not among all.
 */
export async function countOpenLogins(
  db: Db,
  { network, wider, now, most }: { network: string; wider: string | undefined; now: number; most: number },
): Promise<OpenLogins> {
  await db.run(lockNetwork, [wider ?? network])
  const counted = await db.row(countOpenOnes, [network, now, most, wider ?? null])
  return counted ?? { of_network: 0, of_wider: 0, all: 0 }
}

/** Deletes some of the expired requests, more than one request adds. */
export function removeExpiredLogins(db: Db, now: number): Promise<number> {
  return db.run(removeOldest, [now])
}

/** Records a poll. A new interval replaces the one before. */
export function recordDevicePoll(db: Db, deviceHash: Buffer, intervalSeconds: number | undefined): Promise<number> {
  return db.run(recordPoll, [deviceHash, intervalSeconds ?? null])
}

/** Deletes a request. False if it has gone already. */
export async function removeDeviceLogin(db: Db, deviceHash: Buffer): Promise<boolean> {
  return (await db.run(removeOne, [deviceHash])) === 1
}

/** Deletes the requests that a user has approved. */
export function removeLoginsOf(db: Db, userId: string): Promise<number> {
  return db.run(removeOfUser, [userId])
}

/** Deletes the requests that users of an account have approved. */
export function removeLoginsIn(db: Db, accountId: string): Promise<number> {
  return db.run(removeOfAccount, [accountId])
}

/** Approves an open request. False if it is open no more. */
export async function approveDeviceLogin(
  db: Db,
  { user_code, now, by }: { user_code: string; now: number; by: Approval },
): Promise<boolean> {
  const { account_id, user_id, authenticated_at, ends_by, opened_by_token_id, made_in_sessions, let_in_by } = by
  const person = [account_id, user_id, authenticated_at]
  const values = [user_code, now, ...person, ends_by, opened_by_token_id, made_in_sessions, let_in_by]
  return (await db.run(approveOne, values)) === 1
}

/** Denies an open request. False if it is open no more. */
export async function denyDeviceLogin(db: Db, userCode: string, now: number): Promise<boolean> {
  return (await db.run(denyOne, [userCode, now])) === 1
}
