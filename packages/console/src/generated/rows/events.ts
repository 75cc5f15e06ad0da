/** Generated from the contract by `npm run gen`. Do not edit. */

export const events = {
  operation: 'list_events',
  fields: {
    id: ['id', 'Id'],
    action: ['text', 'Action'],
    occurred_at: ['moment', 'When'],
    targets: ['list', 'About'],
  },
} as const
