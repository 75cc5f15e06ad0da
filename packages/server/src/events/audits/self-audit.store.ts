import { type Db, statement } from '../../core/db/db.ts'
import type { Figure } from '../../core/work/figures.ts'

/** What a run found: the audit, and the number of rows that violate it (at most 20 are counted). */
export type AuditViolation = { readonly name: string; readonly rows: number }

/** The last complete run; without times if there was none. */
export type SelfAuditRow = {
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly audits: number
  readonly violations: readonly AuditViolation[]
  readonly age_seconds: number | null
}

const now = 'floor(bourse_real_now())::bigint'

const selectLast = statement<SelfAuditRow>(
  'events.read_self_audit',
  `select started_at, ended_at, audits, violations, ${now} - ended_at as age_seconds
   from self_audit`,
)
const claimRun = statement<{ started_at: number }>(
  'events.claim_self_audit',
  `update self_audit
   set holder = $1, leased_until = ${now} + $2
   where leased_until <= ${now} and coalesce(ended_at, 0) + $3 <= ${now}
   returning ${now} as started_at`,
)
const extendLease = statement<never>(
  'events.extend_self_audit',
  `update self_audit
   set leased_until = ${now} + $2
   where holder = $1`,
)
const recordRun = statement<{ before: readonly AuditViolation[] }>(
  'events.record_self_audit',
  `update self_audit s
   set holder = null, leased_until = 0, started_at = $2, ended_at = ${now}, audits = $3, violations = $4::jsonb,
     figures = $5::jsonb
   from (
     select violations
     from self_audit
   ) last
   where s.holder = $1
   returning last.violations as before`,
)

/** Reads the last complete run. */
export async function readSelfAudit(db: Db): Promise<SelfAuditRow> {
  return (await db.row(selectLast)) as SelfAuditRow
}

/**
 * Takes the lease for a run if the last one ended `interval_seconds` ago and no other replica holds it. Returns when
 * the run began.
 */
export async function claimSelfAudit(
  db: Db,
  { holder, lease_seconds, interval_seconds }: { holder: string; lease_seconds: number; interval_seconds: number },
): Promise<number | undefined> {
  return (await db.row(claimRun, [holder, lease_seconds, interval_seconds]))?.started_at
}

/** Extends the lease; returns false if another replica has taken it. */
export async function extendSelfAudit(db: Db, holder: string, leaseSeconds: number): Promise<boolean> {
  return (await db.run(extendLease, [holder, leaseSeconds])) > 0
}

/** Records a run and ends its lease; returns the violations of the run before, or undefined if the lease was lost. */
export async function recordSelfAudit(
  db: Db,
  holder: string,
  run: { started_at: number; audits: number; violations: readonly AuditViolation[]; figures: readonly Figure[] },
): Promise<readonly AuditViolation[] | undefined> {
  const { started_at, audits, violations, figures } = run
  const params = [holder, started_at, audits, JSON.stringify(violations), JSON.stringify(figures)]
  return (await db.row(recordRun, params))?.before
}
