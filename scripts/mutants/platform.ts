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
  {
    wrong: 'Usage of one SKU counts for the next one too.',
    file: server('accounting/platform/platform-usage.service.ts'),
    text: '  for (const sums of bySku.values()) addSums(all, sums)',
    replacement: '  for (const sums of bySku.values()) addSums(all, addSums(all, sums) ?? sums)',
    test: lists,
    caught_by: 'list_platform_usage: usage is summed by account and SKU',
  },
  {
    wrong: 'A posting has no maker.',
    file: server('billing/money.service.ts'),
    text: '  if (by.maker) await recordMaker(',
    replacement: '  if (by.maker && !ctx) await recordMaker(',
    test: api('platform-ledger'),
    caught_by: 'export_ledger has what moved',
  },
]
