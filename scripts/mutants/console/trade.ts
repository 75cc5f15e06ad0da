import type { Mutant } from '../mutant.ts'

const market = (path: string) => `packages/console/src/market/${path}`
const orders = { file: market('orders/order.rules.ts'), test: market('orders/order.rules.test.ts') }

/** Market, ticket and orders of the console. */
export const tradeMutants: readonly Mutant[] = [
  {
    ...orders,
    wrong: 'Amending an order that is filled in part orders all of it again.',
    text: 'const rest = restOf(order.allocation_schedule_delta, order.filled_allocation_schedule_delta)',
    replacement: 'const rest = restOf(order.allocation_schedule_delta, [])',
    caught_by: 'an amended order is what is not filled of the old one',
    in_commit: true,
  },
]
