import { existsSync, globSync, readFileSync } from 'node:fs'

/**
 * `npm run check`: the source and pure code; `npm test`: what each commit has to pass; `npm run deep`: everything. The
 * level dates runs `calendar`: the files of `npm test` that name parts of the calendar.
 */
export type Run = 'check' | 'test' | 'deep' | 'calendar'

/** The files of a level that `npm test` runs: all, none, only some, or all but some. `npm run deep` runs all files. */
type Gate = 'all' | 'none' | { readonly only: readonly string[] } | { readonly without: readonly string[] }

/** A level of tests. */
export type Level = {
  readonly name: string
  /** Which files it has, as globs from the root of the repository. */
  readonly files: readonly string[]
  readonly gate: Gate
  /** The files that run only where the level is named, since they take an hour. They do not run twice. */
  readonly when_named?: readonly string[]
  /**
   * Whether each file has a process of its own, or they run one after the other in few: in those of the level, or in
   * those that several levels share.
   */
  readonly processes: 'file' | 'level' | 'shared'
  /** When it runs, if not with the others: after them, since it waits for machines; or at last, one file at a time. */
  readonly turn?: 'machines' | 'alone'
  /** Whether its tests are runs, which have watchdogs of their own. */
  readonly has_runs?: true
  /** What prepares it once a run. */
  readonly setup?: string
  /**
   * What its files usually take together, without the shared database: in `npm test`, and in `npm run deep`. The report
   * names a level that takes more.
   */
  readonly processor_seconds: { readonly test: number; readonly deep: number }
}

const shared = { gate: 'all', processes: 'shared' } as const
const alone = { gate: 'none', processes: 'file' } as const

