/** Generated from the contract by `npm run gen`. Do not edit. */

export const webhooks = {
  operation: 'list_webhooks',
  fields: {
    id: ['id', 'Id'],
    url: ['text', 'URL'],
    description: ['text', 'Description'],
    actions: ['texts', 'Actions'],
    target_types: ['texts', 'Kinds of resources'],
    targets: ['texts', 'About'],
    ordering: ['word', 'Ordering'],
    enabled: ['boolean', 'Enabled'],
    state: ['state', 'State'],
    disabled_reason: ['word', 'Disabled reason'],
    last_success_at: ['age', 'Last success'],
    last_failure_at: ['age', 'Last failure'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

export const webhookDeliveries = {
  operation: 'list_webhook_deliveries',
  fields: {
    id: ['id', 'Id'],
    webhook: ['text', 'Webhook'],
    event: ['text', 'Event'],
    origin: ['word', 'Origin'],
    state: ['state', 'State'],
    attempts: ['list', 'Attempts'],
    next_attempt_at: ['age', 'Next attempt'],
    created_at: ['age', 'Created'],
  },
} as const
