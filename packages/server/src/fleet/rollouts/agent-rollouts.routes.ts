import { operations as bundleOperations } from '@bourse/api/fleet/agent-bundles.ts'
import { operations } from '@bourse/api/fleet/agent-rollouts.ts'
import { checkAgentUpdate, getFleetAgent, reportAgentVersion } from '@bourse/api/fleet/agent-updates.ts'
import { handle, handleAgent, handleAll } from '../../core/http/routes.ts'
import * as bundles from './agent-bundles.service.ts'
import * as rollouts from './agent-rollouts.service.ts'
import * as updates from './agent-updates.service.ts'

export const agentRolloutRoutes = [
  ...handleAll(bundleOperations, { ...bundles, deleteAgentBundle: rollouts.deleteAgentBundle }),
  ...handleAll(operations, rollouts),
  handleAgent(reportAgentVersion, updates.reportAgentVersion),
  handleAgent(checkAgentUpdate, updates.checkAgentUpdate),
  handle(getFleetAgent, updates.getFleetAgent),
]
