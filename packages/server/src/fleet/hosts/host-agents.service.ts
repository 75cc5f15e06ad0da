/** The agents of hosts as programs: their versions, who updates them, and whether they are pinned. */
import type { Host } from '@bourse/api/fleet/hosts.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import * as store from './host-agents.store.ts'
import type { HostRow } from './hosts.rules.ts'

type ShownAgent = Pick<Host, 'agent_commit' | 'agent_managed_by' | 'agent_pinned'>

/** What hosts show of their agents besides the version, by host. */
export async function agentsOfHosts(
  ctx: Ctx,
  hostIds: readonly string[],
): Promise<(host: Pick<HostRow, 'id'>) => ShownAgent> {
  const rows = hostIds.length === 0 ? [] : await store.listHostAgents(ctx.db, hostIds)
  const known = new Map(rows.map((row) => [row.host_id, row]))
  return ({ id }) => {
    const row = known.get(id)
    return {
      agent_commit: row?.commit ?? null,
      agent_managed_by: row?.managed_by ?? 'none',
      agent_pinned: row?.is_pinned ?? false,
    }
  }
}

/** Stores the version that the agent of a locked host reports. */
export function recordAgentVersion(ctx: Ctx, report: Parameters<typeof store.putAgentVersion>[1]): Promise<void> {
  return store.putAgentVersion(ctx.db, report)
}

/** Stores what the updater of a locked host reports. Returns whether the agent is pinned. */
export function recordUpdater(ctx: Ctx, report: store.UpdaterReport): Promise<boolean> {
  return store.putUpdater(ctx.db, report)
}

/** Pins the agent of a locked host, or unpins it. */
export function recordAgentPin(ctx: Ctx, hostId: string, isPinned: boolean): Promise<void> {
  return store.putAgentPin(ctx.db, hostId, isPinned)
}
