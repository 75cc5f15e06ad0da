/**
 * Checks invariants: each area's audits are named read-only queries that return offending rows. All of them run on one
 * snapshot. The simulation, the tests and `bourse doctor` use the same list. An audit reports and never repairs.
 */
import { type Database, type Db, freePlans, type Statement, statement } from '../db/db.ts'
import { type Figure, type FigureGroup, figuresStatement } from './figures.ts'

/** One invariant. The statement returns at most 20 rows, each a violation, and none where the invariant holds. */
export type Audit = { readonly name: string; readonly statement: Statement<AuditRow> }

/** What an audit shows of a violation: ids, positions, amounts. */
export type AuditRow = Readonly<Record<string, unknown>>

/** The violations of one audit. */
export type AuditFinding = { readonly name: string; readonly rows: AuditRow[] }

const rowsMax = 20

const beginSnapshot = 'begin transaction isolation level repeatable read, read only'
// Taken before the snapshot. A day of the log that is compacted between the two would look empty in the snapshot.
const lockLog = 'lock table events in access share mode'
// Reading a whole ledger takes longer than the time limit of a request, and needs plans that scan whole tables.
const liftTimeouts = statement<never>(
  null,
  `select set_config(s.key, s.value, true)
   from jsonb_each_text($1) as s`,
)
/**
 * Hash joins only. With old statistics the planner expects one row where there are 100,000, and joins them by a nested
 * loop, or merges them by the account alone: one audit took 320 s on 20,000 orders instead of 0.5 s. So an audit must
 * not join inside a correlated subquery, where a hash join would read the whole table for each row.
 */
const wholeTablePlans = { ...freePlans, enable_nestloop: 'off', enable_mergejoin: 'off', work_mem: '64MB' }
/** An audit reads for longer than any pause of its process, and who waits for its lock gives up soon. */
const limits = { statement_timeout: '0', transaction_timeout: '0', idle_in_transaction_session_timeout: '30000' }
const auditSettings = JSON.stringify({ ...limits, ...wholeTablePlans })

/** The row counts of the tables that audits read. */
type Extent = Record<'ledger_rows' | 'orders' | 'fills' | 'pools' | 'instances' | 'events', number>

const countRows = statement<Extent>(
  null,
  `select
     (select count(*) from ledger) as ledger_rows,
     (select count(*) from orders) as orders,
     (select count(*) from fills) as fills,
     (select count(*) from pools) as pools,
     (select count(*) from instances) as instances,
     (select count(*) from events) as events`,
)

/** Defines an audit, in the area whose tables it reads. The query must not end in a limit of its own. */
export function defineAudit(name: string, text: string): Audit {
  return { name, statement: statement(null, `${text} limit ${rowsMax}`) }
}

/**
 * A condition on a row of `due`, named by its alias: the row runs too late for a deadline. That is the case where its
 * time lies after both the deadline and the clock, and no failed step has postponed it. A row that is due now is not
 * late: no row is written with a time before the clock, so a deadline that has passed is scheduled for the time of
 * the write.
 */
export function isLate(row: string, deadline: string): string {
  return `(${row}.attempt = 0 and ${row}.due_at > ${deadline} and ${row}.due_at > (select bourse_now()))`
}

/** Runs audits on one snapshot of the database; returns one finding for each, in their order. */
export function runAudit(database: Database, audits: readonly Audit[]): Promise<AuditFinding[]> {
  return readOnSnapshot(database, (db) => runAll(db, audits))
}

/** One finding for each invariant: several areas may audit one, each in its own tables. */
export function byInvariant(findings: readonly AuditFinding[]): AuditFinding[] {
  return [...Map.groupBy(findings, ({ name }) => name)].map(([name, parts]) => {
    return { name, rows: parts.flatMap(({ rows }) => rows) }
  })
}

/** Counts the rows that audits read. */
export function readExtent(database: Database): Promise<Extent> {
  return readOnSnapshot(database, async (db) => (await db.row(countRows)) as Extent)
}

/** Reads figures of whole tables on one snapshot. */
export function readHourlyFigures(database: Database, groups: readonly FigureGroup[]): Promise<Figure[]> {
  return readOnSnapshot(database, (db) => db.rows(figuresStatement(groups)))
}

/** Reads whole tables on one snapshot, without the time limits of requests. */
export async function readOnSnapshot<T>(database: Database, read: (db: Db) => Promise<T>): Promise<T> {
  const session = await database.session({ allows_long_statements: true })
  let broken: Error | undefined
  try {
    await session.command(beginSnapshot)
    await session.command(lockLog)
    await session.rows(liftTimeouts, [auditSettings])
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

async function runAll(db: Db, audits: readonly Audit[]): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  for (const audit of audits) findings.push({ name: audit.name, rows: await db.rows(audit.statement) })
  return findings
}
