import { level, type Mutant, server } from '../mutant.ts'

/** What protects the ways in, and each way in from being used again. */
export const wayInMutants: readonly Mutant[] = [
  {
    wrong: 'A credit is approved while something else ends it.',
    file: server('billing/pending-credits.store.ts'),
    text: '\n   for update`,',
    replacement: '`,',
    test: level('contract/sign-in-races'),
    caught_by: 'an approval of a credit waits for what ends it, and then posts nothing',
  },
  {
    wrong: 'The name of a program has tag characters.',
    file: 'packages/api/src/kit/shown-names.ts',
    text: `\`^[\${visible}]+$\``,
    replacement: `\`^[\${visible}\\\\ud800-\\\\udfff]+$\``,
    test: 'packages/api/src/kit/shown-names.test.ts',
    caught_by: 'a name has no invisible character',
    in_commit: true,
  },
]
