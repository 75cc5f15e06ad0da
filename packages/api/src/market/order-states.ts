/** The state of an order. Clients must accept further states; this server has no others. */
export type OrderState = 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected'

type OrderStateMeaning = { readonly meaning: string; readonly next: readonly OrderState[]; readonly is_open: boolean }

/** The states of an order and the states that can follow each. The last three are final. */
export const orderStates = {
  pending: {
    meaning: 'Accepted, not yet matched. This server matches before it responds.',
    next: ['standing', 'partially_filled', 'filled', 'cancelled', 'rejected'],
    is_open: true,
  },
  standing: {
    meaning: 'Rests in the book; nothing is filled.',
    next: ['partially_filled', 'filled', 'cancelled'],
    is_open: true,
  },
  partially_filled: {
    meaning: 'Partly filled; the rest is in the book.',
    next: ['filled', 'cancelled'],
    is_open: true,
  },
  filled: { meaning: 'Completely filled.', next: [], is_open: false },
  cancelled: { meaning: 'Ended before it was filled; earlier fills stand.', next: [], is_open: false },
  rejected: { meaning: 'Could not be processed; nothing is held.', next: [], is_open: false },
} as const satisfies Record<OrderState, OrderStateMeaning>

/** Why an order was cancelled. */
export const cancelReasons = [
  'user',
  'amended',
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
