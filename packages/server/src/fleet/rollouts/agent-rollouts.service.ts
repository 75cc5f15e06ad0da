/** Rollouts of versions of the agent (docs/concepts/agent-updates.md). */
import { agentProtocol, oldestAgentProtocol } from '@bourse/api/fleet/agent-bundles.ts'
import {
  type AgentRollout,
  type createAgentRollout as createContract,
  healthSecondsDefault,
  type listAgentRollouts as listContract,
  returnSecondsDefault,
  rolloutHostsKeptSeconds,
  shownHostsMax,
} from '@bourse/api/fleet/agent-rollouts.ts'
import type { Host } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { among, conditions, pageResponse } from '../../core/work/page.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { requirePlatformAccount } from '../../iam/accounts/accounts.service.ts'
import { lockAccount } from '../../iam/names/owners.service.ts'
import { listSkuFabrics } from '../../market/skus/skus.service.ts'
import { recordAgentPin } from '../hosts/host-agents.service.ts'
import { findHostId, lockHosts, presentHost, readRealNow } from '../hosts/hosts.service.ts'
import { findBundle, removeBundle } from './agent-bundles.service.ts'
import {
  planRollout,
  type RolloutGroup,
  readGroups,
  refuseProtocol,
  refuseRolloutChange,
  spreadHosts,
  usualGroups,
} from './agent-rollouts.rules.ts'
import * as store from './agent-rollouts.store.ts'

/** Kind of the due rows of rollouts. The key is the id of the rollout. */
export const agentRolloutDue = 'fleet.agent_rollout'

/** Kind of the due rows of rollouts with more hosts to delete. The key is the id of the rollout. */
export const agentRolloutPurge = 'fleet.agent_rollout_purge'
/** Few enough to delete well within the time limit of a transaction. */
const deletedAtOnce = 1_000

type RolloutId = Id<'agent_rollout'>

/** Creates a rollout. */
export async function createAgentRollout(
  ctx: Ctx,
  {
    agent_version: version,
    groups: given = [...usualGroups],
    halted = false,
    ...pace
  }: Input<typeof createContract>['body'],
): Promise<AgentRollout> {
  await allow(ctx, 'platform:write', null)
  const groups = readGroups(given)
  if ('refusal' in groups) throw new Refusal(groups.refusal)
  const platform = await lockPlatform(ctx)
  const bundle = await findBundle(ctx, version)
  if (!bundle) refuse('reference_not_found', `There is no bundle of version ${version}.`, 'agent_version')
  throwIfRefused(refuseProtocol(bundle, { protocol: agentProtocol, oldest_agent: oldestAgentProtocol }))
  const other = await store.findRolloutInProgress(ctx.db)
  if (other) refuse('rollout_in_progress', `${other.id} to version ${other.version} is ${other.state}.`)
  const targets = await store.listRolloutTargets(ctx.db)
  const fabrics = await listSkuFabrics(ctx, [...new Set(targets.map(({ sku_id }) => sku_id))])
  const hosts = targets.map((target) => ({
    ...target,
    fabric: fabrics.get(target.sku_id) ?? null,
    to_version: version,
  }))
  const row = await begin(ctx, { version, rolls_back: null, groups, hosts, halted, ...pace })
  ctx.log.info({ rollout_id: row.id, version, hosts: hosts.length, platform }, 'A rollout of the agent begins.')
  return presentOne(ctx, row)
}

type Target = Omit<store.NewRolloutHost, 'turn' | 'place'>

type NewRollout = {
  readonly version: string
  readonly rolls_back: RolloutId | null
  readonly groups: readonly RolloutGroup[]
  readonly hosts: readonly Target[]
  readonly halted: boolean
  readonly health_seconds?: number | undefined
  readonly return_seconds?: number | undefined
  readonly hosts_at_once?: number | undefined
}

async function begin(ctx: Ctx, plan: NewRollout): Promise<store.AgentRolloutRow> {
  const { version, rolls_back, groups, halted } = plan
  const { health_seconds = healthSecondsDefault, return_seconds = returnSecondsDefault, hosts_at_once = 1 } = plan
  const row: store.AgentRolloutRow = {
    id: ctx.newId('agent_rollout'),
    version,
    rolls_back,
    state: halted ? 'halted' : 'running',
    halt_reason: halted ? 'operator' : null,
    halt_message: halted ? 'It was created halted.' : null,
    groups,
    // Without hosts no group has a turn.
    turn: plan.hosts.length === 0 ? groups.length : 0,
    health_seconds,
    return_seconds,
    hosts_at_once,
    created_at: ctx.now,
    ended_at: null,
    began_at: await readRealNow(ctx),
    host_counts: null,
  }
  const byId = new Map(plan.hosts.map((host) => [host.host_id as string, host]))
  const spread = spreadHosts([...byId.keys()], groups)
  const hosts = spread.map(({ host_id, turn, place }) => ({ ...(byId.get(host_id) as Target), turn, place }))
  await store.insertRollout(ctx.db, row, hosts)
  if (!halted) ctx.schedule(agentRolloutDue, row.id)
  return row
}

