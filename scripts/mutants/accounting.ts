import { api, level, type Mutant, server } from './mutant.ts'

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
    wrong: 'Other accounts may read the ledger of all.',
    file: server('accounting/platform/ledger-export.service.ts'),
    text: "    await allow(ctx, 'platform:read', null)\n",
    replacement: '',
    test: api('platform-ledger'),
    caught_by: 'bad ranges are refused with their field and code, and other accounts see nothing',
  },
  {
    wrong: 'A sweep of folds does not know who traded.',
    file: server('billing/money.service.ts'),
    text: '  noteTraders(ctx, ledger)\n',
    replacement: '',
    test: level('market/sweep-costs'),
    caught_by: 'after the first sweep, which looks at all accounts',
  },
  {
    wrong: 'Only sweeps of what changed look for accounts behind.',
    file: server('accounting/usage/usage-fold.service.ts'),
    text: 'const isFull = sweeps.until_full === 0',
    replacement: 'const isFull = sweeps.until_full < 0',
    test: level('market/sweep-costs'),
    caught_by: 'the first sweep of a server finds',
  },
  {
    wrong: 'A closed statement is added up again at each read.',
    file: server('accounting/statements/closed-statements.service.ts'),
    text: 'return closed ? {',
    replacement: 'return closed === null ? {',
    test: level('market/closed-statements'),
    caught_by: 'a closed month does not change',
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
