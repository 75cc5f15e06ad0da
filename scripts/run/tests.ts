import { globSync, readFileSync } from 'node:fs'
import type { WorkPlan } from './test-files.ts'

/** The files of a level that `npm test` runs: all, none, only some, or all but some. `npm run deep` runs all files. */
type Gate = 'all' | 'none' | { readonly only: readonly string[] } | { readonly without: readonly string[] }

/**
 * The levels of tests in their order of execution: cheap and informative ones first. `processor_seconds` is what the
 * files of a level took together, without the shared database: in `npm test`, and in `npm run deep`. The report names a
 * level that takes more. Files of the queue `shared` run one after the other in one process, files of the other queues
 * in one process each. Those of `browser` also share processes, at most two, each with one browser. The queue
 * `machines` mostly waits for machines to boot, so it has its own workers.
 */
export const levels = [
  {
    name: 'unit',
    processor_seconds: { gate: 85, deep: 110 },
    queue: 'shared',
    pattern: /^(scripts(?!\/mutants)|packages\/([a-z]+\/src|server\/test\/support|agent\/test\/drivers))\//,
    gate: 'all',
  },
  {
    name: 'contract',
    processor_seconds: { gate: 60, deep: 85 },
    queue: 'shared',
    pattern: /^packages\/server\/test\/contract\//,
    gate: 'all',
  },
  {
    name: 'api',
    processor_seconds: { gate: 190, deep: 320 },
    queue: 'shared',
    pattern: /^packages\/(server\/test\/api|(sdk|cli)\/test(?!\/packages))\//,
    gate: {
      without: [
        'packages/cli/test/doctor.test.ts',
        'packages/cli/test/doctor-market.test.ts',
        'packages/cli/test/examples.test.ts',
        'packages/cli/test/production.test.ts',
        'packages/cli/test/shown-commands.test.ts',
        'packages/cli/test/start.test.ts',
      ],
    },
  },
  {
    name: 'events',
    processor_seconds: { gate: 25, deep: 30 },
    queue: 'shared',
    pattern: /^packages\/server\/test\/(events|webhooks)\//,
    gate: 'all',
  },
  {
    name: 'fleet',
    processor_seconds: { gate: 25, deep: 30 },
    queue: 'shared',
    pattern: /^packages\/server\/test\/fleet\//,
    gate: 'all',
  },
  {
    name: 'market',
    processor_seconds: { gate: 15, deep: 20 },
    queue: 'shared',
    pattern: /^packages\/server\/test\/market\//,
    gate: 'all',
  },
  {
    name: 'simulation',
    processor_seconds: { gate: 12, deep: 65 },
    queue: 'alone',
    pattern: /^packages\/server\/test\/sim\//,
    gate: { only: ['packages/server/test/sim/minimize.test.ts', 'packages/server/test/sim/few-seeds.test.ts'] },
  },
  {
    name: 'restart',
    processor_seconds: { gate: 12, deep: 220 },
    queue: 'alone',
    pattern: /^packages\/server\/test\/restart\//,
    gate: {
      only: ['packages/server/test/restart/one-kill.test.ts', 'packages/server/test/restart/one-failover.test.ts'],
    },
  },
  {
    name: 'mutants',
    processor_seconds: { gate: 0, deep: 35 },
    queue: 'alone',
    pattern: /^scripts\/mutants/,
    gate: 'none',
  },
  // This needs the npm registry, and a browser for some tests.
  {
    name: 'packages',
    processor_seconds: { gate: 8, deep: 90 },
    queue: 'alone',
    pattern: /^packages\/[a-z]+\/test\/packages\//,
    gate: { only: ['packages/cli/test/packages/package.test.ts'] },
  },
  // This needs chromium-headless-shell or chromium.
  {
    name: 'console',
    processor_seconds: { gate: 15, deep: 210 },
    queue: 'browser',
    pattern: /^packages\/console\/test\//,
    gate: { only: ['packages/console/test/first-day.test.ts'] },
  },
  // These need programs that npm does not install.
  {
    name: 'vm',
    processor_seconds: { gate: 0, deep: 130 },
    queue: 'machines',
    pattern: /^packages\/agent\/test\/vm\//,
    gate: 'none',
  },
  {
    name: 'netns',
    processor_seconds: { gate: 0, deep: 40 },
    queue: 'machines',
    pattern: /^packages\/agent\/test\/netns\//,
    gate: 'none',
  },
] as const satisfies readonly { gate: Gate; [key: string]: unknown }[]

