// Tries the mutants that StrykerJS makes of files of an area: all, or those of some lines.
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { clusterVariable, startTestCluster } from '../../../packages/server/test/support/cluster.ts'
import { addMutators } from '../stryker/mutators.ts'
import { chooseTests } from './tests.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** Mutants to try. */
export type Trial = {
  readonly name: string
  /** Files, or `FILE:FIRST-LAST` for lines of one. */
  readonly parts: readonly string[]
  /** Which tests have to find them, without `packages/` and `.test.ts`; those of pure code if none are named. */
  readonly tests?: readonly string[]
}

export type Score = {
  readonly found: number
  /** Those that no test notices, and those in code that no test runs: a line each. */
  readonly survivors: readonly string[]
}

/** What StrykerJS loads. */
const loaded = 'scripts/mutants/stryker'
/** A mutant whose tests take longer than so many times the usual, and some seconds, counts as found. */
const timeoutFactor = 4

export async function tryMutants(trial: Trial): Promise<Score> {
  if (!trial.tests) return runStryker(trial)
  await using cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  return await runStryker(trial)
}

async function runStryker({ name, parts, tests }: Trial): Promise<Score> {
  const folder = join('tmp/mutants', name.replaceAll(/\W+/g, '-'))
  mkdirSync(folder, { recursive: true })
  process.env.BOURSE_TEST_SIZE ??= 'small'
  process.env.BOURSE_PROPERTY_RUNS ??= '100'
  process.env.NODE_COMPILE_CACHE = join(process.cwd(), 'node_modules/.cache/node-compile')
  chooseTests(tests)
  await addMutators()
  const results = await new Stryker({
    mutate: [...parts],
    testRunner: 'vitest',
    // Nearly every test of a service loads the whole server, so that imports say nothing.
    vitest: { configFile: `${loaded}/vitest.config.ts`, related: !tests, pool: 'forks' },
    // Every test of an area would have to run for what is evaluated while a service is loaded.
    ignoreStatic: tests !== undefined,
    plugins: ['@stryker-mutator/vitest-runner', `./${loaded}/texts.ts`],
    ignorers: ['texts'],
    // Type checks of the copy are not needed, and TypeScript 7 has no interface for StrykerJS.
    tsconfigFile: 'none',
    ignorePatterns: ['tmp'],
    tempDirName: join(folder, 'copies'),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(folder, 'report.json') },
    // One core is left for the rest of the machine, and for the database.
    concurrency: Math.max(1, availableParallelism() - 1),
    timeoutFactor,
    warnings: false,
    allowConsoleColors: false,
    // Changed lines may have no mutants.
    allowEmpty: true,
  }).runMutationTest()
  const inState = (...states: readonly string[]) => results.filter(({ status }) => states.includes(status))
  return {
    found: inState('Killed', 'Timeout', 'RuntimeError').length,
    survivors: [...inState('Survived').map(lineOf), ...inState('NoCoverage').map((one) => `${lineOf(one)} (not run)`)],
  }
}

function lineOf({ fileName, location, mutatorName, replacement }: MutantResult): string {
  return `${relative(process.cwd(), fileName)}:${location.start.line} ${mutatorName} ${replacement}`
}

/** In percent. Undefined where there is no mutant. */
export function percentOf({ found, survivors }: Score): number | undefined {
  const all = found + survivors.length
  return all === 0 ? undefined : (100 * found) / all
}
