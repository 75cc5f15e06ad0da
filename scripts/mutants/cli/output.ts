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
  {
    wrong: 'An object that is watched is printed at every read.',
    file: cli('src/commands/list-watch.ts'),
    text: '    if (text === known) return\n',
    replacement: '',
    test: cli('test/output.test.ts'),
    caught_by: 'a watched object is printed when it has changed',
  },
]
