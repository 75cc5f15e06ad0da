import { type Db, statement } from '../../core/db/db.ts'
import { entriesDigest, entryMonth } from '../../core/work/audit-log.ts'
import type { Seal, SealEnd, SealPart } from './seals.rules.ts'

type SealRow = Omit<Seal, 'digest'> & { readonly digest: Buffer }

const sealColumns = 'number, chain, sealed_at, until::text as until, parts, known_keys, digest, key_id, signature'

const selectNewest = statement<SealRow>(
  'iam.list_newest_seals',
  `select ${sealColumns}
   from audit_seals
   order by number desc
   limit $1`,
)
const selectByKey = statement<SealRow>(
  'iam.list_newest_seals_by_key',
  `select distinct on (key_id) ${sealColumns}
   from audit_seals
   order by key_id, number desc`,
)
const selectPage = statement<SealRow>(
  'iam.list_seals',
  `select ${sealColumns}
   from audit_seals
   where number > $1
   order by number
   limit $2`,
)
// No transaction below the oldest one in progress can still commit, so no entry below it can still appear.
const selectEnd = statement<{ until: string }>(
  'iam.find_end_of_writes',
  `select (((select coalesce(max(number), 0) from histories)::bigint << 48)
     + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as until`,
)
const selectNewestWrite = statement<{ until: string }>(
  'iam.find_newest_write',
  `select (((select coalesce(max(number), 0) from histories)::bigint << 48)
     + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text as until`,
)
const selectAny = statement<{ found: boolean }>(
  'iam.has_unsealed_entries',
  `select exists (
     select
     from audit_entries
     where write_order >= $1 and write_order < $2
   ) as found`,
)
const selectCut = statement<{ write_order: string }>(
  'iam.find_seal_cut',
  `select write_order::text as write_order
   from audit_entries
   where write_order >= $1 and write_order < $2
   order by write_order
   offset $3
   limit 1`,
)
const selectParts = statement<SealPart>(
  'iam.digest_audit_entries',
  `select ${entryMonth} as month, count(*) as entries, ${entriesDigest} as digest
   from audit_entries e
   where e.write_order >= $1 and e.write_order < $2
   group by month
   order by month`,
)
const countFrom = statement<{ entries: number }>(
  'iam.count_entries_from',
  `select count(*) as entries
   from audit_entries
   where write_order >= $1 or write_order < 0`,
)
const insertSealRow = statement<never>(
  'iam.insert_seal',
  `insert into audit_seals (number, chain, sealed_at, until, parts, known_keys, digest, key_id, signature)
   values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9)`,
)

const tryLock = statement<{ is_locked: boolean }>(
  'iam.lock_seals',
  "select pg_try_advisory_xact_lock(hashtext('bourse audit seals')) as is_locked",
)

const selectNow = statement<{ now: number }>('iam.read_trail_clock', 'select bourse_now() as now')

/** The business clock. */
export async function readNow(db: Db): Promise<number> {
  return ((await db.row(selectNow)) as { now: number }).now
}

/** Excludes other sealers until the end of the transaction. False while another one seals. */
export async function lockSeals(db: Db): Promise<boolean> {
  return (await db.row(tryLock))?.is_locked ?? false
}

/** The newest seals, the newest first. */
export async function listNewestSeals(db: Db, limit: number): Promise<Seal[]> {
  return (await db.rows(selectNewest, [limit])).map(sealOf)
}

/** The newest seal of each key that has signed one. */
export async function listNewestSealsByKey(db: Db): Promise<Seal[]> {
  return (await db.rows(selectByKey)).map(sealOf)
}

/** The seals behind a number, oldest first. */
export async function listSeals(db: Db, behind: number, limit: number): Promise<Seal[]> {
  return (await db.rows(selectPage, [behind, limit])).map(sealOf)
}

/** The write order below which no entry can still appear. */
export async function findEndOfWrites(db: Db): Promise<string> {
  return ((await db.row(selectEnd)) as { until: string }).until
}

/** The write order that no transaction has reached yet. */
export async function findNewestWrite(db: Db): Promise<string> {
  return ((await db.row(selectNewestWrite)) as { until: string }).until
}

/** A range of write orders, its end excluded. */
type WriteRange = { readonly from: string; readonly until: string }

/** Whether a range has entries. */
export async function hasEntries(db: Db, { from, until }: WriteRange): Promise<boolean> {
  return (await db.row(selectAny, [from, until]))?.found ?? false
}

/** The write order of the entry behind the first `most` of a range; undefined if the range has no more. */
export async function findCut(db: Db, { from, until }: WriteRange, most: number): Promise<string | undefined> {
  return (await db.row(selectCut, [from, until, most]))?.write_order
}

/** The entries of a range by month: their number and digest. */
export function digestEntries(db: Db, { from, until }: WriteRange): Promise<SealPart[]> {
  return db.rows(selectParts, [from, until])
}

/** How many entries claim to be written at or behind a place, or before all others: no seal would cover them. */
export async function countEntriesFrom(db: Db, writeOrder: string): Promise<number> {
  return (await db.row(countFrom, [writeOrder]))?.entries ?? 0
}

/** Adds a seal. */
export function insertSeal(db: Db, seal: Seal): Promise<number> {
  const { number, chain, sealed_at, until, parts, known_keys, digest, key_id, signature } = seal
  const [partsText, keysText] = [parts, known_keys].map((value) => JSON.stringify(value))
  const proof = [Buffer.from(digest, 'hex'), key_id, signature]
  return db.run(insertSealRow, [number, chain, sealed_at, until, partsText, keysText, ...proof])
}

/** The place from which the entries behind a seal follow. */
export function endOf(last: SealEnd | undefined): string {
  return last?.until ?? '0'
}

function sealOf(row: SealRow): Seal {
  return { ...row, digest: row.digest.toString('hex') }
}
