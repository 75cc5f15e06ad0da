/**
 * Wipes and fills a sandbox. Wiping runs as the owner of the tables, because the program's own role may neither
 * truncate tables nor lock them in access exclusive mode.
 */
import { type Db, statement } from '../../core/db/db.ts'
import { bumpAllVersions } from '../../core/db/snapshot-reader.ts'

/** The loaded world. `ids`: the ids of its notable resources, by name. */
export type WorldRow = { scenario: string; seed: number; ids: Record<string, string> }

/**
 * Tables that a wipe keeps: the schema version, the installation, the keys that recognise old cursors, the histories of
 * the database, the event days that are closed for writes, versions, the last run of the audits, and number sequences.
 */
const kept = [
  'schema_migrations',
  'installation',
  'cursor_keys',
  'histories',
  'history_positions',
  'closed_event_days',
  'versions',
  'reconcilers',
  'self_audit',
  'network_numbers',
  'sandbox_numbers',
]

const begin = statement<never>(null, 'begin')
const commit = statement<never>(null, 'commit')
const rollback = statement<never>(null, 'rollback')
const lockWorld = statement<never>(null, "select pg_advisory_lock(hashtext('bourse sandbox world'))")
const listTables = statement<{ name: string }>(
  null,
  `select format('%I', c.relname) as name
   from pg_class c
   where c.relnamespace = current_schema()::regnamespace
     and c.relkind in ('r', 'p')
     and not c.relispartition
     and c.relname <> all($1)
   order by c.relname`,
)
const restartNumbers = ['network_numbers', 'sandbox_numbers'].map((table) =>
  statement<never>(
    null,
    `update ${table}
     set last = 0`,
  ),
)

const selectWorld = statement<WorldRow>(
  'sandbox.find_world',
  `select scenario, seed, ids
   from sandbox_world`,
)
const insertWorld = statement<never>(
  'sandbox.insert_world',
  `with opened as (
     update sandbox_clock
     set builder = null
   )
   insert into sandbox_world (scenario, seed, ids)
   values ($1, $2, $3)`,
)

const placeRow = statement<never>(
  'sandbox.place_clock',
  `insert into sandbox_clock (real_anchor, business_anchor_ms, frozen, builder)
   values (bourse_real_now(), floor(bourse_real_now() / 60) * 60000 - $1, true, current_setting('bourse.process'))`,
)
const releaseRow = statement<never>(
  'sandbox.release_clock',
  `update sandbox_clock
   set business_anchor_ms = greatest(business_anchor_ms, floor(bourse_real_now() * 1000)),
     real_anchor = bourse_real_now(), rate = 1, frozen = false`,
)
const selectAny = statement<{ any: boolean }>(null, 'select exists (select from sandbox_clock) as any')

/** Waits until no other replica changes the world, then holds the lock until the connection ends. */
export async function acquireWorldLock(db: Db): Promise<void> {
  await db.row(lockWorld)
}

/**
 * Empties all tables and runs `alongside` in the same transaction. False if a running command holds a table. The wipe
 * does not wait for locks: waiting with some of the locks held would cause deadlocks with readers of several tables.
 */
export async function tryWipe(db: Db, alongside: () => Promise<void>): Promise<boolean> {
  const tables = (await db.rows(listTables, [kept])).map(({ name }) => name).join(', ')
  await db.run(begin)
  try {
    // Every command holds a share lock on the row of the clock from its start. The table locks therefore exclude all
    // commands of the old world.
    await db.run(statement(null, `lock table ${tables} in access exclusive mode nowait`))
    await db.run(statement(null, `truncate ${tables} restart identity`))
    for (const restart of restartNumbers) await db.run(restart)
    await bumpAllVersions(db)
    await alongside()
    await db.run(commit)
    return true
  } catch (error) {
    await db.run(rollback)
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

/** The loaded world; undefined while none is complete. */
export function findWorld(db: Db): Promise<WorldRow | undefined> {
  return db.row(selectWorld)
}

/** Records that the world is complete, and lets every process read its clock. */
export async function writeWorld(db: Db, { scenario, seed, ids }: WorldRow): Promise<void> {
  await db.run(insertWorld, [scenario, seed, JSON.stringify(ids)])
}

/**
 * Inserts the clock, frozen at `behindMs` milliseconds before the start of the current real minute. Only this process
 * can read it until {@link writeWorld} runs. Other processes start no request and no step without the time.
 */
export async function placeClock(db: Db, behindMs: number): Promise<void> {
  await db.run(placeRow, [behindMs])
}

/** Sets the clock to real time and resumes it at rate 1. It never moves backwards. */
export async function releaseClock(db: Db): Promise<void> {
  await db.run(releaseRow)
}

/** Whether the database has a sandbox clock. */
export async function hasClock(db: Db): Promise<boolean> {
  return (await db.row(selectAny))?.any ?? false
}
