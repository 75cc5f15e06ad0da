/**
 * One small read that many requests share: the business clock, event counters and versions. It starts after the
 * last of its callers asked, so it sees every commit that was acknowledged before.
 */
import { soon } from '../base/clock.ts'
import { type Db, statement } from './db.ts'
import type { History } from './history.ts'

/** The result of one read. */
type Snapshot = {
  readonly now: number
  /** The position of the account's last event; 0 for an account without events. */
  position(accountId: string): number
  /** The value of a named version; 0 where it was never raised. */
  version(name: string): number
}

/** Joins the next read and returns its result. */
export type SnapshotReader = (wanted?: {
  account_id?: string
  account_ids?: Iterable<string>
  versions?: readonly string[]
}) => Promise<Snapshot>

// Always one row with text columns: one row for each value would cost more than the rest of the statement.
type SnapshotRow = {
  readonly now: number
  readonly positions: string | null
  readonly versions: string | null
  readonly history: number
  readonly flushed: number
}
const selectSnapshot = statement<SnapshotRow>(
  'core.read_snapshot',
  `select
     bourse_now() as now,
     (select string_agg(account_id || ' ' || position, ',')
      from event_counters
      where account_id = any($1)) as positions,
     (select string_agg(name || ' ' || value, ',')
      from versions
      where name = any($2)) as versions,
     (select coalesce(max(number), 0) from histories)::bigint as history,
     (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as flushed`,
)

const raiseVersion = statement<never>(
  'core.raise_version',
  `insert into versions (name, value)
   values ($1, 1)
   on conflict (name) do update set value = versions.value + 1`,
)

type WantedSnapshot = { readonly accounts: Set<string>; readonly versions: Set<string>; asked: number }
type SnapshotBatch = WantedSnapshot & { readonly answer: Promise<Snapshot> }

/** The most turns of the event loop that a batch waits for more callers. In one turn a few requests are handled. */
const turnsMax = 12

/** Resolves when the requests that have arrived by now have been handled. */
function turn(): Promise<void> {
  return new Promise(soon)
}

/** Creates the snapshot reader of one process over its shared read connections. `observe` gets what each read found. */
export function createSnapshotReader(db: Db, observe: History['observe'] = () => {}): SnapshotReader {
  let collecting: SnapshotBatch | undefined
  // Two reads may run at once, so that the database works on one while the responses of the other are written.
  let older: Promise<unknown> = Promise.resolve()
  let newer: Promise<unknown> = Promise.resolve()

  const start = (): SnapshotBatch => {
    const wanted: WantedSnapshot = { accounts: new Set(), versions: new Set(), asked: 0 }
    // The batch collects callers while two reads run, and then until a turn of the event loop brings no new caller. So
    // a single caller waits for one empty turn; with many callers the database does a fifth less work for a poll.
    // A failed read also starts the next batch.
    const collect = async () => {
      for (let turns = 0, before = -1; before < wanted.asked && turns < turnsMax; turns++) {
        before = wanted.asked
        await turn()
      }
      return await send(wanted)
    }
    const batch: SnapshotBatch = Object.assign(wanted, { answer: older.then(collect, collect) })
    older = newer
    newer = batch.answer
    return batch
  }
  const send = async (wanted: WantedSnapshot): Promise<Snapshot> => {
    collecting = undefined
    const row = await db.row(selectSnapshot, [[...wanted.accounts], [...wanted.versions]])
    if (!row) throw new Error('The snapshot read returned no row.')
    observe(row)
    const positions = valuesOf(row.positions)
    const versions = valuesOf(row.versions)
    return {
      now: row.now,
      position: (accountId) => positions.get(accountId) ?? 0,
      version: (name) => versions.get(name) ?? 0,
    }
  }
  return (wanted) => {
    collecting ??= start()
    collecting.asked++
    if (wanted?.account_id !== undefined) collecting.accounts.add(wanted.account_id)
    for (const accountId of wanted?.account_ids ?? []) collecting.accounts.add(accountId)
    for (const name of wanted?.versions ?? []) collecting.versions.add(name)
    return collecting.answer
  }
}

/** Parses `name value,name value`. Names contain neither spaces nor commas. */
function valuesOf(text: string | null): Map<string, number> {
  const values = new Map<string, number>()
  if (text === null) return values
  for (const pair of text.split(',')) {
    const at = pair.indexOf(' ')
    values.set(pair.slice(0, at), Number(pair.slice(at + 1)))
  }
  return values
}

const raiseVersions = statement<never>('core.raise_versions', 'update versions set value = value + 1')

/** Raises all versions, which invalidates every cache. */
export function bumpAllVersions(db: Db): Promise<number> {
  return db.run(raiseVersions)
}

/** Raises one version, which invalidates the caches that depend on it. */
export function bumpVersion(db: Db, name: string): Promise<number> {
  return db.run(raiseVersion, [name])
}
