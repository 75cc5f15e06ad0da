// Tries the mutants that StrykerJS makes of an area: all, or those of some lines.
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Area } from './areas.ts'

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

export type Score = {
  readonly found: number
  /** Those that no test notices, and those in code that no test runs: a line each. */
  readonly survivors: readonly string[]
}

/** What StrykerJS loads. */
const loaded = 'scripts/mutants/stryker'
/** A mutant whose tests take longer than so many times the usual, and some seconds, counts as found. */
const timeoutFactor = 4

/** `parts`: files, or `FILE:FIRST-LAST` for lines of one. */
export async function tryArea({ name }: Area, parts: readonly string[]): Promise<Score> {
  const folder = join('tmp/mutants', name.replaceAll(' ', '-'))
  mkdirSync(folder, { recursive: true })
  process.env.BOURSE_TEST_SIZE ??= 'small'
  process.env.BOURSE_PROPERTY_RUNS ??= '100'
  process.env.NODE_COMPILE_CACHE = join(process.cwd(), 'node_modules/.cache/node-compile')
  const results = await new Stryker({
    mutate: [...parts],
    testRunner: 'vitest',
    vitest: { configFile: `${loaded}/vitest.config.ts`, related: true, pool: 'forks' },
    plugins: ['@stryker-mutator/vitest-runner', `./${loaded}/texts.ts`],
    ignorers: ['texts'],
    // Type checks of the copy are not needed, and TypeScript 7 has no interface for StrykerJS.
    tsconfigFile: 'none',
    ignorePatterns: ['tmp', 'docs', 'packages/console/dist'],
    tempDirName: join(folder, 'copies'),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(folder, 'report.json') },
    // Their tests wait for nothing, so one core is left for the rest of the machine.
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
