import type { AgentRolloutState, RolloutHostState } from '@bourse/api/fleet/agent-rollouts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What the newest rollout has to do with one host. */
export type HostTurnRow = {
  rollout_id: Id<'agent_rollout'>
  rollout_state: AgentRolloutState
  state: RolloutHostState
  to_version: string
  attempt: number
  failure: string | null
}

const selectTurn = statement<HostTurnRow>(
  'fleet.find_agent_turn_of_host',
  `select h.rollout_id, r.state as rollout_state, h.state, h.to_version, h.attempt, h.failure
   from agent_rollouts r
   join agent_rollout_hosts h on h.rollout_id = r.id and h.host_id = $1
   where r.id = (
     select id
     from agent_rollouts
     order by created_at desc, id desc
     limit 1
   )`,
)
const updateFailure = statement<never>(
  'fleet.put_agent_update_failure',
  `update agent_rollout_hosts
   set failure = $4
   where rollout_id = $1 and host_id = $2 and attempt = $3 and state = 'updating'`,
)

/** What the newest rollout has to do with a host; undefined if nothing. */
export function findTurnOfHost(db: Db, hostId: string): Promise<HostTurnRow | undefined> {
  return db.row(selectTurn, [hostId])
}

/** Stores what the updater of a host says about an attempt that failed. */
export async function putUpdateFailure(
  db: Db,
  { rollout_id, attempt }: Pick<HostTurnRow, 'rollout_id' | 'attempt'>,
  { host_id, reason }: { readonly host_id: string; readonly reason: string },
): Promise<void> {
  await db.run(updateFailure, [rollout_id, host_id, attempt, reason])
}
