import type { Mutant } from '../mutant.ts'

const cli = (path: string) => `packages/cli/${path}`

/** What commands and messages say. */
export const wordMutants: readonly Mutant[] = [
  {
    wrong: 'The windows of the newest events overlap.',
    file: cli('src/commands/events-list.ts'),
    text: 'end = (start as number) - 1',
    replacement: 'end = (start as number) + 400',
    test: cli('test/words.test.ts'),
    caught_by: 'events are listed newest first with names',
  },
  {
    wrong: 'A cancelled order is reported as deleted.',
    file: cli('src/output/endings.ts'),
    text: "cancel_order: 'Cancelled'",
    replacement: "cancel_order: 'Deleted'",
    test: cli('src/commands/operation-commands.test.ts'),
    caught_by: 'what ends is reported in its own word',
  },
  {
    wrong: 'The help of a command that does not exist is that of the whole program.',
    file: cli('src/program.ts'),
    text: 'if (command === undefined) return rest',
    replacement: 'if (command === undefined) break',
    test: cli('test/words.test.ts'),
    caught_by: 'help takes the words of a command',
  },
]
