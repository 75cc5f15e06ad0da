import { type Db, statement } from '../../core/db/db.ts'

/** The state of the sandbox clock: the business time and the real time in Unix milliseconds. */
type ClockRow = {
  now_ms: number
  real_now_ms: number
  frozen: boolean
  rate: number
  /** Unix seconds of the earliest due row; null where there is none. */
  next_due_at: number | null
}

/** The rate of the clock, and the seconds by which due work holds it back. */
export type ClockPace = { rate: number; lag_seconds: number }

const selectClock = statement<ClockRow>(
  'sandbox.read_clock',
  `select bourse_now_ms() as now_ms, floor(bourse_real_now() * 1000)::bigint as real_now_ms, frozen, rate,
     (select min(due_at) from due) as next_due_at
   from sandbox_clock`,
)
// The new anchor is the shown time, which due work may hold back. The clock therefore never jumps when it is set.
const updateClock = statement<never>(
  'sandbox.set_clock',
  `update sandbox_clock
   set business_anchor_ms = bourse_now_ms(), real_anchor = bourse_real_now(),
     frozen = coalesce($1, frozen), rate = coalesce($2, rate)`,
)
const moveClock = statement<never>(
  'sandbox.move_clock',
  `update sandbox_clock
   set business_anchor_ms = bourse_now_ms() + $1, real_anchor = bourse_real_now()`,
)
const selectPace = statement<ClockPace>(
  'sandbox.read_pace',
  `select rate, greatest(business_anchor_ms + case when frozen then 0
     else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end - bourse_now_ms(), 0)::bigint / 1000
     as lag_seconds
   from sandbox_clock`,
)
// The limit makes the count 0 or 1: the first due row ends the scan.
const countDue = statement<{ due: number }>(
  'sandbox.count_due',
  `select count(*) as due
   from (
     select 1
     from due
     where due_at <= (
       select (business_anchor_ms + case when frozen then 0
         else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end) / 1000
       from sandbox_clock
     )
     limit 1
   ) d`,
)

/** Reads the clock. Throws if the database has none. */
export async function readClock(db: Db): Promise<ClockRow> {
  const row = await db.row(selectClock)
  if (!row) throw new Error('This database has no sandbox clock.')
  return row
}

/** Reads the rate and the lag of the clock. Without a sandbox clock: real time without lag. */
export async function readPace(db: Db): Promise<ClockPace> {
  return (await db.row(selectPace)) ?? { rate: 1, lag_seconds: 0 }
}

/** Freezes or resumes the clock, or sets its rate. The clock continues from the time that it shows. */
export async function setClock(db: Db, { frozen, rate }: { frozen?: boolean; rate?: number }): Promise<void> {
  await db.run(updateClock, [frozen ?? null, rate ?? null])
}

/** Advances the clock. Work that falls due on the way holds the shown time back until it has run. */
export async function advanceClock(db: Db, milliseconds: number): Promise<void> {
  await db.run(moveClock, [milliseconds])
}

/** Whether any work is due, including work that holds the clock back. */
export async function hasDueWork(db: Db): Promise<boolean> {
  return ((await db.row(countDue))?.due ?? 0) > 0
}
