/** The part of the agent protocol by which hosts learn which version of the agent they run next. */
import { endpoint } from '../kit/endpoint.ts'
import { boolean, nullable, oneOf, openObject, openResource, optional, text } from '../kit/schema.ts'
import { agentVersionText, bundleOffer } from './agent-bundles.ts'
import { area, epoch } from './agent-hardware.ts'
import { machineText } from './hardware.ts'

/** Who updates the agent of a host: the updater, the distribution's package manager, or nobody. */
export const agentManagers = ['updater', 'package', 'none'] as const
export type AgentManager = (typeof agentManagers)[number]

/** Names one update of one host: an updater tries each once. */
const updateKey = text({
  max: 64,
  pattern: '^[A-Za-z0-9_/-]+$',
  form: 'the key of an update',
  examples: ['arol_00000001/1'],
  description: 'Key of the update. A host tries each key once.',
})

const wantedAgent = openObject(
  {
    key: updateKey,
    version: agentVersionText('Version that the host should run.'),
    bundle: nullable({
      ...bundleOffer,
      description: 'How to download the version. `null`: only hosts that have kept the version can run it.',
    }),
  },
  { description: 'The version that the host should run instead of its present version.' },
)

export const reportAgentVersion = endpoint({
  name: 'report_agent_version',
  method: 'PUT',
  path: '/agent/v1/version',
  area,
  summary: 'Report the agent version',
  description: 'The agent reports its version at each start, and once an hour. Safe to repeat.',
  success: 200,
  body: openObject({
    epoch,
    version: machineText({ min: 1, max: 64, description: 'Version of the agent.' }),
    commit: nullable(machineText({ max: 64, description: 'Commit that it was built from. `null`: not known.' })),
  }),
  response: openResource('ReportedAgentVersion', 'The response to a report of the version.', {
    version: text({ max: 64, description: 'The version, as it is stored.' }),
  }),
  access: 'agent',
  errors: ['stale_epoch'],
})

export const checkAgentUpdate = endpoint({
  name: 'check_agent_update',
  method: 'POST',
  path: '/agent/v1/update',
  area,
  summary: 'Report and read agent updates',
  description:
    'Reports the last update that the updater of a host made, and returns the update that it should make. Safe to ' +
    'repeat. The updater is a program beside the agent. It asks once a minute, whether the agent runs or not.',
  success: 200,
  body: openObject({
    managed_by: oneOf(agentManagers, { description: 'Who updates the agent.' }),
    version: nullable(machineText({ max: 64, description: 'Version that is installed. `null`: not known.' })),
    updater_version: machineText({ min: 1, max: 64, description: 'Version of the updater itself.' }),
    failed: optional(
      openObject(
        { key: updateKey, reason: machineText({ min: 1, max: 1024, description: 'Why, for people.' }) },
        { description: 'An update that failed and was taken back.' },
      ),
    ),
  }),
  response: openResource('AgentUpdate', 'The version that a host should run.', {
    wanted: nullable(wantedAgent),
    pinned: boolean({ description: 'Whether the platform operator has pinned the agent of the host.' }),
  }),
  access: 'agent',
})

export const getFleetAgent = endpoint({
  name: 'get_fleet_agent',
  method: 'GET',
  path: '/agent/v1/fleet',
  area,
  summary: 'Read the fleet agent version',
  description:
    'Returns the version of the newest rollout that has completed. It needs no token: it serves hosts whose agent ' +
    'the server no longer accepts.',
  response: openResource('FleetAgent', 'The version that hosts run.', {
    version: nullable(agentVersionText('The version. `null`: no rollout has completed.')),
    bundle: nullable(bundleOffer),
  }),
  access: 'public',
})

export const operations = [reportAgentVersion, checkAgentUpdate, getFleetAgent] as const
