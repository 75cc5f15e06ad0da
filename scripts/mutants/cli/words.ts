import { api, type Mutant, server } from '../mutant.ts'

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
  {
    wrong: 'More nodes are said to be free than an order would get.',
    file: server('market/book/book-nearest.rules.ts'),
    text: 'else most = middle - 1',
    replacement: 'else least = middle',
    test: server('market/book/book-nearest.rules.test.ts'),
    caught_by: 'what is said to be free would be filled now',
  },
  {
    wrong: 'A window that cannot be filled is named as the nearest one.',
    file: server('market/book/book-nearest.rules.ts'),
    text: ' && estimateOf(book, { ...request, window, allow_partial: false })',
    replacement: '',
    test: server('market/book/book-nearest.rules.test.ts'),
    caught_by: 'what is said to be free would be filled now',
  },
  {
    wrong: 'The estimate of an order that is too large says nothing of the free nodes.',
    file: server('market/orders/estimate-alternatives.service.ts'),
    text: 'const free_node_count = best?.free_node_count ?? 0',
    replacement: 'const free_node_count = 0',
    test: api('orderbook'),
    caught_by: 'an estimate that is unavailable says how many nodes are free',
  },
]
