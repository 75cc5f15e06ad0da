import type { Mutant } from '../mutant.ts'

const cli = (path: string) => `packages/cli/${path}`

/** What the command line shows. */
export const outputMutants: readonly Mutant[] = [
  {
    wrong: 'A filter is ignored.',
    file: cli('src/commands/operation-run.ts'),
    text: '  const choice = await readRowChoice(session, shape, call.typed)\n',
    replacement: '  const choice = await readRowChoice(session, shape, {})\n',
    test: cli('test/output.test.ts'),
    caught_by: 'rows are filtered and sorted',
  },
]
