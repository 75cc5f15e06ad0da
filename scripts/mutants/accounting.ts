import { api, type Mutant, server } from './mutant.ts'

const rulesTest = server('accounting/usage/usage-fold.rules.test.ts')

/** Usage and effective cost. */
export const accountingMutants: readonly Mutant[] = [
  {
    wrong: 'An export leaves out the transactions of its first second.',
    file: server('accounting/exports/exports.service.ts'),
    text: "const first = { created_at: from, id: '' }",
    replacement: "const first = { created_at: from, id: '~' }",
    test: api('exports'),
    caught_by: 'a range has its first second',
  },
  {
    wrong: 'Parquet loses the digits of great amounts.',
    file: server('accounting/exports/export-parquet.rules.ts'),
    text: "BigInt(value.replace('.', ''))",
    replacement: "BigInt(Number(value.replace('.', '')))",
    test: server('accounting/exports/export-parquet.rules.test.ts'),
    caught_by: 'a reader finds every value as it was',
    in_commit: true,
  },
  {
    wrong: 'A sale takes the newest purchase first.',
    file: server('accounting/usage/cost-lots.rules.ts'),
    text: 'for (const lot of lots) {\n    if (open.length === 0)',
    replacement: 'for (const lot of lots.toReversed()) {\n    if (open.length === 0)',
    test: rulesTest,
    caught_by: 'lots hold what a model of single node-minutes holds',
  },
]
