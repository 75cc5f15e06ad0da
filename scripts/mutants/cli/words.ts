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
    wrong: 'Events of a list that was read in windows keep cursors that are refused.',
    file: cli('src/commands/events-list.ts'),
    text: 'map(({ cursor: _, ...event }) => event)',
    replacement: 'map((event) => event)',
    test: cli('test/words.test.ts'),
    caught_by: 'events are listed newest first with names',
  },
  {
    wrong: 'A flag without a text is shown.',
    file: cli('src/commands/help/flag-texts.ts'),
    text: 'const general = byMember[name]',
    replacement: "const general = name === 'depth' ? '' : byMember[name]",
    test: cli('src/commands/operation-commands.test.ts'),
    caught_by: 'every flag and argument has a text',
    in_commit: true,
  },
  {
    wrong: 'An example lacks a required flag.',
    file: cli('src/commands/help/examples.ts'),
    text: "'--name storage --region us-west'",
    replacement: "'--name storage'",
    test: cli('src/commands/operation-commands.test.ts'),
    caught_by: 'every example is a command line that the program accepts',
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
