import { globSync, readFileSync } from 'node:fs'
import type { FilesOrder } from './test-files.ts'

/**
 * The levels of tests in their order of execution: cheap and informative ones first. `seconds` is the time budget of
 * all files of a level together. Files of the queue `shared` run one after the other in one process, files of the other
 * queues in one process each. Those of `browser` also share processes, at most two, each with one browser. The queue
 * `machines` mostly waits for machines to boot, so it has its own workers.
 */
export const levels = [
  {
    name: 'unit',
    seconds: 110,
    queue: 'shared',
    pattern: /^(scripts(?!\/mutants)|packages\/([a-z]+\/src|server\/test\/support|agent\/test\/drivers))\//,
  },
  { name: 'contract', seconds: 130, queue: 'shared', pattern: /^packages\/server\/test\/contract\// },
  {
    name: 'api',
    seconds: 320,
    queue: 'shared',
    pattern: /^packages\/(server\/test\/api|(sdk|cli)\/test(?!\/packages))\//,
  },
  { name: 'events', seconds: 110, queue: 'shared', pattern: /^packages\/server\/test\/(events|webhooks)\// },
  { name: 'fleet', seconds: 55, queue: 'shared', pattern: /^packages\/server\/test\/fleet\// },
  { name: 'market', seconds: 40, queue: 'shared', pattern: /^packages\/server\/test\/market\// },
  { name: 'simulation', seconds: 70, queue: 'alone', pattern: /^packages\/server\/test\/sim\// },
  { name: 'restart', seconds: 160, queue: 'alone', pattern: /^packages\/server\/test\/restart\// },
  { name: 'mutants', seconds: 30, queue: 'alone', pattern: /^scripts\/mutants/ },
  // This needs the npm registry, and a browser for some tests.
  {
    name: 'packages',
    seconds: 240,
    queue: 'alone',
    pattern: /^packages\/[a-z]+\/test\/packages\//,
    variable: 'BOURSE_REQUIRE_PACKAGES',
  },
  // This needs chromium-headless-shell or chromium.
  {
    name: 'console',
    seconds: 180,
    queue: 'browser',
    pattern: /^packages\/console\/test\//,
    variable: 'BOURSE_REQUIRE_BROWSER',
  },
  // These need programs that npm does not install. They run only on request, by name or by their variable.
  {
    name: 'vm',
    seconds: 210,
    queue: 'machines',
    pattern: /^packages\/agent\/test\/vm\//,
    variable: 'BOURSE_REQUIRE_VM',
  },
  {
    name: 'netns',
    seconds: 60,
    queue: 'machines',
    pattern: /^packages\/agent\/test\/netns\//,
    variable: 'BOURSE_REQUIRE_NETNS',
  },
] as const

export type Level = (typeof levels)[number]['name']

/** The levels of a run without arguments. With its variable set to 1, a level fails instead of skipping tests. */
export function usualLevels(variables: Readonly<Record<string, string | undefined>>): Level[] {
  return levels.filter((level) => !('variable' in level) || variables[level.variable]).map(({ name }) => name)
}

/** The files of some levels by queue, and the workers for a number of cores. */
export function orderOf(
  names: readonly Level[],
  files: ReadonlyMap<Level, readonly string[]>,
  cores: number,
): FilesOrder {
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
  const waiting = [{ takes_from: ['machines', 'alone'] }, { takes_from: ['machines'] }]
  return { queues, workers: [...workers, ...waiting] }
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
