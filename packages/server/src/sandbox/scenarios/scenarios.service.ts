import { type LoadedScenario, type Scenario, type ScenarioName, scenarios } from '@bourse/api/sandbox/scenarios.ts'
import { shortListResponse } from '../../core/work/page.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { platformOf } from '../world/world.service.ts'
import { loadWorld } from './worlds.service.ts'

const defaultScenario: ScenarioName = 'quickstart'
const defaultSeed = 1

/** Lists the scenarios. */
export function listScenarios() {
  const data = (Object.keys(scenarios) as ScenarioName[]).map((name): Scenario => {
    return { object: 'scenario', name, description: scenarios[name] }
  })
  return shortListResponse(data)
}

/** Wipes the sandbox and loads a scenario. 404 if there is none of the name. */
export async function loadScenario(runtime: Runtime, name: string, seed = defaultSeed): Promise<LoadedScenario> {
  if (!Object.hasOwn(scenarios, name)) refuseNotFound()
  return loadWorld(runtime, { scenario: name as ScenarioName, seed, platform: platformOf(runtime) })
}

/** Wipes the sandbox and loads the default scenario, or the given one. */
export function resetSandbox(
  runtime: Runtime,
  { scenario = defaultScenario, seed = defaultSeed }: { scenario?: ScenarioName; seed?: number },
): Promise<LoadedScenario> {
  return loadWorld(runtime, { scenario, seed, platform: platformOf(runtime) })
}
