/** Rollouts of versions of the agent to hosts. */
import type { AgentRollout } from '@bourse/sdk'
import { agentRollouts } from '../generated/rows/operator.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { Badge } from '../ui/badge.tsx'
import { hostsIn, progressText } from './rollouts.rules.ts'

/** Milliseconds between two reads: what hosts do emits no event until the rollout halts or completes. */
export const rolloutPace = 5_000

/** The list. */
export function Rollouts() {
  return (
    <ListTab
      name="Agent rollouts"
      operation="list_agent_rollouts"
      every={rolloutPace}
      columns={columns}
      page="/operator/rollouts/$id"
      filters={filters}
      empty={{
        title: 'No rollout',
        unmatched: 'No such rollout',
        command: 'bourse platform agent-rollouts create 1.4.0 --groups canary=1%,early=10%,rest',
        text: 'A rollout gives the agents of all hosts a new version, group by group, and halts at the first failure.',
      }}
    />
  )
}

const filters = { state: choiceFilter('State', ['running', 'halted', 'completed', 'cancelled']) }

/** The state of a rollout: one that is halted needs somebody. */
export function RolloutState({ state }: Pick<AgentRollout, 'state'>) {
  return state === 'halted' ? <Badge word={state} tone="bad" /> : <Badge word={state} />
}

const columns = columnsOf(
  agentRollouts,
  [
    { of: 'agent_version', title: 'Version', isName: true },
    { of: 'state', cell: RolloutState },
    { of: 'group', title: 'Group' },
    { id: 'progress', title: 'Have it', value: progressText },
    { id: 'failed', title: 'Failed', as: 'count', value: ({ groups }) => hostsIn(groups, 'failed') },
    { id: 'skipped', title: 'Left out', as: 'count', value: ({ groups }) => hostsIn(groups, 'skipped') },
    'created_at',
    { of: 'ended_at', title: 'Ended' },
  ],
  ['id', { of: 'rolls_back', title: 'Takes back' }],
)
