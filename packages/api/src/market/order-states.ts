/** Where an order stands. The list is open for clients, closed for this server. */
export type OrderState = 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected'

type StateMeaning = { readonly meaning: string; readonly next: readonly OrderState[]; readonly is_open: boolean }

/** The states of an order: which may follow which. The last three are final. */
export const orderStates = {
  pending: {
    meaning: 'Accepted, not yet matched. This server matches before it answers.',
    next: ['standing', 'partially_filled', 'filled', 'cancelled', 'rejected'],
    is_open: true,
  },
  standing: {
    meaning: 'Rests on the book, nothing filled.',
    next: ['partially_filled', 'filled', 'cancelled'],
    is_open: true,
  },
  partially_filled: { meaning: 'Part filled, the rest is live.', next: ['filled', 'cancelled'], is_open: true },
  filled: { meaning: 'Filled completely.', next: [], is_open: false },
  cancelled: { meaning: 'Ended; an earlier partial fill stays.', next: [], is_open: false },
  rejected: { meaning: 'Could not be processed; nothing is held.', next: [], is_open: false },
} as const satisfies Record<OrderState, StateMeaning>

/** Why an order was cancelled. */
export const cancelReasons = [
  'user',
  'unfilled',
  'expired',
  'automation',
  'deployment_deleted',
  'sku_retired',
  'account_frozen',
] as const
/** Why an order was cancelled. */
export type CancelReason = (typeof cancelReasons)[number]

/** Whether an order in this state can still be filled or cancelled. */
export function isOpenOrder(state: OrderState): boolean {
  return orderStates[state].is_open
}
