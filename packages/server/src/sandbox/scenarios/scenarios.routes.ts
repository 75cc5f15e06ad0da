import { listScenarios, loadScenario, resetSandbox } from '@bourse/api/sandbox/scenarios.ts'
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as scenarios from './scenarios.service.ts'

export const scenarioRoutes = [
  handle(listScenarios, async () => scenarios.listScenarios()),
  handleRuntime(loadScenario, (runtime, { params, body }) => scenarios.loadScenario(runtime, params.name, body.seed)),
  handleRuntime(resetSandbox, (runtime, { body }) => scenarios.resetSandbox(runtime, body)),
]
