import type { FigureGroup } from '../../core/work/figures.ts'

/** The newest rollout is the one that counts: at most one is in progress. */
export const agentRolloutFigures: FigureGroup = {
  families: [
    {
      name: 'bourse_agent_rollouts',
      type: 'gauge',
      help: 'Rollouts of the agent that are in progress, by state.',
      label: 'state',
      shown: ['running', 'halted'],
    },
  ],
  text: `select 'bourse_agent_rollouts' as family, state as label, count(*) as value
      from agent_rollouts
      where state in ('running', 'halted')
      group by state`,
}
