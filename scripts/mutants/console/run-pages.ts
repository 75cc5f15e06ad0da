import type { Mutant } from '../mutant.ts'

const page = (path: string) => `packages/console/src/${path}`

/** Instances, the calendar and automations in the console. */
export const consolePageMutants: readonly Mutant[] = [
  {
    wrong: 'A drag on the calendar offers nodes that an open sell has promised.',
    file: page('market/calendar/lanes.rules.ts'),
    text: 'Math.max(0, all - sold)',
    replacement: 'all',
    test: page('market/calendar/lanes.rules.test.ts'),
    caught_by: 'a lane has what is owned, promised, free and used',
    in_commit: true,
  },
  {
    wrong: 'A drag on the calendar opens the ticket with a window that has passed.',
    file: page('market/calendar/lanes.rules.ts'),
    text: 'Math.max(first, Math.min(begin, end))',
    replacement: 'Math.min(begin, end)',
    test: page('market/calendar/lanes.rules.test.ts'),
    caught_by: 'the order of a drag lies within it and in the future',
  },
  {
    wrong: 'Days on the calendar begin at the wrong hour after the clocks have changed.',
    file: page('market/calendar/view.rules.ts'),
    text: 'local - offsetAt(local - offsetAt(from))',
    replacement: 'local - offsetAt(from)',
    test: page('market/calendar/view.rules.test.ts'),
    caught_by: 'ticks of days stay at midnight',
  },
  {
    wrong: 'A private key becomes part of the user data of a machine.',
    file: page('fleet/launch.rules.ts'),
    text: 'const bad = lines.find((line) => !publicKey.test(line))',
    replacement: 'const bad = lines.find((line) => line === undefined)',
    test: page('fleet/launch.rules.test.ts'),
    caught_by: 'a field that cannot be sent is named',
  },
  {
    wrong: 'What a host reports as its key adds lines to known_hosts.',
    file: page('fleet/ssh.rules.ts'),
    text: ".replaceAll(/[\\p{Cc}\\p{Zl}\\p{Zp}]/gu, '')",
    replacement: '',
    test: page('fleet/ssh.rules.test.ts'),
    caught_by: 'lines for OpenSSH have the port',
  },
  {
    wrong: 'The failure of an instance and its end count as two ends in a chart.',
    file: page('automation/automation.rules.ts'),
    text: 'hasEnded && ran && !over.has(id)',
    replacement: 'hasEnded && ran',
    test: page('automation/automation.rules.test.ts'),
    caught_by: 'what ran is told by events',
  },
]
