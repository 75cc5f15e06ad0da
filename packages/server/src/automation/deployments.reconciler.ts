/**
 * Keeps the fleets of deployments at their targets. A step locks the row of its deployment, so steps of one fleet do
 * not run concurrently, and carries out the plan of `planDeployment`. A refusal is recorded in the status and tried
 * again later. Not this file's work: machines and allocation, which the reconcilers of the fleet area manage.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { createMembers } from '../fleet/instances/deployment-members.service.ts'
import {
  deploymentMembersChanged,
  endInstances,
  lockInstances,
  moveMembers,
} from '../fleet/instances/instance-changes.service.ts'
import { countMembers } from '../fleet/instances/instances.service.ts'
import { accountFrozen, accountUnfrozen } from '../iam/accounts/accounts.service.ts'
import { skuAvailabilityChanged } from '../market/skus/sku-administration.service.ts'
import { differs, nextRetryState, statusColumns } from './automation-status.rules.ts'
import {
  type DeploymentPlan,
  type DeploymentRow,
  type DeploymentView,
  planDeployment,
  statusOfRetry,
} from './deployments.rules.ts'
import { claimDeployment, deploymentDue, readView } from './deployments.service.ts'
import {
  type DeploymentReference,
  listDeploymentReferrers,
  listTargets,
  updateDeploymentStatus,
} from './deployments.store.ts'
import { spotDue } from './spot-buying.service.ts'

/** Refusals that may not occur with fewer new members at once. */
const refusalsOfMany: readonly RefusalData['code'][] = ['limit_exceeded', 'subnet_full', 'name_taken']
const followersMax = 100_000
const sweepSeconds = 300

type DeploymentOutcome = Pick<DeploymentPlan, 'status' | 'retry' | 'next_at'>

/** Steps one deployment; the key is its id. */
const deploymentReconciler: Reconciler = {
  kind: deploymentDue,
  topics: [deploymentMembersChanged],
  sweep_seconds: sweepSeconds,
  step: async (ctx, key) => {
    const claimed = await claimDeployment(ctx, key)
    if (!claimed) return undefined
    // Another command has locked the deployment and may still be rolled back.
    return claimed.is_locked ? work(ctx, claimed.row) : lockedElsewhere
  },
  sweep: async (ctx) => {
    const targets = await listTargets(ctx.db)
    const living = await countMembers(
      ctx,
      targets.map(({ id }) => id),
    )
    return targets.filter(({ id, target }) => (living.get(id) ?? 0) !== target).map(({ id }) => id)
  },
}

/** Every reconciler of deployments. */
export const deploymentReconcilers: readonly Reconciler[] = [
  deploymentReconciler,
  wakesAll('automation.deployments_of_sku', 'sku_id', [skuAvailabilityChanged]),
  wakesAll('automation.deployments_of_account', 'account_id', [accountFrozen, accountUnfrozen]),
]

/** Schedules a step for each deployment that refers to a changed resource. */
function wakesAll(kind: string, column: DeploymentReference, topics: readonly string[]): Reconciler {
  return {
    kind,
    topics,
    step: async (ctx, key) => {
      for (const { id } of await listDeploymentReferrers(ctx.db, column, key, followersMax)) {
        ctx.schedule(deploymentDue, id)
        // For a generic deployment this step does nothing.
        ctx.schedule(spotDue, id)
      }
      return undefined
    },
  }
}

async function work(ctx: Ctx, row: DeploymentRow): Promise<number | undefined> {
  const { view, plan } = await planUnderLock(ctx, row)
  await endInstances(
    ctx,
    plan.ends.map((id) => ({ id, reason: 'scaled_down' as const })),
  )
  await moveMembers(ctx, plan.moves)
  const done = await create(ctx, row, view, plan)
  const status = statusColumns(done)
  if (differs(row, status)) await updateDeploymentStatus(ctx.db, row.id, status)
  // Schedules the next step here, without a time: a returned time that is due would wait for the next second of the
  // clock, and on a frozen clock for ever.
  if (done.next_at === ctx.now) ctx.schedule(deploymentDue, row.id)
  return done.next_at === null || done.next_at === ctx.now ? undefined : done.next_at
}

/** Plans with locked instances: plans again after each lock, because instances may have ended before it was taken. */
async function planUnderLock(ctx: Ctx, row: DeploymentRow): Promise<{ view: DeploymentView; plan: DeploymentPlan }> {
  const locked = new Set<Id<'instance'>>()
  for (;;) {
    const view = await readView(ctx, row)
    const plan = planDeployment(view)
    const touched = [...plan.ends, ...plan.moves.map(({ instance_id }) => instance_id)]
    const fresh = touched.filter((id) => !locked.has(id))
    if (fresh.length === 0) return { view, plan }
    await lockInstances(ctx, fresh)
    for (const id of fresh) locked.add(id)
  }
}

/** Creates the members of a plan, as many as are not refused. */
async function create(
  ctx: Ctx,
  row: DeploymentRow,
  view: DeploymentView,
  plan: DeploymentPlan,
): Promise<DeploymentOutcome> {
  const { creates, ends, moves } = plan
  if (creates.length === 0) return plan
  // Creating members takes locks that rank before those on instances, so it needs a separate step.
  if (ends.length + moves.length > 0) return { ...plan, next_at: ctx.now }
  for (let count = creates.length; ; count = Math.floor(count / 2)) {
    const refusal = await tryCreate(ctx, row, creates.slice(0, count))
    if (!refusal) return count === creates.length ? plan : { ...plan, next_at: ctx.now }
    if (count === 1 || !refusalsOfMany.includes(refusal.code)) {
      const retry = nextRetryState(view.retry, refusal, ctx.now)
      return { status: statusOfRetry(retry), retry, next_at: retry.retry_at }
    }
  }
}

/** Creates all of some members, or none. Returns the refusal, or undefined if all were created. */
async function tryCreate(ctx: Ctx, row: DeploymentRow, slots: readonly number[]): Promise<RefusalData | undefined> {
  const { id, account_id, pool_id, sku_id, instance_template_id, instance_name_template } = row
  const made = { deployment_id: id, account_id, pool_id, sku_id, instance_template_id }
  const newMembers = { ...made, name_template: instance_name_template, deployment_slots: slots }
  const tried = await ctx.attempt(() => createMembers(ctx, newMembers))
  return 'refusal' in tried ? tried.refusal : undefined
}
