/**
 * Deadlines and wake-ups as rows of `due`. A command writes them only together with its COMMIT, sorted and after every
 * other lock, so no command waits for such a row while it holds a lock that another needs.
 * Not this file's work: running due work (reconciler.ts).
 */
import { type Db, statement } from '../db/db.ts'

/** A row of `due` as a reconciler read it. */
export type DueRow = { kind: string; key: string; due_at: number; wakes: number; attempt: number }

/** The new state of a step's own row. */
export type StepEnd = { due_row: DueRow; next_at: number | undefined; attempt: number; last_error: string | null }

/** The schedule changes of one command, collected until its commit. */
export type DueChanges = {
  readonly set: Map<string, { kind: string; key: string; due_at: number }>
  readonly clear: Map<string, [string, string]>
}

// A time before the clock is raised to the clock: the sandbox clock jumps to the time of the next row, so an earlier
// row would set it back.
const setDue = statement<never>(
  'core.set_due',
  `insert into due (kind, key, due_at, wakes, attempt)
   select d.kind, d.key, greatest(d.due_at, (select bourse_now())), 1, 0
   from jsonb_to_recordset($1::jsonb) as d(kind text, key text, due_at bigint)
   order by d.kind, d.key
   on conflict (kind, key) do update set
     due_at = least(due.due_at, excluded.due_at),
     wakes = due.wakes + 1`,
)

const clearDue = statement<never>(
  'core.clear_due',
  `delete from due
   using jsonb_to_recordset($1::jsonb) as d(kind text, key text)
   where due.kind = d.kind and due.key = d.key`,
)

const endStep = statement<never>(
  'core.end_step',
  `update due set
     attempt = $4,
     last_error = $5,
     due_at = case when wakes = $3 then w.next_at else least(due_at, w.next_at) end
   from (select greatest($6::bigint, bourse_now()) as next_at) w
   where kind = $1 and key = $2`,
)

const deleteStep = statement<never>(
  'core.end_last_step',
  `delete from due
   where kind = $1 and key = $2 and wakes = $3`,
)

const removeUnchanged = statement<never>(
  'core.remove_due',
  `delete from due
   using jsonb_to_recordset($1::jsonb) as d(kind text, key text, wakes bigint)
   where due.kind = d.kind and due.key = d.key and due.wakes = d.wakes`,
)

// The subquery reads the clock once, so the comparison bounds the scan of the index. A direct call would be evaluated
// for every row, including every deadline that is still ahead.
const listDue = statement<DueRow>(
  'core.list_due',
  `select kind, key, due_at, wakes, attempt
   from due
   where due_at <= (select bourse_now()) and kind = any($2)
   order by due_at, kind, key
   limit $1`,
)

const findNextDue = statement<{ wait_ms: number | null }>(
  'core.find_next_due',
  `select greatest(due_at * 1000 - bourse_now_ms(), 0) / coalesce((select rate from sandbox_clock), 1) as wait_ms
   from due
   where kind = any($1)
   order by due_at
   limit 1`,
)

/** Creates an empty set of schedule changes. */
export function emptyDueChanges(): DueChanges {
  return { set: new Map(), clear: new Map() }
}

/** Schedules a key. The earliest time for a key holds, and a new time undoes an earlier removal. */
export function scheduleDue(changes: DueChanges, kind: string, key: string, due_at: number): void {
  const name = `${kind}\n${key}`
  const before = changes.set.get(name)
  changes.clear.delete(name)
  if (!before || before.due_at > due_at) changes.set.set(name, { kind, key, due_at })
}

/** Removes the deadline of a key. */
export function unscheduleDue(changes: DueChanges, kind: string, key: string): void {
  const name = `${kind}\n${key}`
  changes.set.delete(name)
  changes.clear.set(name, [kind, key])
}

/** Sends the statements that go with the COMMIT and awaits none of them. */
export function sendDueChanges(db: Db, changes: DueChanges): Promise<number>[] {
  const sent: Promise<number>[] = []
  if (changes.clear.size > 0) {
    const rows = [...changes.clear.values()].map(([kind, key]) => ({ kind, key }))
    sent.push(db.run(clearDue, [JSON.stringify(rows)]))
  }
  if (changes.set.size > 0) sent.push(db.run(setDue, [JSON.stringify([...changes.set.values()])]))
  return sent
}

/** Updates a step's own row. Deletes it where the step gave no next time and no wake-up arrived during the step. */
export function sendStepEnd(db: Db, { due_row, next_at, attempt, last_error }: StepEnd): Promise<number> {
  if (next_at === undefined) return db.run(deleteStep, [due_row.kind, due_row.key, due_row.wakes])
  return db.run(endStep, [due_row.kind, due_row.key, due_row.wakes, attempt, last_error, next_at])
}

/** Removes those rows that received no wake-up since they were read. */
export function removeDue(db: Db, rows: readonly DueRow[]): Promise<number> {
  return db.run(removeUnchanged, [JSON.stringify(rows.map(({ kind, key, wakes }) => ({ kind, key, wakes })))])
}

/** Reads the rows of some kinds that are due now, oldest first. Other kinds are those of newer programs. */
export function readDue(db: Db, limit: number, kinds: readonly string[]): Promise<DueRow[]> {
  return db.rows(listDue, [limit, kinds])
}

/** Real milliseconds until the next row of some kinds is due at the clock's present rate; undefined: there is none. */
export async function readNextDue(db: Db, kinds: readonly string[]): Promise<number | undefined> {
  return (await db.row(findNextDue, [kinds]))?.wait_ms ?? undefined
}
