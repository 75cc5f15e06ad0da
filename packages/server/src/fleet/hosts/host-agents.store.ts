import type { AgentManager } from '@bourse/api/fleet/agent-updates.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What is known about the agent of a host, besides its version. Times are of the real clock. */
type HostAgentRow = {
  host_id: string
  commit: string | null
  managed_by: AgentManager | null
  is_pinned: boolean
}

/** What an updater reports about itself. */
export type UpdaterReport = {
  readonly host_id: string
  readonly managed_by: AgentManager
  readonly updater_version: string
}

const selectRows = statement<HostAgentRow>(
  'fleet.list_host_agents',
  `select host_id, commit, managed_by, is_pinned
   from host_agents
   where host_id = any($1)`,
)
const writeVersion = statement<never>(
  'fleet.put_agent_version',
  `with reported as (
     update hosts
     set agent_version = $2
     where id = $1 and agent_version is distinct from $2
   )
   insert into host_agents (host_id, commit)
   values ($1, $3)
   on conflict (host_id) do update
   set commit = excluded.commit`,
)
const writeUpdater = statement<{ is_pinned: boolean }>(
  'fleet.put_agent_updater',
  `insert into host_agents (host_id, managed_by, updater_version, updater_at)
   values ($1, $2, $3, floor(bourse_real_now())::bigint)
   on conflict (host_id) do update
   set managed_by = excluded.managed_by, updater_version = excluded.updater_version,
     updater_at = excluded.updater_at
   returning is_pinned`,
)
const writePin = statement<never>(
  'fleet.put_agent_pin',
  `insert into host_agents (host_id, is_pinned)
   values ($1, $2)
   on conflict (host_id) do update
   set is_pinned = excluded.is_pinned`,
)

/** What is known about the agents of some hosts. Hosts of which nothing is known are left out. */
export function listHostAgents(db: Db, hostIds: readonly string[]): Promise<HostAgentRow[]> {
  return db.rows(selectRows, [hostIds])
}

/** Stores the version that the agent of a locked host reports. */
export async function putAgentVersion(
  db: Db,
  { host_id, version, commit }: { readonly host_id: string; readonly version: string; readonly commit: string | null },
): Promise<void> {
  await db.run(writeVersion, [host_id, version, commit])
}

/** Stores what the updater of a locked host reports. Returns whether the agent is pinned. */
export async function putUpdater(db: Db, report: UpdaterReport): Promise<boolean> {
  const { host_id, managed_by, updater_version } = report
  return (await db.row(writeUpdater, [host_id, managed_by, updater_version]))?.is_pinned ?? false
}

/** Pins the agent of a locked host, or unpins it. */
export async function putAgentPin(db: Db, hostId: string, isPinned: boolean): Promise<void> {
  await db.run(writePin, [hostId, isPinned])
}