/** Lists rollouts. */
export async function listAgentRollouts(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const page = await store.listRollouts(ctx, query, { where: conditions(), among: among('r.state', query.state) })
  return pageResponse(page, await present(ctx, page.rows))
}

/** Reads one rollout. */
export async function getAgentRollout(ctx: Ctx, id: RolloutId): Promise<AgentRollout> {
  await allow(ctx, 'platform:read', null)
  return presentOne(ctx, (await store.findAgentRollout(ctx.db, id)) ?? refuseNotFound())
}

/** Halts a rollout. */
export async function haltAgentRollout(ctx: Ctx, id: RolloutId): Promise<AgentRollout> {
  const row = await loadToChange(ctx, id, 'halt')
  const halt = { halt_reason: 'operator', halt_message: 'An operator has halted it.' } as const
  return change(ctx, { ...row, ...halt, state: 'halted', ended_at: null })
}

/** Lets a rollout go on. */
export async function resumeAgentRollout(ctx: Ctx, id: RolloutId): Promise<AgentRollout> {
  const row = await loadToChange(ctx, id, 'resume')
  const now = await readRealNow(ctx)
  await store.retryRolloutHosts(ctx.db, id, now)
  ctx.schedule(agentRolloutDue, id)
  return change(ctx, { ...row, state: 'running', halt_reason: null, halt_message: null, began_at: now })
}

/** Ends a rollout. */
export async function cancelAgentRollout(ctx: Ctx, id: RolloutId): Promise<AgentRollout> {
  return end(ctx, await loadToChange(ctx, id, 'cancel'))
}

/** Ends a rollout, and begins one that gives its hosts their former versions. */
export async function rollBackAgentRollout(ctx: Ctx, id: RolloutId): Promise<AgentRollout> {
  const row = await loadToChange(ctx, id, 'roll_back')
  await end(ctx, row)
  const updated = await store.listUpdatedHosts(ctx.db, id)
  const hosts = updated.map(({ from_version, ...host }) => ({ ...host, to_version: from_version }))
  const { version, health_seconds, return_seconds, hosts_at_once } = row
  const groups = [{ name: 'rest', percent: null }]
  const pace = { health_seconds, return_seconds, hosts_at_once }
  return presentOne(ctx, await begin(ctx, { version, rolls_back: id, groups, hosts, halted: false, ...pace }))
}

async function loadToChange(
  ctx: Ctx,
  id: RolloutId,
  what: Parameters<typeof refuseRolloutChange>[0],
): Promise<store.AgentRolloutRow> {
  await allow(ctx, 'platform:write', null)
  await lockPlatform(ctx)
  const [locked] = await ctx.lock(store.agentRolloutLock, [id])
  const row = (locked && (await store.findAgentRollout(ctx.db, id))) || refuseNotFound()
  const is_newest = (await store.findNewestRollout(ctx.db))?.id === id
  throwIfRefused(refuseRolloutChange(what, { state: row.state, is_newest }))
  return row
}

/** Rollouts and bundles are created and changed one at a time. */
async function lockPlatform(ctx: Ctx): Promise<string> {
  const id = await requirePlatformAccount(ctx)
  await lockAccount(ctx, id)
  return id
}

async function end(ctx: Ctx, row: store.AgentRolloutRow): Promise<AgentRollout> {
  return change(ctx, { ...row, state: 'cancelled', halt_reason: null, halt_message: null, ended_at: ctx.now })
}

async function change(ctx: Ctx, row: store.AgentRolloutRow): Promise<AgentRollout> {
  if (row.state !== 'running') ctx.unschedule(agentRolloutDue, row.id)
  await store.updateRollout(ctx.db, row)
  return presentOne(ctx, row)
}

/** Does what is due of a rollout. Returns when to look at it again. */
export async function stepRollout(ctx: Ctx, id: RolloutId): Promise<number | undefined> {
  const [locked] = await ctx.lock(store.agentRolloutLock, [id])
  const row = locked === undefined ? undefined : await store.findAgentRollout(ctx.db, id)
  if (!row || (row.state === 'completed' && (await store.findNewestRollout(ctx.db))?.id !== id)) return undefined
  const [now, hosts] = await Promise.all([readRealNow(ctx), store.listRolloutHosts(ctx.db, id)])
  const plan = planRollout({ ...row, groups: row.groups.length, hosts }, now)
  await store.updateRolloutHosts(ctx.db, id, plan.hosts, now)
  const halt_reason = plan.halt?.reason ?? null
  const halt_message = plan.halt?.message.slice(0, 1024) ?? null
  if (plan.state === row.state && plan.turn === row.turn) return laterThan(ctx, now, plan.next_at)
  const ended_at = plan.state === 'completed' ? (row.ended_at ?? ctx.now) : null
  await store.updateRollout(ctx.db, { ...row, state: plan.state, turn: plan.turn, halt_reason, halt_message, ended_at })
  if (plan.state !== row.state) {
    const account_id = await requirePlatformAccount(ctx)
    const action = plan.state === 'halted' ? 'agent_rollout.halted' : 'agent_rollout.completed'
    ctx.emit({ account_id, workspace_id: null, action, target_type: 'agent_rollout', target_id: id })
    const fields = { rollout_id: id, version: row.version, state: plan.state, halt_reason, halt_message }
    ctx.log.warn(fields, 'A rollout of the agent has ended or halted.')
  }
  return laterThan(ctx, now, plan.next_at)
}

