import type { Mutant } from '../mutant.ts'

const market = (path: string) => `packages/console/src/market/${path}`
const pools = { file: market('sku.rules.ts'), test: market('sku.rules.test.ts') }
const ticket = { file: market('ticket/ticket.rules.ts'), test: market('ticket/ticket.rules.test.ts') }
const typed = { file: market('ticket/typed-order.rules.ts'), test: market('ticket/typed-order.rules.test.ts') }
const orders = { file: market('orders/order.rules.ts'), test: market('orders/order.rules.test.ts') }

/** Market, ticket and orders of the console. */
export const tradeMutants: readonly Mutant[] = [
  {
    wrong: 'A read that is slower than events is cancelled by each of them, and the page shows nothing new.',
    file: 'packages/console/src/live/outdated.ts',
    text: 'queryKey: [noun] }, { cancelRefetch: false }',
    replacement: 'queryKey: [noun] }, { cancelRefetch: true }',
    test: 'packages/console/src/live/outdated.test.ts',
    caught_by: 'a read that is slower than events ends',
    in_commit: true,
  },
  {
    wrong: 'Who may not read events sees lists as they were when the page came.',
    file: 'packages/console/src/live/hearing.ts',
    text: "if (message.type === 'unavailable') tab.readAtOwnPace()",
    replacement: '',
    test: 'packages/console/src/live/hearing.test.ts',
    caught_by: 'without events a tab reads at its own pace',
    in_commit: true,
  },
  {
    wrong: 'The list of SKUs of the operator is that of the customer.',
    file: 'packages/console/src/live/list-key.rules.ts',
    text: "[noun, 'list', given, of]",
    replacement: "[noun, 'list', given, '']",
    test: 'packages/console/src/live/list-key.rules.test.ts',
    caught_by: 'lists of one noun from different operations',
    in_commit: true,
  },
  {
    ...ticket,
    wrong: 'A ticket for a minute that has passed is not stopped.',
    text: 'from < now - (now % 60)',
    replacement: 'from < 0',
    caught_by: 'each field says what is wrong with it',
  },
  {
    ...ticket,
    wrong: 'Any typed order counts as having seen what is filled by now of the amended one, which is bought again.',
    text: 'change.nodes !== undefined && change.nodes !== ticket.nodes',
    replacement: 'change.nodes !== undefined',
    caught_by: 'a typed order that leaves the number of nodes as it is',
    in_commit: true,
  },
  {
    ...ticket,
    wrong: 'A typed start changes the length of the window.',
    text: 'to > from ? to - from : hour',
    replacement: 'to > from ? hour : hour',
    caught_by: 'a typed start keeps the length of the window',
  },
  {
    ...ticket,
    wrong: 'A refusal without a field is shown nowhere.',
    text: 'fieldsOfNames[name] ?? fieldsOfCodes[code]',
    replacement: 'fieldsOfNames[name]',
    caught_by: 'a refusal is shown at its field',
  },
  {
    ...typed,
    wrong: 'A time without a day is taken for one of today.',
    text: "if (date === '') return { problem:",
    replacement: "if (date === 'day') return { problem:",
    caught_by: 'what cannot be read is named',
  },
  {
    wrong: 'The budget of another workspace counts for a buy.',
    file: market('ticket/estimate.rules.ts'),
    text: 'budget.workspace === null || budget.workspace === workspace',
    replacement: 'budget.workspace !== workspace || budget.workspace === workspace',
    test: market('ticket/ticket.rules.test.ts'),
    caught_by: 'budgets of the account and of the workspace',
  },
  {
    ...pools,
    wrong: 'A pool owns nodes in minutes between two of its steps.',
    text: '    if (start_at > covered) return 0\n',
    replacement: '',
    caught_by: 'what a pool owns in a window',
  },
  {
    ...ticket,
    wrong: 'Changing the minutes of an hour that the clock shows twice moves the order by an hour.',
    text: 'Math.abs(one - near) < Math.abs(best - near) ? one : best',
    replacement: 'one > best ? best : one',
    test: market('ticket/zones.rules.test.ts'),
    caught_by: 'an hour that the clock shows twice',
  },
  {
    ...orders,
    wrong: 'Amending an order that is filled in part orders all of it again.',
    text: 'const rest = restOf(order.allocation_schedule_delta, order.filled_allocation_schedule_delta)',
    replacement: 'const rest = restOf(order.allocation_schedule_delta, [])',
    caught_by: 'an amended order is what is not filled of the old one',
    in_commit: true,
  },
  {
    ...orders,
    wrong: 'A buyer who pays more than the market did better.',
    text: "order.side === 'sell' ? above : -above",
    replacement: "order.side === 'sell' ? above : above",
    caught_by: 'a buyer who pays less',
  },
  {
    wrong: 'A level that has nodes for a part of the window counts for all of it.',
    file: market('book/depth.rules.ts'),
    text: 'all + ((end_at ?? start_at) - start_at) * node_count',
    replacement: 'all + seconds * node_count + 0 * (end_at ?? start_at)',
    test: market('book/depth.rules.test.ts'),
    caught_by: 'a level that has nodes for half',
  },
]
