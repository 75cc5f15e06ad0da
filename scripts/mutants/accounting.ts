import { api, type Mutant, server } from './mutant.ts'

const rulesTest = server('accounting/usage-fold.rules.test.ts')

/** Usage and effective cost. */
export const accountingMutants: readonly Mutant[] = [
  {
    wrong: 'Usage counts the cost of a minute that was sold on.',
    file: server('accounting/usage-fold.rules.ts'),
    text: `    uncount(fold, lot, taken)
    lot.sold_micros += taken.cost_micros`,
    replacement: '    lot.sold_micros += taken.cost_micros',
    test: rulesTest,
    caught_by: 'what each purchase cost',
    in_commit: true,
  },
  {
    wrong: 'The cost of each part of a purchase is rounded down by itself.',
    file: server('accounting/cost-spread.rules.ts'),
    text: 'return first(at + (end - start) * count) - first(at)',
    replacement: 'return first((end - start) * count)',
    test: rulesTest,
    caught_by: 'however the minutes of a purchase are divided',
    in_commit: true,
  },
  {
    wrong: 'An export leaves out the transactions of its first second.',
    file: server('accounting/exports.service.ts'),
    text: "const first = { created_at: from, id: '' }",
    replacement: "const first = { created_at: from, id: '~' }",
    test: api('exports'),
    caught_by: 'a range has its first second',
  },
  {
    wrong: 'A sale takes the newest purchase first.',
    file: server('accounting/cost-lots.rules.ts'),
    text: 'for (const lot of lots) {\n    if (open.length === 0)',
    replacement: 'for (const lot of lots.toReversed()) {\n    if (open.length === 0)',
    test: rulesTest,
    caught_by: 'lots hold what a model of single node-minutes holds',
  },
]
