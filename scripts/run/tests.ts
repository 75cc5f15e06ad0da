import { globSync, readFileSync } from 'node:fs'

/**
 * The levels of tests in the order in which they run: the cheap ones that say most first, then what takes long in one
 * piece, so that others run beside it. The budget is the time that the files of a level may take together, in seconds.
 */
export const levels = [
  {
    name: 'unit',
    seconds: 110,
    pattern: /^(scripts(?!\/plants)|packages\/([a-z]+\/src|server\/test\/support|agent\/test\/drivers))\//,
  },
  { name: 'simulation', seconds: 70, pattern: /^packages\/server\/test\/sim\// },
  { name: 'contract', seconds: 130, pattern: /^packages\/server\/test\/contract\// },
  { name: 'api', seconds: 320, pattern: /^packages\/(server\/test\/api|sdk\/test|cli\/test)\// },
  { name: 'events', seconds: 70, pattern: /^packages\/server\/test\/events\// },
  { name: 'fleet', seconds: 55, pattern: /^packages\/server\/test\/fleet\// },
  { name: 'market', seconds: 40, pattern: /^packages\/server\/test\/market\// },
  { name: 'restart', seconds: 130, pattern: /^packages\/server\/test\/restart\// },
  { name: 'plants', seconds: 30, pattern: /^scripts\/plants/ },
  // These need programs that npm does not bring. They run where they are asked for, by name or by their variable.
  { name: 'netns', seconds: 60, pattern: /^packages\/agent\/test\/netns\//, variable: 'BOURSE_REQUIRE_NETNS' },
  { name: 'vm', seconds: 150, pattern: /^packages\/agent\/test\/vm\//, variable: 'BOURSE_REQUIRE_VM' },
] as const

export type Level = (typeof levels)[number]['name']

/** The levels of a run without a name. With its variable set to 1 a level fails where it would leave tests out. */
export function usualLevels(variables: Readonly<Record<string, string | undefined>>): Level[] {
  return levels.filter((level) => !('variable' in level) || variables[level.variable]).map(({ name }) => name)
}

/** Levels that run together in lanes of their own: all that need no other programs, then each of the others. */
export function groupsOf(names: readonly Level[]): Level[][] {
  const alone = levels.filter((level) => 'variable' in level).map(({ name }) => name as Level)
  const groups = [
    names.filter((name) => !alone.includes(name)),
    ...alone.map((one) => names.filter((name) => name === one)),
  ]
  return groups.filter((group) => group.length > 0)
}

/** Every test file of the repository by level. A file that no level takes is an error: it would never run. */
export function testFiles(): Map<Level, string[]> {
  const found = globSync(['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'], {
    exclude: (path) => path.endsWith('node_modules'),
  })
  const byLevel = new Map<Level, string[]>(levels.map(({ name }) => [name, []]))
  for (const path of found.sort()) byLevel.get(levelOf(path))?.push(path)
  return byLevel
}

/** The level of a test file, by the folder that it lies in. */
export function levelOf(path: string): Level {
  const level = levels.find(({ pattern }) => pattern.test(path))
  if (level) return level.name
  throw new Error(`${path} belongs to no level of tests: move it under test/api, test/sim, …`)
}

/** Whether a test file asks for a database: it then imports the server's test support. */
export function needsDatabase(path: string): boolean {
  return /from '[./]+\/test\/support\/|from '\.\/(cluster|database)/.test(readFileSync(path, 'utf8'))
}