/** The levels. */
export const levels: readonly Level[] = [
  // Types, format, rules of the architecture, generated files.
  {
    ...alone,
    name: 'source',
    files: ['test/source/*.test.ts'],
    gate: 'all',
    processor_seconds: { test: 60, deep: 60 },
  },
  {
    ...alone,
    name: 'restart',
    files: ['packages/server/test/restart/**/*.test.ts'],
    gate: {
      only: ['packages/server/test/restart/one-kill.test.ts', 'packages/server/test/restart/one-failover.test.ts'],
    },
    processor_seconds: { test: 15, deep: 280 },
  },
  // A round of each kind of injected fault, on whole installations.
  {
    ...alone,
    name: 'chaos',
    files: ['packages/server/test/chaos/*.test.ts'],
    gate: { only: ['packages/server/test/chaos/plan.test.ts', 'packages/server/test/chaos/verdict.test.ts'] },
    processor_seconds: { test: 2, deep: 300 },
  },
  {
    ...alone,
    name: 'simulation',
    files: ['packages/server/test/sim/**/*.test.ts'],
    gate: { only: ['packages/server/test/sim/minimize.test.ts', 'packages/server/test/sim/few-seeds.test.ts'] },
    processor_seconds: { test: 10, deep: 65 },
  },
  {
    ...alone,
    name: 'mutants',
    files: ['scripts/mutants.test.ts', 'scripts/mutants/**/*.test.ts'],
    gate: { only: ['scripts/mutants/applies.test.ts'] },
    processor_seconds: { test: 1, deep: 110 },
  },
  // This needs the npm registry, and a browser for some tests.
  {
    ...alone,
    name: 'packages',
    files: ['packages/*/test/packages/**/*.test.ts'],
    setup: './test/setup/tools.ts',
    gate: { only: ['packages/cli/test/packages/package.test.ts'] },
    processor_seconds: { test: 8, deep: 190 },
  },
  // This needs chromium-headless-shell or chromium.
  {
    name: 'console',
    files: ['packages/console/test/**/*.test.ts'],
    processes: 'level',
    gate: { only: ['packages/console/test/first-day.test.ts'] },
    processor_seconds: { test: 17, deep: 240 },
  },
  {
    ...shared,
    name: 'api',
    files: ['packages/server/test/api/**/*.test.ts', 'packages/{sdk,cli}/test/*.test.ts'],
    gate: {
      without: [
        'packages/cli/test/backup-guide.test.ts',
        'packages/cli/test/completion-shells.test.ts',
        'packages/cli/test/doctor.test.ts',
        'packages/cli/test/doctor-market.test.ts',
        'packages/cli/test/examples.test.ts',
        'packages/cli/test/failover-guide.test.ts',
        'packages/cli/test/images-crash.test.ts',
        'packages/cli/test/production-guide.test.ts',
        'packages/cli/test/production.test.ts',
        'packages/cli/test/shown-commands.test.ts',
        'packages/cli/test/start.test.ts',
        'packages/cli/test/wrong-input.test.ts',
      ],
    },
    processor_seconds: { test: 185, deep: 380 },
  },
  {
    ...shared,
    name: 'contract',
    files: ['packages/server/test/contract/**/*.test.ts'],
    processor_seconds: { test: 70, deep: 85 },
  },
  {
    ...shared,
    name: 'events',
    files: ['packages/server/test/{events,webhooks}/**/*.test.ts'],
    gate: { without: ['packages/server/test/events/stream-checker.test.ts'] },
    processor_seconds: { test: 30, deep: 40 },
  },
  {
    ...shared,
    name: 'fleet',
    files: ['packages/server/test/fleet/**/*.test.ts'],
    // Its hosts have agents and updaters as processes.
    gate: { without: ['packages/server/test/fleet/agent-updates.test.ts'] },
    processor_seconds: { test: 35, deep: 40 },
  },
  {
    ...shared,
    name: 'market',
    files: ['packages/server/test/market/**/*.test.ts'],
    processor_seconds: { test: 25, deep: 30 },
  },
  {
    ...shared,
    name: 'unit',
    files: [
      'test/*.test.ts',
      'scripts/!(mutants)/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
      'packages/server/test/support/*.test.ts',
      'packages/agent/test/drivers/*.test.ts',
    ],
    gate: {
      without: [
        'packages/server/src/core/postgres/bundled-postgres.test.ts',
        'packages/server/src/core/postgres/postgres-place.test.ts',
        'scripts/run/run-files.test.ts',
      ],
    },
    processor_seconds: { test: 80, deep: 125 },
  },
  // Every row of `npm run bench` once, at a tiny size. This needs what the rows need: a browser, QEMU, Prism.
  {
    ...alone,
    name: 'bench',
    files: ['test/bench/*.test.ts'],
    processor_seconds: { test: 0, deep: 160 },
  },
  // Alerts and dashboards in a real Prometheus. This needs Debian's package prometheus.
  {
    ...alone,
    name: 'ops',
    files: ['test/ops/*.test.ts'],
    processor_seconds: { test: 0, deep: 30 },
  },
  // These need programs that npm does not install.
  {
    ...alone,
    name: 'vm',
    files: ['packages/agent/test/vm/*.test.ts'],
    turn: 'machines',
    setup: './test/setup/machine-image.ts',
    processor_seconds: { test: 0, deep: 130 },
  },
  {
    ...alone,
    name: 'netns',
    files: ['packages/agent/test/netns/*.test.ts'],
    turn: 'machines',
    setup: './test/setup/machine-image.ts',
    processor_seconds: { test: 0, deep: 40 },
  },
  // What a server uses while users use it: for half a minute, and where the level is named for an hour.
  {
    ...alone,
    name: 'soak',
    files: ['test/soak/*.test.ts'],
    when_named: ['test/soak/hour.test.ts'],
    has_runs: true,
    processor_seconds: { test: 0, deep: 60 },
  },
  // Tests of how long something takes.
  {
    ...alone,
    name: 'quiet',
    files: ['packages/*/test/quiet/*.test.ts'],
    turn: 'alone',
    processor_seconds: { test: 0, deep: 60 },
  },
  // Other levels at moments of the calendar. This needs a C compiler.
  {
    ...alone,
    name: 'dates',
    files: ['test/dates/*.test.ts'],
    turn: 'alone',
    has_runs: true,
    processor_seconds: { test: 0, deep: 1_100 },
  },
]

