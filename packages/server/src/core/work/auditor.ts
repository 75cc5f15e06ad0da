/**
 * Looks for what must never be: each area's audits are named read-only queries that give offending rows. All run on
 * one snapshot. One list for the simulation, the tests and `bourse doctor`. It alarms and never repairs.
 */
import { type Database, type Db, freePlans, type Statement, statement } from '../db/db.ts'

/** One invariant. The statement gives at most 20 rows, each an offence; none when all is well. */
export type Audit = { readonly name: string; readonly statement: Statement<AuditRow> }

/** What an audit shows of an offence: ids, positions, amounts. */
export type AuditRow = Readonly<Record<string, unknown>>

/** What an audit found. */
export type Finding = { readonly name: string; readonly rows: AuditRow[] }

/** Offending rows shown for one invariant. */
const rowsMax = 20

const beginSnapshot = 'begin transaction isolation level repeatable read, read only'
// Before the snapshot is taken: days of the log that are laid in order meanwhile would look empty to it.
const holdLog = 'lock table events in access share mode'
// A whole ledger takes longer than a request may, and is read from end to end.
const unhurried = statement<never>(null, 'select set_config(s.key, s.value, true) from jsonb_each_text($1) as s')
const auditSettings = JSON.stringify({ statement_timeout: '0', transaction_timeout: '0', ...freePlans })

/** How many rows there are of what audits look at. */
export type Extent = Record<'ledger_rows' | 'orders' | 'fills' | 'pools' | 'instances' | 'events', number>

const countRows = statement<Extent>(
  null,
  `select (select count(*) from ledger) as ledger_rows, (select count(*) from orders) as orders,
     (select count(*) from fills) as fills, (select count(*) from pools) as pools,
     (select count(*) from instances) as instances, (select count(*) from events) as events`,
)

/** Defines an audit beside the area whose tables it reads. The query must not end in a limit of its own. */
export function defineAudit(name: string, text: string): Audit {
  return { name, statement: statement(null, `${text} limit ${rowsMax}`) }
}

/**
 * Whether a row of `due`, by its alias, leaves a deadline unserved: it is ahead of the deadline and of what the clock
 * shows, and no failed step put it off. What is due now is not late: nothing is planned behind the clock, so a deadline
 * that passed before its row was written is planned for the time of the writing.
 */
export function isLate(row: string, deadline: string): string {
  return `(${row}.attempt = 0 and ${row}.due_at > ${deadline} and ${row}.due_at > (select bourse_now()))`
}

/** Runs audits on one snapshot of the database; gives one finding for each, in their order. */
export function runAudit(database: Database, audits: readonly Audit[]): Promise<Finding[]> {
  return onSnapshot(database, (db) => runAll(db, audits))
}

/** Counts what audits look at. */
export function readExtent(database: Database): Promise<Extent> {
  return onSnapshot(database, async (db) => (await db.row(countRows)) as Extent)
}

async function onSnapshot<T>(database: Database, read: (db: Db) => Promise<T>): Promise<T> {
  const session = await database.session({ is_patient: true })
  let broken: Error | undefined
  try {
    await session.command(beginSnapshot)
    await session.command(holdLog)
    await session.rows(unhurried, [auditSettings])
    const found = await read(session)
    await session.command('commit')
    return found
  } catch (error) {
    await session.command('rollback').catch((failed: Error) => {
      broken = failed
    })
    throw error
  } finally {
    session.release(broken)
  }
}

async function runAll(db: Db, audits: readonly Audit[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const audit of audits) findings.push({ name: audit.name, rows: await db.rows(audit.statement) })
  return findings
}
