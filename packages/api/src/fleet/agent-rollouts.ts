/** Rollouts of versions of the agent to hosts, in groups. */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  id,
  idOrPath,
  integer,
  nullable,
  object,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { agentVersionText } from './agent-bundles.ts'
import { host } from './hosts.ts'

/** The states of a rollout, and those that can follow each. */
export const agentRolloutStates = {
  running: { next: ['halted', 'completed', 'cancelled'] },
  halted: { next: ['running', 'cancelled'] },
  completed: { next: ['halted', 'cancelled'] },
  cancelled: { next: [] },
} as const
export type AgentRolloutState = keyof typeof agentRolloutStates
const states = Object.keys(agentRolloutStates) as AgentRolloutState[]

/** Why a rollout is halted. */
export const haltReasons = ['operator', 'not_back', 'update_failed', 'instance_lost', 'new_problem'] as const
export type HaltReason = (typeof haltReasons)[number]

/** What a rollout has to do with a host. */
export const rolloutHostStates = ['pending', 'updating', 'updated', 'failed', 'skipped'] as const
export type RolloutHostState = (typeof rolloutHostStates)[number]

/** Why a host is left out for now. */
export const skipReasons = ['silent', 'no_updater', 'package', 'pinned', 'retired'] as const
export type SkipReason = (typeof skipReasons)[number]

export const groupsMax = 10
/** How many hosts a rollout shows one by one. */
export const shownHostsMax = 100
/** The usual time for which a host is watched, and in which it has to be back, in seconds. */
export const healthSecondsDefault = 120
export const returnSecondsDefault = 600
/** For how long a rollout that is not the newest still shows its hosts. */
export const rolloutHostsKeptSeconds = 30 * 86_400

const groupName = (description = 'Name of the group.') =>
  text({
    min: 1,
    max: 32,
    pattern: '^[a-z][a-z0-9-]*$',
    form: 'a lower-case name',
    examples: ['canary', 'early', 'rest'],
    description,
  })
const healthSeconds = integer({
  unit: 'seconds',
  min: 0,
  max: 86_400,
  description: 'For how many seconds a host is watched after its update before the next update begins.',
})
const returnSeconds = integer({
  unit: 'seconds',
  min: 10,
  max: 86_400,
  description: 'Within how many seconds a host must report the new version and be well.',
})
const atOnce = integer({
  min: 1,
  max: 100,
  description: 'How many hosts of a SKU, and of an InfiniBand fabric, are updated at once.',
})
const hostCount = (description: string) => integer({ min: 0, description })

const rolloutGroup = resource('AgentRolloutGroup', 'A group of hosts of a rollout, and how far it is.', {
  name: groupName(),
  percent: nullable(integer({ min: 1, max: 100, description: 'Its share of the hosts. `null`: all that are left.' })),
  hosts: hostCount('Hosts in the group.'),
  pending: hostCount('Hosts that wait for their turn.'),
  updating: hostCount('Hosts that are being updated or watched.'),
  updated: hostCount('Hosts that have the version.'),
  failed: hostCount('Hosts whose update failed.'),
  skipped: hostCount('Hosts that are left out for now.'),
})

const rolloutHost = resource('AgentRolloutHost', 'A host of a rollout that is being updated, failed or was left out.', {
  host: id('host'),
  group: groupName(),
  state: openOneOf(rolloutHostStates, { description: 'State of the host in the rollout.' }),
  from_version: nullable(text({ max: 64, description: 'Version that it had before. `null`: not known.' })),
  to_version: agentVersionText('Version that it gets.'),
  reason: nullable(text({ max: 1024, description: 'Why it failed or is left out, for people.' })),
})

export const agentRollout = resource('AgentRollout', 'The update of the agents of all hosts, in groups.', {
  object: constant('agent_rollout'),
  id: id('agent_rollout'),
  agent_version: agentVersionText('Version that the hosts get. For a rollback: the version that they leave.'),
  rolls_back: nullable(id('agent_rollout', { description: 'Rollout that this one rolls back. `null`: none.' })),
  state: openOneOf(states, { description: 'Whether it runs, is halted or has ended.' }),
  halt_reason: nullable(openOneOf(haltReasons, { description: 'Why it is halted. `null`: it is not.' })),
  halt_message: nullable(text({ max: 1024, description: 'The reason as a sentence for people, with the host.' })),
  group: nullable(groupName('Group whose turn it is. `null`: all groups had their turn.')),
  groups: array(rolloutGroup, { min: 1, max: groupsMax, description: 'The groups, in the order of their turns.' }),
  hosts: array(rolloutHost, {
    max: shownHostsMax,
    description:
      'Hosts that are being updated, failed or were left out, up to 100. Empty 30 days after the end, unless it is ' +
      'the newest rollout.',
  }),
  health_seconds: healthSeconds,
  return_seconds: returnSeconds,
  hosts_at_once: atOnce,
  created_at: createdAt,
  ended_at: nullable(timestamp({ description: 'When it completed or was cancelled. `null`: it has not ended.' })),
})
export type AgentRollout = Static<typeof agentRollout>

const onPlatform = { area: 'administration', scope: 'account' } as const
const params = { id: id('agent_rollout') }
const change = {
  ...onPlatform,
  method: 'POST',
  params,
  success: 200,
  response: agentRollout,
  access: 'platform:write',
} as const
const gives = { limited: 'networks', recent_sign_in: 'always', trail: 'entry' } as const
const takes = {
  limited: 'networks',
  recent_sign_in: 'never',
  trail: 'entry',
  unasked: 'It stops an update, which must not wait.',
} as const

