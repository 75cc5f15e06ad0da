import { type Db, statement } from '../../core/db/db.ts'

/** The sandbox's clock as it stands. */
export type ClockRow = { now_ms: number; real_now_ms: number; frozen: boolean; rate: number }

/** How fast the clock runs, and how far due work holds it back behind where it could be. */
export type Pace = { rate: number; lag_seconds: number }

const selectClock = statement<ClockRow>(
  'sandbox.read_clock',
  `select bourse_now_ms() as now_ms, floor(bourse_real_now() * 1000)::bigint as real_now_ms, frozen, rate
   from sandbox_clock`,
)
// Re-anchored at the time that is shown, which due work may hold back: the clock never jumps by being set.
const updateClock = statement<never>(
  'sandbox.set_clock',
  `update sandbox_clock set business_anchor_ms = bourse_now_ms(), real_anchor = bourse_real_now(),
     frozen = coalesce($1, frozen), rate = coalesce($2, rate)`,
)
const moveClock = statement<never>(
  'sandbox.move_clock',
  'update sandbox_clock set business_anchor_ms = bourse_now_ms() + $1, real_anchor = bourse_real_now()',
)
const selectPace = statement<Pace>(
  'sandbox.read_pace',
  `select rate, greatest(business_anchor_ms + case when frozen then 0
     else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end - bourse_now_ms(), 0)::bigint / 1000
     as lag_seconds
   from sandbox_clock`,
)
const countDue = statement<{ due: number }>(
  'sandbox.count_due',
  `select count(*) as due from (select 1 from due where due_at <= (
     select (business_anchor_ms + case when frozen then 0
       else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end) / 1000
     from sandbox_clock) limit 1) d`,
)

/** Reads the clock. */
export async function readClock(db: Db): Promise<ClockRow> {
  const row = await db.row(selectClock)
  if (!row) throw new Error('This database has no sandbox clock.')
  return row
}

/** Reads how fast time passes. */
export async function readPace(db: Db): Promise<Pace> {
  return (await db.row(selectPace)) ?? { rate: 1, lag_seconds: 0 }
}

/** Stops the clock, lets it go on, or sets its rate; it goes on from the time that it shows. */
export async function setClock(db: Db, { frozen, rate }: { frozen?: boolean; rate?: number }): Promise<void> {
  await db.run(updateClock, [frozen ?? null, rate ?? null])
}

/** Moves the clock ahead; what is due on the way holds it back until it is done. */
export async function advanceClock(db: Db, milliseconds: number): Promise<void> {
  await db.run(moveClock, [milliseconds])
}

/** Whether anything is due that holds the clock back, or would. */
export async function hasDueWork(db: Db): Promise<boolean> {
  return ((await db.row(countDue))?.due ?? 0) > 0
}
