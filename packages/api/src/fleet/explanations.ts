/** Why an instance waits, is still booting, will end or has ended. */
import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  id,
  idOrPath,
  integer,
  nullable,
  oneOf,
  openEnum,
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
  'predecessor_stopping',
  'no_public_ipv4',
] as const
/** Why an instance waits. */
export type WaitingReason = (typeof waitingReasons)[number]

/** Why a running instance is still booting. */
export const bootReasons = ['fetching_image', 'starting', 'start_retry'] as const
/** Why a running instance is still booting. */
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
  'host_unfit',
  'host_lost',
] as const
/** Why an instance ended or will end. */
export type TerminationReason = (typeof terminationReasons)[number]

/** The order in which instances of a pool and SKU end when the allocation is smaller than their number. */
export const victimRule = 'lowest_priority_then_newest_then_id'

const reasonCode = { description: 'Why, as a word.' }
const reasonMessage = text({ max: 1024, description: 'Why, for people.' })
const nodeCount = (description: string) => integer({ min: 0, description })

export const instanceExplanation = resource(
  'InstanceExplanation',
  'Why an instance is in its state. Parts that do not apply are null. All reasons that apply are listed, in order.',
  {
    object: constant('instance_explanation'),
    instance: id('instance'),
    state: openEnum(Object.keys(instanceStates) as InstanceState[], { description: 'Its state.' }),
    as_of: timestamp({ description: 'The time of the explanation, in Unix seconds.' }),
    summary: text({ max: 1024, description: 'The explanation in one sentence, for people.' }),
    waiting: nullable(
      resource('InstanceWaiting', 'Why an instance waits.', {
        reasons: array(
          resource('InstanceWaitingReason', 'One reason why an instance waits.', {
            code: openOneOf(waitingReasons, reasonCode),
            message: reasonMessage,
          }),
          { max: 32, description: 'Empty while the instance is being placed, or until its host has reported it.' },
        ),
        next_allocation_at: nullable(
          timestamp({
            description:
              'When the allocation of its pool suffices for it, from what is bought now. `null` if it never does.',
          }),
        ),
        rank: integer({ min: 1, description: 'Position in the queue of its pool and SKU; 1 starts next.' }),
        pool_allocation_now: nodeCount('Nodes of the SKU that its pool owns now.'),
        pool_instances_now: integer({
          min: 0,
          description: 'Instances that use allocation now, including those that are placed but not running.',
        }),
      }),
    ),
    boot: nullable(
      resource('InstanceBoot', 'Why a running instance is still booting.', {
        reasons: array(
          resource('InstanceBootReason', 'One reason why an instance is still booting.', {
            code: openOneOf(bootReasons, reasonCode),
            message: reasonMessage,
          }),
          {
            max: 32,
            description: 'All reasons that apply.',
          },
        ),
      }),
    ),
    termination: nullable(
      resource('InstanceTermination', 'Why an instance will end or has ended.', {
        reason: openOneOf(terminationReasons, { description: 'Why it ends or has ended.' }),
        notice_at: nullable(timestamp({ description: 'When the notice was given. `null`: no notice has been given.' })),
        deadline_at: nullable(
          timestamp({ description: 'When it is expected to end. This can change until notice is given.' }),
        ),
        ended_at: nullable(timestamp({ description: 'When it ended, in Unix seconds. `null`: it has not.' })),
        allocation_before: nodeCount('Nodes of the SKU that its pool owned before the change.'),
        allocation_after: nodeCount(
          'Nodes that its pool owns after the change. Equal to `allocation_before`: the instance ends for another ' +
            'reason.',
        ),
        priority_level: oneOf(priorityLevels, { description: 'Its priority.' }),
        rule: openOneOf([victimRule], { description: 'Which instances end first when allocation falls.' }),
      }),
    ),
    connection_lost_at: nullable(
      timestamp({ description: 'Since when its host has not reported, in Unix seconds. `null`: it reports.' }),
    ),
    replaces: nullable(id('instance', { description: 'The instance that it replaced. `null`: none.' })),
    replaced_by: nullable(id('instance', { description: 'The instance that replaced it. `null`: none.' })),
  },
)
export type InstanceExplanation = Static<typeof instanceExplanation>

export const explainInstance = endpoint({
  name: 'explain_instance',
  method: 'GET',
  path: '/preview/v2/explain/instances/:id',
  area: 'instances',
  summary: 'Explain an instance',
  description:
    'Says why an instance waits, is still booting, will end or has ended, and when it will get allocation. It ' +
    'changes nothing.',
  params: { id: idOrPath('instance') },
  response: instanceExplanation,
  access: 'instance:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const operations = [explainInstance] as const
