/** What happened, as the middle of a sentence: somebody *placed* an order, an order *was filled*. Pure. */
import type { EventAction, reservedEventActions } from '@bourse/api/events/actions.ts'
import type { Event } from '@bourse/sdk'

type KnownAction = EventAction | keyof typeof reservedEventActions

type Phrase = {
  /** After the thing: `web-1` `was created`. */
  readonly of_thing: string
  /** Between who did it and the thing, where somebody does: a person `created` `web-1`. */
  readonly of_actor?: string
}

/** A verb that is the same in both. */
const verb = (word: string): Phrase => ({ of_thing: `was ${word}`, of_actor: word })

const phrases: Readonly<Record<KnownAction, Phrase>> = {
  'instance.created': verb('created'),
  'instance.running': { of_thing: 'runs' },
  'instance.termination_imminent': { of_thing: 'ends soon' },
  'instance.termination_withdrawn': { of_thing: 'goes on: its notice is withdrawn' },
  'instance.terminated': { of_thing: 'has ended', of_actor: 'ended' },
  'instance.failed': { of_thing: 'failed' },
  'instance.connection_lost': { of_thing: 'does not answer' },
  'host.facts_changed': { of_thing: 'reports other hardware' },
  'host.unfit': { of_thing: 'lacks hardware of its SKU' },
  'host.fit': { of_thing: 'has the hardware of its SKU again' },
  'agent_rollout.halted': { of_thing: 'was halted: a host failed its update' },
  'agent_rollout.completed': { of_thing: 'completed' },
  'order.created': verb('placed'),
  'order.partially_filled': { of_thing: 'was filled in part' },
  'order.filled': { of_thing: 'was filled' },
  'order.cancelled': verb('cancelled'),
  'order.rejected': { of_thing: 'was rejected' },
  'image.revoked': verb('revoked'),
  'image.reinstated': verb('reinstated'),
  'image.published': verb('published'),
  'image.deprecated': verb('deprecated'),
  'trust_level.updated': { of_thing: 'has another trust level', of_actor: 'changed the trust level of' },
  'account.balance_low': { of_thing: 'has a low balance' },
  'instance_sku_override.updated': { of_thing: 'has properties of its own', of_actor: 'overrode properties of' },
  'instance_sku_override.deleted': { of_thing: 'has its usual properties', of_actor: 'removed the override of' },
  'ssh_key.created': verb('added'),
  'ssh_key.deleted': verb('deleted'),
  'webhook.failing': { of_thing: 'fails' },
  'webhook.recovered': { of_thing: 'delivers again' },
  'webhook.disabled': { of_thing: 'was switched off' },
  'budget.threshold_reached': { of_thing: 'reached a threshold' },
  'credit.requested': verb('requested'),
  'credit.approved': verb('approved'),
  'credit.refused': verb('refused'),
  'credit.expired': { of_thing: 'expired' },
  'audit.violated': { of_thing: 'found rows that contradict it' },
}

/** A sentence in parts: who comes first where somebody did it. */
export type EventPhrase = { readonly is_of_actor: boolean; readonly text: string }

/** What an event says. An action that this console does not know is told by its own words. */
export function phraseOf({ action, actor }: Pick<Event, 'action' | 'actor'>): EventPhrase {
  const phrase = Object.hasOwn(phrases, action) ? phrases[action as KnownAction] : undefined
  const isPerson = actor.type !== 'system'
  if (!phrase) return { is_of_actor: isPerson, text: action.split('.').join(' ').replaceAll('_', ' ') }
  const { of_thing, of_actor } = phrase
  return isPerson && of_actor !== undefined
    ? { is_of_actor: true, text: of_actor }
    : { is_of_actor: false, text: of_thing }
}