/**
 * The project of Vitest that runs the files of a level. Levels that share processes are one project: to start a process
 * and to load the server costs two seconds of processor time.
 */
export function projectOf({ name, processes }: Level): string {
  return processes === 'shared' ? 'shared' : name
}

let owners: ReadonlyMap<string, Level> | undefined

/** The level of a test file by its path from the root of the repository, if the file is one of the repository. */
export function levelOf(path: string): Level | undefined {
  owners ??= new Map(levels.flatMap((level) => globSync([...level.files]).map((own) => [own, level] as const)))
  return owners.get(path)
}

/** Whether a run has a file of a level; `words` are the levels that it was asked for, if it was not asked for all. */
export function isInRun(run: Run, level: Level, path: string, words: readonly string[] = []): boolean {
  const { name, gate } = level
  if (run === 'deep') return words.includes(name) || !runsWhenNamed(level, path)
  if (run === 'check' && !(name === 'unit' ? !needsDatabase(path) : /source\/(?!generated)/.test(path))) return false
  if (run === 'calendar' && !namesCalendar(path)) return false
  if (typeof gate === 'string') return gate === 'all'
  return 'only' in gate ? gate.only.includes(path) : !gate.without.includes(path)
}

/** Whether a file runs only where its level is named. */
export function runsWhenNamed({ when_named = [] }: Level, path: string): boolean {
  return when_named.includes(path)
}

/**
 * Throws unless every test file of the repository belongs to exactly one level, and every file that is named here
 * exists. Otherwise a file would never run, or leave `npm test` by a new name.
 */
export function checkLevels(all: readonly Level[] = levels): void {
  const found = globSync(['packages/*/{src,test}/**/*.test.ts', '{scripts,test}/**/*.test.ts'], {
    exclude: (path) => path.endsWith('node_modules'),
  })
  const owners = new Map(found.map((path) => [path, 0]))
  for (const { name, files, gate, when_named = [] } of all) {
    const own = new Set(globSync([...files]))
    for (const path of own) owners.set(path, (owners.get(path) ?? 0) + 1)
    const named = typeof gate === 'string' ? [] : 'only' in gate ? gate.only : gate.without
    const unknown = [...named, ...when_named].filter((path) => !own.has(path))
    if (unknown.length > 0)
      throw new Error(`The level ${name} names files that it does not have: ${unknown.join(', ')}`)
  }
  const lost = [...owners].filter(([, count]) => count !== 1).map(([path]) => path)
  if (lost.length === 0) return
  throw new Error(`These files belong to no level or to several: ${lost.join(', ')}. See scripts/run/levels.ts.`)
}

/** Whether a test file needs a database: it then imports the server's test support, except for size.ts. */
function needsDatabase(path: string): boolean {
  const text = readFileSync(path, 'utf8')
  if (!/(^|\/)packages\/server\//.test(path)) return /from '[./\w]+\/server\/test\/support\/(?!size\.ts)/.test(text)
  return /from '[./]+\/test\/support\/(?!size\.ts)|from '\.\/(cluster|database)/.test(text)
}

/** Whether a test file, or the file that it tests, asks for the date or names months, years, zones or a given date. */
function namesCalendar(path: string): boolean {
  const paths = [path, path.replace('.test.ts', '.ts')].filter((one) => existsSync(one))
  const words = /\b(months?|years?|midnight|weekday|timeZone|TZ|new Date|Date\.\w+|bourse_today|20\d\d-\d\d)\b/
  return paths.some((one) => words.test(readFileSync(one, 'utf8')))
}