/** A time of the real clock on the business clock. */
function laterThan(ctx: Ctx, now: number, at: number | undefined): number | undefined {
  return at === undefined ? undefined : ctx.now + Math.max(1, at - now)
}

/** The rollouts to look at although nothing woke them: hosts live by the real clock. */
export function findOpenRollouts(ctx: Ctx): Promise<RolloutId[]> {
  return store.listOpenRollouts(ctx.db)
}

/** The rollouts whose hosts are to be deleted. */
export function findStaleRollouts(ctx: Ctx): Promise<RolloutId[]> {
  return store.listStaleRollouts(ctx.db, ctx.now - rolloutHostsKeptSeconds)
}

/** Deletes hosts of a rollout that `findStaleRollouts` has found; the numbers of its groups stay as they are. */
export async function purgeRollout(ctx: Ctx, id: RolloutId): Promise<void> {
  const [locked] = await ctx.lock(store.agentRolloutLock, [id])
  const stale = locked === undefined ? [] : await findStaleRollouts(ctx)
  if (!stale.includes(id)) return
  await store.keepRolloutCounts(ctx.db, id)
  const deleted = await store.deleteRolloutHosts(ctx.db, id, deletedAtOnce)
  if (deleted === deletedAtOnce) ctx.schedule(agentRolloutPurge, id)
}

/** The version of the newest rollout that has completed and was not taken back. */
export function readFleetVersion(ctx: Ctx): Promise<string | undefined> {
  return store.findCompletedVersion(ctx.db)
}

/** Deletes a version of the agent. */
export function deleteAgentBundle(ctx: Ctx, id: Id<'agent_bundle'>): Promise<void> {
  return removeBundle(ctx, id, async (version) => {
    const newest = await store.findNewestRollout(ctx.db)
    return newest !== undefined && newest.state !== 'cancelled' && newest.version === version
  })
}

/** Pins the agent of a host. */
export function pinHostAgent(ctx: Ctx, ref: Ref<'host'>): Promise<Host> {
  return setPin(ctx, ref, true)
}

/** Unpins the agent of a host. */
export function unpinHostAgent(ctx: Ctx, ref: Ref<'host'>): Promise<Host> {
  return setPin(ctx, ref, false)
}

async function setPin(ctx: Ctx, ref: Ref<'host'>, isPinned: boolean): Promise<Host> {
  await allow(ctx, 'platform:write', null)
  const id = (await findHostId(ctx, ref)) ?? refuseNotFound()
  const [host] = await lockHosts(ctx, [id])
  if (!host) refuseNotFound()
  await recordAgentPin(ctx, id, isPinned)
  const newest = await store.findNewestRollout(ctx.db)
  if (newest) ctx.schedule(agentRolloutDue, newest.id)
  return presentHost(ctx, host)
}

async function presentOne(ctx: Ctx, row: store.AgentRolloutRow): Promise<AgentRollout> {
  const [shown] = await present(ctx, [row])
  return shown as AgentRollout
}

async function present(ctx: Ctx, rows: readonly store.AgentRolloutRow[]): Promise<AgentRollout[]> {
  const ids = rows.map(({ id }) => id)
  const [counts, hosts] = await Promise.all([
    store.countRolloutHosts(ctx.db, ids),
    store.listShownHosts(ctx.db, ids, shownHostsMax),
  ])
  return rows.map((row): AgentRollout => {
    const own = row.host_counts ?? counts.filter(({ rollout_id }) => rollout_id === row.id)
    return {
      object: 'agent_rollout',
      id: row.id,
      agent_version: row.version,
      rolls_back: row.rolls_back,
      state: row.state,
      halt_reason: row.halt_reason,
      halt_message: row.halt_message,
      group: row.groups[row.turn]?.name ?? null,
      groups: row.groups.map((group, turn) => {
        const inGroup = own.filter((count) => count.turn === turn)
        return presentGroup(group, inGroup)
      }),
      hosts: hosts
        .filter(({ rollout_id }) => rollout_id === row.id && row.host_counts === null)
        .map(({ host_id: host, turn, state, from_version, to_version, reason }) => {
          return { host, group: row.groups[turn]?.name ?? '', state, from_version, to_version, reason }
        }),
      health_seconds: row.health_seconds,
      return_seconds: row.return_seconds,
      hosts_at_once: row.hosts_at_once,
      created_at: row.created_at,
      ended_at: row.ended_at,
    }
  })
}

function presentGroup({ name, percent }: RolloutGroup, counts: readonly store.StateCount[]) {
  const having = (state: store.StateCount['state']) => counts.find((count) => count.state === state)?.hosts ?? 0
  return {
    name,
    percent,
    hosts: counts.reduce((sum, { hosts }) => sum + hosts, 0),
    pending: having('pending'),
    updating: having('updating'),
    updated: having('updated'),
    failed: having('failed'),
    skipped: having('skipped'),
  }
}
