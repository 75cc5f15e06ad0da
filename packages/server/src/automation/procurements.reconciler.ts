/**
 * Keeps pools at the targets of their procurements. A step locks the row of its procurement, so steps of one
 * procurement do not run concurrently. Orders are planned under the lock of the book. A refusal is recorded in the
 * status and tried again later. Not this file's work: choosing orders (coverage), matching, and cancelling orders of
 * frozen accounts and retired SKUs (market).
 */
import { hourSeconds } from '@bourse/text/time/units.ts'
import { fundsAdded } from '../billing/money.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { instancesChanged } from '../fleet/hosts/machines.service.ts'
import { countLivingInstances } from '../fleet/instances/instances.service.ts'
import { accountFrozen, accountUnfrozen } from '../iam/accounts/accounts.service.ts'
import { isAccountFrozen } from '../iam/names/owners.service.ts'
import { parseKey } from '../market/pools/capacity.service.ts'
import { procurementPoolChanged } from '../market/pools/mandates.service.ts'
import { skuAvailabilityChanged } from '../market/skus/sku-administration.service.ts'
import { findSkuFor } from '../market/skus/skus.service.ts'
import { maintainCoverage } from '../market/trading/coverage.service.ts'
import {
  type AutomationStatus,
  differs,
  type RetryState,
  retryStateOf,
  statusColumns,
} from './automation-status.rules.ts'
import { afterTrading, idleStatus } from './procurements.rules.ts'
import { procurementDue } from './procurements.service.ts'
import {
  endProcurementWaits,
  findProcurement,
  listFollowers,
  listProcurementReferrers,
  listUnpaidProcurements,
  type ProcurementReference,
  type ProcurementRow,
  procurementLock,
  procurementStepLock,
  updateProcurementStatus,
} from './procurements.store.ts'

const referrersMax = 100_000

/** Changes of the pool schedule a step. This interval only repairs a lost wake-up. */
const lookAgainSeconds = hourSeconds

/** Steps one procurement; the key is its id. */
const procurementReconciler: Reconciler = {
  kind: procurementDue,
  topics: [procurementPoolChanged],
  step: async (ctx, key) => {
    const [locked] = await ctx.lock(procurementStepLock, [key])
    const row = await findProcurement(ctx.db, key)
    if (!row) return undefined
    // Another command has locked the procurement and may still be rolled back.
    if (locked === undefined) return lockedElsewhere
    return work(ctx, row)
  },
}

/** Schedules the procurements that follow the instances of a pool and SKU; the key contains both. */
const followersReconciler: Reconciler = {
  kind: 'automation.procurements_of_instances',
  topics: [instancesChanged],
  step: async (ctx, key) => {
    for (const { id } of await listFollowers(ctx.db, parseKey(key))) ctx.schedule(procurementDue, id)
    return undefined
  },
}

/** Ends the wait for money or a budget when an account can spend more; the key is the account. */
const fundedReconciler: Reconciler = {
  kind: 'automation.procurements_funded',
  topics: [fundsAdded],
  step: async (ctx, key) => {
    const unpaid = await listUnpaidProcurements(ctx, key)
    await ctx.lock(procurementLock, unpaid)
    await endProcurementWaits(ctx, unpaid)
    for (const id of unpaid) ctx.schedule(procurementDue, id)
    return undefined
  },
}

/** Every reconciler of procurements. */
export const procurementReconcilers: readonly Reconciler[] = [
  procurementReconciler,
  followersReconciler,
  fundedReconciler,
  wakesAll('automation.procurements_of_sku', 'sku_id', [skuAvailabilityChanged]),
  wakesAll('automation.procurements_of_account', 'account_id', [accountFrozen, accountUnfrozen]),
]

/** Schedules a step for each procurement that refers to a changed resource. */
function wakesAll(kind: string, column: ProcurementReference, topics: readonly string[]): Reconciler {
  return {
    kind,
    topics,
    step: async (ctx, key) => {
      for (const { id } of await listProcurementReferrers(ctx.db, column, key, referrersMax))
        ctx.schedule(procurementDue, id)
      return undefined
    },
  }
}

async function work(ctx: Ctx, row: ProcurementRow): Promise<number | undefined> {
  const [is_frozen, sku, living] = await Promise.all([
    isAccountFrozen(ctx, row.account_id),
    findSkuFor(ctx, row.account_id, row.sku_id),
    row.target === null ? countLivingInstances(ctx, row) : undefined,
  ])
  const idle = idleStatus({ is_enabled: row.enabled, is_frozen, is_sku_retired: sku?.deleted_at !== null })
  if (idle) {
    await recordStatus(ctx, row, { status: idle, retry: null })
    return row.enabled ? ctx.now + lookAgainSeconds : undefined
  }
  const target = row.target ?? living ?? 0
  const { managed_window_minutes, max_buy_hourly_micros, min_sell_hourly_micros } = row
  const before = retryStateOf(row)
  const covered = await maintainCoverage(
    ctx,
    row,
    {
      target,
      window_minutes: managed_window_minutes,
      max_buy_hourly_micros,
      min_sell_hourly_micros,
      price_step_micros: sku?.price_step_micros ?? 1n,
      replaces_offered: true,
    },
    { places_wait: before !== null && before.retry_at > ctx.now },
  )
  const is_crossed = max_buy_hourly_micros !== null && min_sell_hourly_micros < max_buy_hourly_micros
  const view = { ...covered, now: ctx.now, before, target, managed_window_minutes, is_crossed }
  const done = afterTrading(view)
  await recordStatus(ctx, row, done)
  const times = [covered.next_at, done.retry?.retry_at, ctx.now + lookAgainSeconds]
  return Math.min(...times.filter((time) => time !== undefined))
}

/** Records the status after a step if it has changed. */
async function recordStatus(
  ctx: Ctx,
  row: ProcurementRow,
  { status, retry }: { status: AutomationStatus; retry: RetryState | null },
): Promise<void> {
  const columns = statusColumns({ status, retry })
  if (differs(row, columns)) await updateProcurementStatus(ctx.db, row.id, columns)
}
