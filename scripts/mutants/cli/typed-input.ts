import type { Mutant } from '../mutant.ts'

const cli = (path: string) => `packages/cli/${path}`

/** What people type: times, money and names; profiles with their tokens; completion. */
export const typedInputMutants: readonly Mutant[] = [
  {
    wrong: 'A listing of profiles shows tokens.',
    file: cli('src/commands/setup/profiles.ts'),
    text: "token: token ? 'set' : null",
    replacement: 'token: token ?? null',
    test: cli('test/profiles.test.ts'),
    caught_by: 'a profile is added with a token from the standard input',
  },
  {
    wrong: 'Tomorrow begins in UTC.',
    file: cli('src/input/grammar/moments.ts'),
    text: 'momentsOf(wallOf(moment, wallClock(now, place)), place)',
    replacement: 'momentsOf(wallOf(moment, now), place)',
    test: cli('src/input/grammar/moments.test.ts'),
    caught_by: 'a day begins in the zone of the reader',
    in_commit: true,
  },
  {
    wrong: 'The completion of bash evaluates the typed line.',
    file: cli('src/commands/setup/completion-scripts.ts'),
    text: 'COMPREPLY=()\n  while',
    replacement: 'COMPREPLY=()\n  eval : $COMP_LINE\n  while',
    test: cli('test/completion.test.ts'),
    caught_by: 'bash completes by the script',
  },
]