export const createAgentRollout = endpoint({
  ...onPlatform,
  name: 'create_agent_rollout',
  method: 'POST',
  path: '/preview/v2/admin/agent_rollouts',
  summary: 'Create an agent rollout',
  description:
    'Updates the agents of all hosts to a version, group by group. In a group one host of a SKU and fabric is ' +
    'updated at a time, or as many as `hosts_at_once` says. The next host follows once a host has been well for ' +
    '`health_seconds`: its agent reports with the version, its instances run as before, and it is not `faulted` ' +
    'and has no new problem. The first failure halts the rollout, with the event `agent_rollout.halted` of the ' +
    'platform account. Hosts that are silent, pinned, or have no updater are left out; they follow when they can, ' +
    'while no newer rollout exists. One rollout at a time: otherwise `rollout_in_progress`.',
  body: object({
    agent_version: agentVersionText('Version of a bundle.'),
    groups: optional(
      array(
        text({
          max: 40,
          pattern: '^[a-z][a-z0-9-]{0,31}(=(100|[1-9][0-9]?)%)?$',
          form: 'a lower-case name, and its share of the hosts such as =5% unless it is the last one',
          examples: ['canary=1%', 'rest'],
          description: 'A group.',
        }),
        {
          min: 1,
          max: groupsMax,
          description:
            'Groups in the order of their turns, such as `canary=1%`, `early=10%`, `rest`. The last one has no ' +
            'share and gets all other hosts. Default: these three.',
        },
      ),
    ),
    health_seconds: optional({ ...healthSeconds, default: healthSecondsDefault }),
    return_seconds: optional({ ...returnSeconds, default: returnSecondsDefault }),
    hosts_at_once: optional({ ...atOnce, default: 1 }),
    halted: optional(
      boolean({
        default: false,
        description: 'Create it halted. `resume_agent_rollout` starts it.',
        negative: 'Begin at once. This is the default.',
      }),
    ),
  }),
  idempotent: true,
  response: agentRollout,
  access: 'platform:write',
  trust: gives,
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'duplicate_entry',
    'reference_not_found',
    'bundle_not_supported',
    'rollout_in_progress',
  ],
})

export const listAgentRollouts = endpoint({
  ...onPlatform,
  name: 'list_agent_rollouts',
  method: 'GET',
  path: '/preview/v2/admin/agent_rollouts',
  summary: 'List agent rollouts',
  description: 'The newest comes first. `get_agent_rollout` shows a single rollout.',
  query: {
    ...pageParameters('arolc'),
    state: repeated(oneOf(states, { description: 'Only rollouts in this state.' })),
  },
  response: pageOf(agentRollout, 'arolc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const getAgentRollout = endpoint({
  ...onPlatform,
  name: 'get_agent_rollout',
  method: 'GET',
  path: '/preview/v2/admin/agent_rollouts/:id',
  summary: 'Read an agent rollout',
  description: 'Shows how far each group is, and the hosts that need attention.',
  params,
  response: agentRollout,
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const haltAgentRollout = endpoint({
  ...change,
  name: 'halt_agent_rollout',
  path: '/preview/v2/admin/agent_rollouts/:id/halt',
  summary: 'Halt an agent rollout',
  description:
    'No further host begins its update. A host that has begun goes on. A completed rollout no longer takes up hosts ' +
    'that return.',
  trust: takes,
  unconfirmed: 'resume_agent_rollout takes it back.',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const resumeAgentRollout = endpoint({
  ...change,
  name: 'resume_agent_rollout',
  path: '/preview/v2/admin/agent_rollouts/:id/resume',
  summary: 'Resume an agent rollout',
  description: 'It goes on where it was halted. Hosts whose update failed try again.',
  trust: gives,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'invalid_state'],
})

export const cancelAgentRollout = endpoint({
  ...change,
  name: 'cancel_agent_rollout',
  path: '/preview/v2/admin/agent_rollouts/:id/cancel',
  summary: 'Cancel an agent rollout',
  description:
    'Ends a rollout that runs or is halted. Hosts keep the version that they have; `roll_back_agent_rollout` gives ' +
    'them their former version.',
  trust: takes,
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const rollBackAgentRollout = endpoint({
  ...change,
  name: 'roll_back_agent_rollout',
  path: '/preview/v2/admin/agent_rollouts/:id/roll_back',
  summary: 'Roll back an agent rollout',
  description:
    'Ends the newest rollout, and gives the hosts that it has updated the versions that they had before. The ' +
    'response is the rollout that does it, under the same rules, in one group. Each host keeps its previous version, ' +
    'so the server need not have the bundle of it.',
  trust: gives,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'invalid_state'],
})

const ofHost = {
  ...onPlatform,
  method: 'POST',
  params: { id: idOrPath('host') },
  success: 200,
  response: host,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  errors: ['forbidden', 'not_found'],
} as const

export const pinHostAgent = endpoint({
  ...ofHost,
  name: 'pin_host_agent',
  path: '/preview/v2/admin/hosts/:id/pin_agent',
  summary: 'Pin the agent version',
  description: 'Rollouts leave the host out until `unpin_host_agent`.',
})

export const unpinHostAgent = endpoint({
  ...ofHost,
  name: 'unpin_host_agent',
  path: '/preview/v2/admin/hosts/:id/unpin_agent',
  summary: 'Unpin the agent version',
  description: 'The newest rollout then takes the host up.',
})

export const operations = [
  createAgentRollout,
  listAgentRollouts,
  getAgentRollout,
  haltAgentRollout,
  resumeAgentRollout,
  cancelAgentRollout,
  rollBackAgentRollout,
  pinHostAgent,
  unpinHostAgent,
] as const
