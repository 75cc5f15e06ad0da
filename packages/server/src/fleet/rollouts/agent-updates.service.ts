/** What agents and updaters of hosts report about versions, and what they are to run. */
import type {
  checkAgentUpdate as checkContract,
  getFleetAgent as fleetContract,
  reportAgentVersion as reportContract,
} from '@bourse/api/fleet/agent-updates.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import { recordAgentVersion, recordUpdater } from '../hosts/host-agents.service.ts'
import { goneHost, type HostRow } from '../hosts/hosts.rules.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import { offerOf } from './agent-bundles.service.ts'
import { updateKeyOf } from './agent-rollouts.rules.ts'
import { agentRolloutDue, readFleetVersion } from './agent-rollouts.service.ts'
import { findTurnOfHost, type HostTurnRow, putUpdateFailure } from './agent-updates.store.ts'

/** Stores the version of the agent of a host. */
export async function reportAgentVersion(
  ctx: Ctx,
  { body: { epoch, version, commit } }: Input<typeof reportContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof reportContract>> {
  const host = await lockHost(ctx, host_id)
  if (epoch < host.epoch) refuse('stale_epoch', 'The host has enrolled again. Use its newer epoch.')
  await recordAgentVersion(ctx, { host_id, version, commit })
  wake(ctx, await findTurnOfHost(ctx.db, host_id))
  return { version }
}

/** Stores what an updater says, and tells it what its host is to run. */
export async function checkAgentUpdate(
  ctx: Ctx,
  { body: { managed_by, version, updater_version, failed } }: Input<typeof checkContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof checkContract>> {
  await lockHost(ctx, host_id)
  const pinned = await recordUpdater(ctx, { host_id, managed_by, updater_version })
  const turn = await findTurnOfHost(ctx.db, host_id)
  if (!turn) return { wanted: null, pinned }
  const key = updateKeyOf(turn.rollout_id, turn.attempt)
  const hasFailed = failed?.key === key
  if (hasFailed && turn.failure === null) await putUpdateFailure(ctx.db, turn, { host_id, reason: failed.reason })
  if (turn.state !== 'skipped' || (managed_by === 'updater' && !pinned)) wake(ctx, turn)
  const isWanted = turn.state === 'updating' && isOpen(turn) && !hasFailed && turn.failure === null
  if (!isWanted || version === turn.to_version) return { wanted: null, pinned }
  return { wanted: { key, version: turn.to_version, bundle: await offerOf(ctx, turn.to_version) }, pinned }
}

/** Reads which version hosts run. */
export async function getFleetAgent(ctx: Ctx): Promise<Output<typeof fleetContract>> {
  const version = await readFleetVersion(ctx)
  return { version: version ?? null, bundle: version === undefined ? null : await offerOf(ctx, version) }
}

async function lockHost(ctx: Ctx, id: AgentCaller['host_id']): Promise<HostRow> {
  const [host] = await lockHosts(ctx, [id])
  if (!host || host.state === 'retired') throw new Refusal(goneHost(host))
  return host
}

function isOpen({ rollout_state }: HostTurnRow): boolean {
  return rollout_state === 'running' || rollout_state === 'completed'
}

/** The rollout looks at the host at once, and not only when it looks at all of them. */
function wake(ctx: Ctx, turn: HostTurnRow | undefined): void {
  if (turn && isOpen(turn) && (turn.state === 'updating' || turn.state === 'skipped')) {
    ctx.schedule(agentRolloutDue, turn.rollout_id)
  }
}
