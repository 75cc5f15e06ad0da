/** Which tests try the mutants that StrykerJS makes. */
import { globSync } from 'node:fs'
import { isInRun, levels } from '../../run/levels.ts'

/** Is set where StrykerJS runs the tests of services: their globs, as JSON. */
const variable = 'BOURSE_MUTANT_TESTS'

/** The tests of pure code in packages. */
export function pureTests(): string[] {
  return levels
    .filter(({ name }) => name === 'unit')
    .flatMap((level) => globSync([...level.files]).filter((path) => isInRun('check', level, path)))
    .filter((path) => path.startsWith('packages/'))
}

/** Has the processes of StrykerJS run these tests, or those of pure code. */
export function chooseTests(tests: readonly string[] = []): void {
  process.env[variable] = JSON.stringify(tests)
}

/** What a process of StrykerJS runs. */
export function chosenTests(): string[] {
  const tests: readonly string[] = JSON.parse(process.env[variable] ?? '[]')
  return tests.length === 0 ? pureTests() : globSync(tests.map((test) => `packages/${test}.test.ts`))
}
