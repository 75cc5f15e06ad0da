/** The target of an event action. */
type ActionMeaning = { readonly target_type: string; readonly meaning: string }

/** Every action that this build emits, with the kind of its one target. */
export const eventActions = {
  'instance.created': { target_type: 'instance', meaning: 'Created; waits for allocation.' },
  'instance.running': {
    target_type: 'instance',
    meaning: 'Its host starts it; SSH responds once the image has booted.',
  },
  'instance.termination_imminent': {
    target_type: 'instance',
    meaning: 'Notice: it will end soon, because its allocation or its host ends.',
  },
  'instance.termination_withdrawn': { target_type: 'instance', meaning: 'The notice no longer holds.' },
  'instance.terminated': {
    target_type: 'instance',
    meaning:
      'Ended: by its user, from inside, by replacement, by its deployment, with its allocation or with its host.',
  },
  'instance.failed': {
    target_type: 'instance',
    meaning:
      'Its machine did not start, was lost or is unhealthy. The instance still counts; work may be lost. Replace or ' +
      'terminate it. If its host was lost for good, it ends at once.',
  },
  'instance.connection_lost': { target_type: 'instance', meaning: 'Its host no longer reports.' },
  'host.facts_changed': { target_type: 'host', meaning: 'Its agent reported other hardware than before.' },
  'host.unfit': {
    target_type: 'host',
    meaning:
      'Its hardware no longer fits its SKU, because one of them changed. It takes no instances, and its free nodes ' +
      'left their pool.',
  },
  'host.fit': {
    target_type: 'host',
    meaning: 'Its hardware fits its SKU again. Its nodes are back, unless it is being drained or is drained.',
  },
  'agent_rollout.halted': {
    target_type: 'agent_rollout',
    meaning: 'Halted: a host failed its update, or an instance on it was lost.',
  },
  'agent_rollout.completed': {
    target_type: 'agent_rollout',
    meaning: 'All hosts that could be updated have the version.',
  },
  'order.created': { target_type: 'order', meaning: 'Placed.' },
  'order.partially_filled': { target_type: 'order', meaning: 'Filled in part by a trade; once for each such trade.' },
  'order.filled': { target_type: 'order', meaning: 'Filled completely, by this trade.' },
  'order.cancelled': {
    target_type: 'order',
    meaning:
      'Ended before it was filled completely: cancelled, amended or expired, not filled at once, or ended with its ' +
      'automation, its SKU or its account.',
  },
  'image.revoked': { target_type: 'image', meaning: 'No new instance may start from it.' },
  'image.reinstated': { target_type: 'image', meaning: 'New instances may start from it again.' },
  'image.published': { target_type: 'image', meaning: 'Made public.' },
  'image.deprecated': { target_type: 'image', meaning: 'Marked outdated; it still launches.' },
  'trust_level.updated': { target_type: 'account', meaning: "The account's trust level changed." },
  'account.balance_low': {
    target_type: 'account',
    meaning:
      'The available amount fell to the threshold of the account. It can happen again only after the amount rose 10 ' +
      '% above the threshold, or the threshold was changed.',
  },
  'instance_sku_override.updated': {
    target_type: 'instance_sku',
    meaning: 'The platform operator set or changed property overrides of a SKU for the account.',
  },
  'instance_sku_override.deleted': {
    target_type: 'instance_sku',
    meaning: 'The platform operator removed the property overrides of a SKU for the account.',
  },
  'ssh_key.created': { target_type: 'ssh_key', meaning: 'Added. New instances of its owner get it by default.' },
  'ssh_key.deleted': {
    target_type: 'ssh_key',
    meaning:
      'Deleted alone, with its owner, or with the token or session that added it. New instances no longer get it.',
  },
  'webhook.failing': { target_type: 'webhook', meaning: 'Ten attempts to deliver failed in a row.' },
  'webhook.recovered': { target_type: 'webhook', meaning: 'An attempt to deliver succeeded again.' },
  'webhook.disabled': {
    target_type: 'webhook',
    meaning: 'Switched off by the server: its URL responded with 410, or only failures for five days.',
  },
  'budget.threshold_reached': {
    target_type: 'budget',
    meaning: 'Spending, or its forecast, reached a threshold of the budget; once for each threshold and period.',
  },
  'credit.requested': {
    target_type: 'pending_credit',
    meaning:
      'A platform operator requested a credit or credit limit, which a second platform operator must approve. Only ' +
      'the platform account.',
  },
  'credit.approved': {
    target_type: 'pending_credit',
    meaning:
      'A second platform operator approved the credit or credit limit, and it counts. Only the platform account.',
  },
  'credit.refused': {
    target_type: 'pending_credit',
    meaning:
      'A platform operator refused the credit or credit limit, or took back the request. Only the platform account.',
  },
  'credit.expired': {
    target_type: 'pending_credit',
    meaning: 'Nobody approved the credit or credit limit within seven days. Only the platform account.',
  },
  'audit.violated': {
    target_type: 'audit',
    meaning:
      'The hourly check of an installation in production found rows that violate an invariant, and the check before ' +
      'had found none of it. Only the platform account.',
  },
} as const satisfies Record<string, ActionMeaning>

/** An action that this build emits. */
export type EventAction = keyof typeof eventActions
/** The kind of resource that an event is about. */
export type EventTargetType = (typeof eventActions)[EventAction]['target_type']

/** Actions that are part of the interface and that no operation of this build emits. */
export const reservedEventActions = {
  'order.rejected': { target_type: 'order', meaning: 'Could not be processed.' },
} as const satisfies Record<string, ActionMeaning>
