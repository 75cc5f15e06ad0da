/** Wiping a sandbox, as the owner of its tables: the program's own role may neither truncate nor lock so. */
import { type Db, statement } from '../../core/db/db.ts'
import { bumpAllVersions } from '../../core/db/snapshot-reader.ts'

/** The world that was loaded last. */
export type WorldRow = { scenario: string; seed: number; ids: Record<string, string> }

/**
 * What outlives every world: the schema, what the database is, cursors that stay recognisable, which days of the log
 * take nothing more, versions, numbers.
 */
const kept = [
  'schema_migrations',
  'installation',
  'cursor_keys',
  'closed_event_days',
  'versions',
  'reconcilers',
  'network_numbers',
  'sandbox_numbers',
]

const begin = statement<never>(null, 'begin')
const commit = statement<never>(null, 'commit')
const rollback = statement<never>(null, 'rollback')
const lockWorld = statement<never>(null, "select pg_advisory_lock(hashtext('bourse sandbox world'))")
const listTables = statement<{ name: string }>(
  null,
  `select format('%I', c.relname) as name from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> all($1) order by c.relname`,
)
const restartNumbers = ['network_numbers', 'sandbox_numbers'].map((table) =>
  statement<never>(null, `update ${table} set last = 0`),
)

const selectWorld = statement<WorldRow>('sandbox.find_world', 'select scenario, seed, ids from sandbox_world')
const insertWorld = statement<never>(
  'sandbox.insert_world',
  `with opened as (update sandbox_clock set builder = null)
   insert into sandbox_world (scenario, seed, ids) values ($1, $2, $3)`,
)

const placeRow = statement<never>(
  'sandbox.place_clock',
  `insert into sandbox_clock (real_anchor, business_anchor_ms, frozen, builder)
   values (bourse_real_now(), floor(bourse_real_now() / 60) * 60000 - $1, true, current_setting('bourse.process'))`,
)
const releaseRow = statement<never>(
  'sandbox.release_clock',
  `update sandbox_clock set business_anchor_ms = greatest(business_anchor_ms, floor(bourse_real_now() * 1000)),
     real_anchor = bourse_real_now(), rate = 1, frozen = false`,
)
const selectAny = statement<{ any: boolean }>(null, 'select exists (select from sandbox_clock) as any')

/** Waits until no other replica changes the world. Held until the connection ends. */
export async function acquireWorldLock(db: Db): Promise<void> {
  await db.row(lockWorld)
}

/**
 * Empties all tables in one transaction, with what `along` adds to it. False where commands are under way: nothing is
 * waited for with some of the locks held, which would end in deadlocks with readers of many tables.
 */
export async function tryWipe(db: Db, alongside: () => Promise<void>): Promise<boolean> {
  const tables = (await db.rows(listTables, [kept])).map(({ name }) => name).join(', ')
  await db.run(begin)
  try {
    // Every command holds a share of the clock's row from its beginning on, so none of the old world outlives this.
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

/** The world as it was loaded; undefined where none is whole. */
export function findWorld(db: Db): Promise<WorldRow | undefined> {
  return db.row(selectWorld)
}

/** Says that a world is whole, and lets every process read its clock. */
export async function writeWorld(db: Db, { scenario, seed, ids }: WorldRow): Promise<void> {
  await db.run(insertWorld, [scenario, seed, JSON.stringify(ids)])
}

/**
 * Makes the clock, standing still so many milliseconds before the running real minute. It tells the time to nobody
 * but this process until the world is written down as whole, and without the time no request or step begins.
 */
export async function placeClock(db: Db, behind_ms: number): Promise<void> {
  await db.run(placeRow, [behind_ms])
}

/** Lets the clock go on with real time. */
export async function releaseClock(db: Db): Promise<void> {
  await db.run(releaseRow)
}

/** Whether there is a clock. */
export async function hasClock(db: Db): Promise<boolean> {
  return (await db.row(selectAny))?.any ?? false
}
