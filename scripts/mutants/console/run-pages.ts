import type { Mutant } from '../mutant.ts'

const page = (path: string) => `packages/console/src/${path}`

/** Instances, the calendar and automations in the console. */
export const consolePageMutants: readonly Mutant[] = [
  {
    wrong: 'Days on the calendar begin at the wrong hour after the clocks have changed.',
    file: page('market/calendar/view.rules.ts'),
    text: 'local - offsetAt(local - offsetAt(from))',
    replacement: 'local - offsetAt(from)',
    test: page('market/calendar/view.rules.test.ts'),
    caught_by: 'ticks of days stay at midnight',
  },
]
