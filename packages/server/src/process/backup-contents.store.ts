/**
 * What a database contains, in figures that a restored copy of it can be compared with. Reads tables of other areas, as
 * audits do. Rows are told apart by the transaction that wrote them, which a physical copy keeps: those before a given
 * one are the same rows in the copy, whatever was committed meanwhile.
 */
import { type Db, statement } from '../core/db/db.ts'

/** The sums of one book of the ledger. Amounts are decimal text of micro-dollars. */
type BookSum = { readonly book: string; readonly rows: number; readonly amount_micros: string }

/** The figures, without rows of the transaction `before_transaction` and later ones. */
type ContentFigures = {
  readonly before_transaction: string
  readonly day: string
  readonly ledger: readonly BookSum[]
  /** The sum of the positions of all event logs. Decimal text; null where the day is closed. */
  readonly event_positions: string | null
}

/** An image whose bytes belong to a backup. */
type StoredImage = { readonly id: string; readonly sha256: string; readonly size_bytes: number }

/** What the server of the database is, and whose database it is. */
export type DatabaseFacts = {
  readonly postgres_version: string
  readonly postgres_major: number
  readonly segment_bytes: number
  readonly installation_id: string
  /** Milliseconds by the real clock of the database. */
  readonly now: number
}

/**
 * Whether the row was written before transaction $1. The column has the lower half of the number; a row that is far
 * away from it in either direction is an old one.
 */
const isBefore = (row: string) => `case when ((${row}.xmin::text::bigint - $1::text::bigint) & 4294967295) < 2147483648
       then false else true end`

// An event raises the position of its log by one, so positions without the later events are those of before. A day that
// is closed has its events written anew, by a later transaction: which of them were there before can no longer be told.
const selectFigures = statement<ContentFigures>(
  'process.read_content_figures',
  `select $1::text as before_transaction, $2::text as day,
     (select coalesce(json_agg(json_build_object('book', b.book, 'rows', b.rows, 'amount_micros', b.amount)
        order by b.book), '[]')
      from (
        select l.book, count(*) as rows, sum(l.amount_micros)::text as amount
        from ledger l
        where ${isBefore('l')}
        group by l.book
      ) b) as ledger,
     case when not exists (select 1 from closed_event_days where stored_on >= $2::date) then (
       (select coalesce(sum(position), 0) from event_counters)
       - (select count(*) from events e where e.stored_on >= $2::date and not ${isBefore('e')})
     )::text end as event_positions`,
)
const selectHorizon = statement<{ before_transaction: string; day: string }>(
  'process.find_content_horizon',
  `select pg_snapshot_xmin(pg_current_snapshot())::text as before_transaction, bourse_today()::text as day
   from installation`,
)
const selectFacts = statement<DatabaseFacts>(
  'process.read_database_facts',
  `select current_setting('server_version') as postgres_version,
     current_setting('server_version_num')::integer / 10000 as postgres_major,
     pg_size_bytes(current_setting('wal_segment_size'))::integer as segment_bytes,
     id as installation_id,
     ceil(bourse_real_now() * 1000)::bigint as now
   from installation`,
)
const selectImages = statement<StoredImage>(
  'process.list_stored_images',
  `select id, sha256, size_bytes
   from images
   where deleted_at is null and sha256 is not null and state in ('completed', 'revoked') and id > $1
   order by id
   limit 1000`,
)
const selectDoors = statement<{ sessions: number; tokens: number; webhooks: number }>(
  'process.count_doors',
  `select (select count(*) from tokens where kind = 'session' and deleted_at is null) as sessions,
     (select count(*) from tokens where kind = 'service' and deleted_at is null) as tokens,
     (select count(*) from webhooks where deleted_at is null) as webhooks`,
)

/** Reads the figures up to now, in a snapshot, or up to where others were read. */
export async function readContentFigures(
  db: Db,
  until?: Pick<ContentFigures, 'before_transaction' | 'day'>,
): Promise<ContentFigures> {
  const horizon = until ?? (await db.row(selectHorizon))
  if (!horizon) throw new Error('This database belongs to no installation.')
  return (await db.row(selectFigures, [horizon.before_transaction, horizon.day])) as ContentFigures
}

/** Reads what the database is; undefined where no installation has used it. */
export function readDatabaseFacts(db: Db): Promise<DatabaseFacts | undefined> {
  return db.row(selectFacts)
}

/** Lists the images with stored bytes, page by page. */
export async function* listStoredImages(db: Db): AsyncGenerator<StoredImage[]> {
  for (let after = ''; ; ) {
    const page = await db.rows(selectImages, [after])
    yield page
    const last = page.at(-1)
    if (page.length < 1000 || !last) return
    after = last.id
  }
}

/** Counts what lets people and programs in, and what signs messages to receivers. */
export async function countDoors(db: Db): Promise<{ sessions: number; tokens: number; webhooks: number }> {
  return (await db.row(selectDoors)) as { sessions: number; tokens: number; webhooks: number }
}
