// Plans one step of a deployment. Its fleet has the slots 0 … target − 1, each with at most one living instance.
//
// A step holds the lock of its deployment, so steps do not run concurrently and the target is current. The members may
// change meanwhile. A plan from an old view stays safe because its statements check the state again: they end members
// only while more than the target live, move and insert only into a free slot, and insert only below the target and
// while no member is at or above it. The order is ends, moves, creates. A step may stop after any of them.
// Not this file's work: the parameters of instances, and the checks that refuse a creation.

import { type DeploymentStatusCode, deploymentStatusCodes } from '@bourse/api/automation/deployments.ts'
import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import { byVictimOrder, type Ranked } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import type { AutomationStatus, RetryState, StatusColumns } from './automation-status.rules.ts'

/** The most members that one step ends, moves or creates, so that its transaction stays short. */
export const stepActionsMax = 500

export type DeploymentRow = StatusColumns & {
  id: Id<'deployment'>
  account_id: string
  workspace_id: Id<'workspace'>
  kind: 'generic' | 'spot'
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  instance_template_id: Id<'instance_template'>
  enabled: boolean
  target_instance_count: number
  instance_name_template: string
  /** The maximum price of a spot deployment, in micro-dollars per node-hour; null for generic ones. */
  max_buy_hourly_micros: bigint | null
  created_at: number
  updated_at: number
}

/** A member of a fleet. A plan ignores terminated members. */
export type DeploymentMember = Ranked & {
  readonly id: Id<'instance'>
  readonly state: InstanceState
  readonly deployment_slot: number
}

/** The input of a plan. */
export type DeploymentView = {
  readonly now: number
  /** False also while the account is frozen. */
  readonly is_enabled: boolean
  readonly target_instance_count: number
  readonly is_sku_retired: boolean
  readonly members: readonly DeploymentMember[]
  readonly retry: RetryState | null
}

/**
 * The actions of a step, in this order. `retry` and `status` apply if nothing is refused; see `nextRetryState` of
 * automation-status.rules.ts for a refusal.
 */
export type DeploymentPlan = {
  readonly ends: readonly Id<'instance'>[]
  /** Members whose slot is at or above the target, and the free slot that each moves to. */
  readonly moves: readonly { readonly instance_id: Id<'instance'>; readonly deployment_slot: number }[]
  readonly creates: readonly number[]
  readonly retry: RetryState | null
  readonly status: AutomationStatus
  /** When the next step is due if nothing changes before. The present time if one step was not enough. */
  readonly next_at: number | null
}

/** Plans one step. After it, at most max(target, members before) members live. */
export function planDeployment(view: DeploymentView): DeploymentPlan {
  const { now, target_instance_count: target } = view
  const living = view.members.filter(({ state }) => state !== 'terminated')
  const idle = { ends: [], moves: [], creates: [], retry: null, next_at: null }
  if (!view.is_enabled) return { ...idle, status: statusFor('ok', 'Disabled: nothing is created, ended or bought.') }

  const surplus = living.length <= target ? [] : living.toSorted(byVictimOrder).slice(0, living.length - target)
  const ends = surplus.slice(0, stepActionsMax).map(({ id }) => id)
  const leaving = new Set(surplus)
  const staying = living.filter((member) => !leaving.has(member))
  if (ends.length < surplus.length) return { ...idle, ends, next_at: now, status: statusOf(view, staying, 0) }

  const vacant = vacantSlots(staying, target)
  const outside = staying.filter(({ deployment_slot }) => deployment_slot >= target)
  const moves = outside.map(({ id }, index) => ({ instance_id: id, deployment_slot: vacant[index] as number }))
  const wanted = vacant.slice(outside.length)
  const budget = stepActionsMax - ends.length
  const plan = { ...idle, ends, moves: moves.slice(0, budget) }
  if (moves.length > budget) return { ...plan, next_at: now, status: statusOf(view, staying, 0) }

  if (wanted.length === 0) return { ...plan, status: statusOf(view, staying, 0) }
  if (view.is_sku_retired) {
    const message = `The SKU is retired: ${wanted.length} of ${target} instances cannot be created.`
    return { ...plan, status: statusFor('sku_not_available', message) }
  }
  if (view.retry && view.retry.retry_at > now) {
    return { ...plan, retry: view.retry, status: statusOfRetry(view.retry), next_at: view.retry.retry_at }
  }
  const creates = wanted.slice(0, budget - moves.length)
  const isWhole = creates.length === wanted.length
  return { ...plan, creates, next_at: isWhole ? null : now, status: statusOf(view, staying, wanted.length) }
}

/** What decides which permissions a change needs. */
type DeploymentTerms = Pick<
  DeploymentRow,
  'kind' | 'enabled' | 'target_instance_count' | 'instance_template_id' | 'max_buy_hourly_micros'
>

/**
 * The permissions that a change of a deployment needs besides `deployment:write`: those to do oneself what its steps
 * do after the change and not before. Less of everything needs none. A disabled deployment counts like an enabled one,
 * so that whoever enables it later does not answer for terms that somebody else could not set.
 */
export function permissionsOfChange(before: DeploymentTerms, after: DeploymentTerms): Permission[] {
  const isMore = after.target_instance_count > before.target_instance_count || (after.enabled && !before.enabled)
  const isOther = after.instance_template_id !== before.instance_template_id
  const isDearer = (after.max_buy_hourly_micros ?? 0n) > (before.max_buy_hourly_micros ?? 0n)
  return [
    ...(isMore || isOther ? (['instance:create'] as const) : []),
    ...(before.kind === 'spot' && (isMore || isDearer) ? (['order:create'] as const) : []),
  ]
}

/** The status while creations are refused. */
export function statusOfRetry({ code, message }: RetryState): AutomationStatus {
  return statusFor(code, message)
}

function statusOf(view: DeploymentView, staying: readonly DeploymentMember[], wanted: number): AutomationStatus {
  const target = view.target_instance_count
  const waiting = wanted + staying.filter(({ state }) => state === 'awaiting_allocation').length
  if (waiting > 0) return statusFor('waiting_for_allocation', `${waiting} of ${target} instances wait for allocation.`)
  const failed = staying.filter(({ state }) => state === 'failed').length
  const note = failed === 0 ? '' : ` ${failed} failed. Replace or terminate them.`
  return statusFor('ok', `${staying.length} of ${target} instances have a machine.${note}`)
}

/** A status with the state of its code. Codes of refusals have the state error. */
export function statusFor(code: DeploymentStatusCode | RefusalData['code'], message: string): AutomationStatus {
  const states: Readonly<Record<string, AutomationStatus['state']>> = deploymentStatusCodes
  return { state: states[code] ?? 'error', code, message }
}

function vacantSlots(members: readonly DeploymentMember[], target: number): number[] {
  const taken = new Set(members.map(({ deployment_slot }) => deployment_slot))
  const vacant: number[] = []
  for (let slot = 0; slot < target; slot++) if (!taken.has(slot)) vacant.push(slot)
  return vacant
}
