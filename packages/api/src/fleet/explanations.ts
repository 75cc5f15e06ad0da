/** Why an instance waits, boots, runs until when, or has ended. */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  id,
  idOrPath,
  integer,
  nullable,
  oneOf,
  openOneOf,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { type InstanceState, instanceStates } from './instance-states.ts'
import { priorityLevels } from './priority-levels.ts'

/** Why an instance waits. */
export const waitingReasons = [
  'no_allocation',
  'outranked',
  'no_free_host',
  'host_unreachable',
  'no_public_ipv4',
] as const
/** Why an instance waits. */
export type WaitingReason = (typeof waitingReasons)[number]

/** Why the machine of a running instance is not up yet. */
export const bootReasons = ['fetching_image', 'starting', 'start_retry'] as const
/** Why the machine of a running instance is not up yet. */
export type BootReason = (typeof bootReasons)[number]

/** Why an instance ended or will end. */
export const terminationReasons = [
  'user',
  'guest_shutdown',
  'replaced',
  'deployment_deleted',
  'scaled_down',
  'allocation_ended',
  'sold',
  'transferred',
  'host_retired',
] as const
/** Why an instance ended or will end. */
export type TerminationReason = (typeof terminationReasons)[number]

/** In which order instances of a pool and SKU end when its allocation does not carry all of them. */
export const victimRule = 'lowest_priority_then_newest_then_id'

const node_count = () => integer({ min: 0 })

/** Why an instance stands where it stands. What does not apply is null; reasons are all that hold, in their order. */
export const instanceExplanation = resource('InstanceExplanation', {
  object: constant('instance_explanation'),
  instance: id('instance'),
  state: openOneOf(Object.keys(instanceStates) as InstanceState[]),
  as_of: timestamp(),
  summary: text({ max: 1024 }),
  waiting: nullable(
    resource('InstanceWaiting', {
      reasons: array(
        resource('InstanceWaitingReason', { code: openOneOf(waitingReasons), message: text({ max: 1024 }) }),
        { description: 'Empty while it is being placed, or its host has not reported it yet.' },
      ),
      next_allocation_at: nullable(
        timestamp({ description: 'When the allocation of its pool will reach it, as far as that is bought.' }),
      ),
      rank: integer({ min: 1, description: 'Its place among those that wait; 1 is next.' }),
      pool_allocation_now: node_count(),
      pool_instances_now: integer({ min: 0, description: 'Instances that hold allocation now, placed ones too.' }),
    }),
  ),
  boot: nullable(
    resource('InstanceBoot', {
      reasons: array(resource('InstanceBootReason', { code: openOneOf(bootReasons), message: text({ max: 1024 }) })),
    }),
  ),
  termination: nullable(
    resource('InstanceTermination', {
      reason: openOneOf(terminationReasons),
      notice_at: nullable(timestamp({ description: 'When it was told; null without notice, so far or at all.' })),
      deadline_at: nullable(
        timestamp({ description: 'When it ends by what is known now. Before the notice this may still change.' }),
      ),
      ended_at: nullable(timestamp()),
      allocation_before: node_count(),
      allocation_after: node_count(),
      priority_level: oneOf(priorityLevels),
      rule: openOneOf([victimRule], { description: 'Who ends first where allocation falls.' }),
    }),
  ),
  connection_lost_at: nullable(timestamp()),
  replaces: nullable(id('instance')),
  replaced_by: nullable(id('instance')),
})
export type InstanceExplanation = Static<typeof instanceExplanation>

export const explainInstance = endpoint({
  name: 'explain_instance',
  method: 'GET',
  path: '/preview/v2/explain/instances/:id',
  area: 'instances',
  summary: 'Why an instance waits, is not up yet, will end or has ended.',
  params: { id: idOrPath('instance') },
  response: instanceExplanation,
  access: 'instance:read',
  errors: ['forbidden', 'not_found'],
})