export type Level = (typeof levels)[number]['name']

/** The files of some levels by queue, and the workers for a number of cores. */
export function orderOf(
  names: readonly Level[],
  files: ReadonlyMap<Level, readonly string[]>,
  cores: number,
): WorkPlan {
  const filesOf = (queue: string) =>
    levels
      .filter((level) => level.queue === queue && names.includes(level.name))
      .flatMap(({ name }) => files.get(name) ?? [])
  const queues = {
    shared: { files: filesOf('shared'), is_shared: true },
    alone: { files: filesOf('alone'), is_shared: false },
    browser: { files: filesOf('browser'), is_shared: true },
    machines: { files: filesOf('machines'), is_shared: false },
  }
  // Tests also wait, so there is one worker more than cores. Many more would share one disk without gain.
  const workers = Array.from({ length: Math.min(4, cores + 1) }, (_, index) => ({
    takes_from: [
      ['alone', 'browser', 'shared'],
      ['shared', 'alone', 'browser'],
    ][index] ?? ['shared', 'alone'],
  }))
  // When all machines have booted, one of them goes on with tests that wait for processes and for PostgreSQL.
  const waiting = queues.machines.files.length > 0 ? [['machines', 'alone'], ['machines']] : []
  return { queues, workers: [...workers, ...waiting.map((takes_from) => ({ takes_from }))] }
}

/** Files one after the other, each in a process of its own. */
export function orderOfOne(files: string[]): WorkPlan {
  return { queues: { alone: { files, is_shared: false } }, workers: [{ takes_from: ['alone'] }] }
}

/** The files of each level that `npm test` runs. */
export function gateFiles(files: ReadonlyMap<Level, readonly string[]>): Map<Level, string[]> {
  return new Map(levels.map(({ name, gate }) => [name, (files.get(name) ?? []).filter((path) => isInGate(gate, path))]))
}

function isInGate(gate: Gate, path: string): boolean {
  if (typeof gate === 'string') return gate === 'all'
  return 'only' in gate ? gate.only.includes(path) : !gate.without.includes(path)
}

/** The files that {@link levels} names. */
export function namedFiles(): string[] {
  return levels.flatMap(({ gate }: { gate: Gate }) => {
    if (typeof gate === 'string') return []
    return 'only' in gate ? gate.only : gate.without
  })
}

/** Every test file of the repository by level. Throws for a file without a level, because it would never run. */
export function testFiles(): Map<Level, string[]> {
  const found = globSync(['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'], {
    exclude: (path) => path.endsWith('node_modules'),
  })
  const byLevel = new Map<Level, string[]>(levels.map(({ name }) => [name, []]))
  for (const path of found.sort()) byLevel.get(levelOf(path))?.push(path)
  return byLevel
}

/** The level of a test file, by its folder. */
export function levelOf(path: string): Level {
  const level = levels.find(({ pattern }) => pattern.test(path))
  if (level) return level.name
  throw new Error(`${path} belongs to no test level: move it below test/api, test/sim, …`)
}

/** Whether a test file needs a database: it then imports the server's test support, except for size.ts. */
export function needsDatabase(path: string): boolean {
  const text = readFileSync(path, 'utf8')
  if (!path.startsWith('packages/server/')) return /from '[./\w]+\/server\/test\/support\/(?!size\.ts)/.test(text)
  return /from '[./]+\/test\/support\/(?!size\.ts)|from '\.\/(cluster|database)/.test(text)
}
