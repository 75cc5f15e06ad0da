/**
 * Runs every audit once an hour in production, on one replica at a time. A violation is a line of the log at the level
 * error, a metric, and, the first time, an event of the platform account. The audits never repair anything, and the
 * server goes on serving.
 */

import { pause } from '@bourse/text/time/pause.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { every, monotonicMilliseconds } from '../../core/base/clock.ts'
import { type Audit, type AuditFinding, byInvariant, readHourlyFigures, runAudit } from '../../core/work/auditor.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Figure, FigureGroup } from '../../core/work/figures.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { findPlatformAccount } from '../../iam/accounts/accounts.service.ts'
import * as store from './self-audit.store.ts'

const intervalSeconds = hourSeconds
const pollMilliseconds = 60_000
/** Longer than any audit takes, because the lease is extended between two of them. */
const leaseSeconds = 1_800
/** Audits use at most a fifth of the time of one connection, so that requests have the rest of the database. */
const restFactor = 4
const restMillisecondsMax = 30_000
/** The rows that the log shows of a violation. */
const shownRows = 5

/** How a run spares the database, and when it ends early. */
type AuditRunOptions = {
  readonly interval_seconds?: number
  /** Waits after an audit that took some milliseconds. */
  readonly rest?: (milliseconds: number) => Promise<void>
  readonly isStopped?: () => boolean
  /** Figures of whole tables, which are kept for `/metrics`. */
  readonly figures?: readonly FigureGroup[]
}

/** The last complete run, as every replica sees it. */
export const readLastRun = store.readSelfAudit
export type LastSelfAudit = store.SelfAuditRow

/** Runs the audits if a run is due and no other replica runs them; returns the violations, or undefined. */
export async function runDueAudits(
  runtime: Runtime,
  audits: readonly Audit[],
  {
    interval_seconds = intervalSeconds,
    rest = async () => {},
    isStopped = () => false,
    ...options
  }: AuditRunOptions = {},
): Promise<readonly store.AuditViolation[] | undefined> {
  const { database, random } = runtime
  const holder = random.bytes(12).toString('base64url')
  const lease = { holder, lease_seconds: leaseSeconds, interval_seconds }
  const started_at = await store.claimSelfAudit(database.reader, lease)
  if (started_at === undefined) return undefined
  const findings: AuditFinding[] = []
  for (const audit of audits) {
    const began = monotonicMilliseconds()
    findings.push(...(await runAudit(database, [audit])))
    await rest(monotonicMilliseconds() - began)
    if (isStopped() || !(await store.extendSelfAudit(database.reader, holder, leaseSeconds))) return undefined
  }
  const groups = options.figures ?? []
  const figures = groups.length > 0 ? await readHourlyFigures(database, groups) : []
  return await report(runtime, { holder, started_at, audits: audits.length, findings, figures })
}

/** Runs due audits from now on. Returns a function that stops this; a running audit ends with its connection. */
export function startSelfAudit(
  runtime: Runtime,
  audits: readonly Audit[],
  figures: readonly FigureGroup[],
): () => void {
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted
  const rest = (milliseconds: number) =>
    pause(Math.min(restFactor * milliseconds, restMillisecondsMax), stopping.signal)
  let isRunning = false
  const work = async () => {
    if (isRunning || isStopped()) return
    isRunning = true
    try {
      await runDueAudits(runtime, audits, { rest, isStopped, figures })
    } catch (error) {
      if (!isStopped()) runtime.log.warn({ err: error }, 'The audits could not run. The server tries again later.')
    } finally {
      isRunning = false
    }
  }
  const stop = every(pollMilliseconds, () => void work())
  return () => {
    stop()
    stopping.abort()
  }
}

type AuditRun = {
  readonly holder: string
  readonly started_at: number
  readonly audits: number
  readonly findings: readonly AuditFinding[]
  readonly figures: readonly Figure[]
}

async function report(runtime: Runtime, run: AuditRun): Promise<readonly store.AuditViolation[] | undefined> {
  const violated = byInvariant(run.findings).filter(({ rows }) => rows.length > 0)
  for (const { name, rows } of violated) {
    const shown = rows.slice(0, shownRows).map((row) => JSON.stringify(row, printable))
    runtime.log.error({ audit: name, rows: shown }, 'An audit found rows that violate an invariant.')
  }
  const violations = violated.map(({ name, rows }) => ({ name, rows: rows.length }))
  const { holder, started_at, audits, figures } = run
  const isRecorded = await systemCommand(runtime, async (ctx) => {
    const before = await store.recordSelfAudit(ctx.db, holder, { started_at, audits, violations, figures })
    const account_id = await findPlatformAccount(ctx)
    if (before === undefined || account_id === undefined) return before !== undefined
    const known = new Set(before.map(({ name }) => name))
    for (const { name } of violations.filter((one) => !known.has(one.name))) {
      const target = { target_type: 'audit', target_id: name }
      ctx.emit({ account_id, workspace_id: null, action: 'audit.violated', ...target })
    }
    return true
  })
  return isRecorded ? violations : undefined
}

function printable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
