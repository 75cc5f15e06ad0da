/** Who causes the events of each action. */

import type { EventAction } from './actions.ts'
import type { Actor } from './events.ts'

type EventAuthors = readonly Actor['type'][]

const caller = ['token'] as const
const service = ['system'] as const
const either = ['token', 'system'] as const

/**
 * Which actors the events of each action may have. `system` stands for automations, hosts, the platform operator and
 * the controls of a sandbox.
 */
export const eventActors: Readonly<Record<EventAction, EventAuthors>> = {
  'instance.created': either,
  'instance.running': service,
  'instance.termination_imminent': service,
  'instance.termination_withdrawn': service,
  'instance.terminated': either,
  'instance.failed': service,
  'instance.connection_lost': service,
  'agent_rollout.halted': service,
  'agent_rollout.completed': service,
  'host.facts_changed': service,
  'host.unfit': service,
  'host.fit': service,
  'order.created': either,
  'order.partially_filled': either,
  'order.filled': either,
  'order.cancelled': either,
  'image.revoked': either,
  'image.reinstated': either,
  'image.published': service,
  'image.deprecated': either,
  'trust_level.updated': service,
  'account.balance_low': service,
  'instance_sku_override.updated': service,
  'instance_sku_override.deleted': service,
  'ssh_key.created': caller,
  'ssh_key.deleted': either,
  'webhook.failing': service,
  'webhook.recovered': service,
  'webhook.disabled': service,
  'budget.threshold_reached': service,
  'credit.requested': service,
  'credit.approved': service,
  'credit.refused': service,
  'credit.expired': service,
  'audit.violated': service,
}
