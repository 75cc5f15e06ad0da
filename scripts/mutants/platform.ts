import { api, type Mutant, server } from './mutant.ts'

const lists = api('platform-lists')

/** What the operator reads over all accounts, and who else may not. */
export const platformMutants: readonly Mutant[] = [
  {
    wrong: 'A cursor of the operator works for the list of an account.',
    file: server('market/orders/orders.service.ts'),
    text: "list: 'platform_orders', where",
    replacement: 'where',
    test: lists,
    caught_by: 'a cursor of the operator',
  },
]
