// Runs the tests: `npm run check` those of pure code, `npm test` those of every commit, `npm run deep` all; words name
// levels, and --minutes says how long a soak takes. The last line counts the tests.
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest, type TestSpecification } from 'vitest/node'
import { isInRun, levelOf, levels, projectOf, type Run } from './run/levels.ts'
import { reportLines } from './run/report.ts'
import { runFiles } from './run/run-files.ts'
import { createWatchdog } from './run/watchdog.ts'
import { readSoakMinutes } from './soak/settings.ts'

const { positionals, values } = readWords()
const [run = 'test', ...words] = positionals as [Run?, ...string[]]
const offered = levels.filter((level) => run === 'deep' || level.gate !== 'none')
const names = offered.map(({ name }) => name)
const unknown = words.filter((word) => !names.includes(word))
if (unknown.length > 0) refuse(`npm run ${run} has no level ${unknown.join(', ')}. It has ${names.join(', ')}.`)
if (words.includes('soak')) checkMinutes(values.minutes ?? process.env.BOURSE_SOAK_MINUTES)
else if (values.minutes !== undefined) refuse('--minutes is for npm run deep -- soak.')
const wanted = words.length > 0 ? offered.filter(({ name }) => words.includes(name)) : offered
// Tests with random cases then run a part of them.
if (run !== 'deep') process.env.BOURSE_TEST_SIZE ??= run === 'check' ? 'small' : 'gate'

const watchdog = createWatchdog()
const vitest = await createVitest({
  watch: false,
  project: [...new Set(wanted.map(projectOf))],
  reporters: [run === 'check' ? 'minimal' : 'default', watchdog],
  ...(run === 'check' ? { globalSetup: [] } : {}),
})
await vitest.standalone()
const found = await runFiles(vitest, watchdog, (await vitest.globTestSpecifications()).filter(isWanted))
await vitest.close()
const lines = reportLines(run, found)
console.log(lines.join('\n'))
process.exit(lines.at(-1)?.endsWith(' 0 failed') ? 0 : 1)

function isWanted({ moduleId }: TestSpecification): boolean {
  const path = relative(process.cwd(), moduleId)
  const level = levelOf(path)
  return level !== undefined && wanted.includes(level) && isInRun(run, level, path, words)
}

function readWords() {
  try {
    return parseArgs({ allowPositionals: true, options: { minutes: { type: 'string' } } })
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** Hands the minutes of a soak to its test. */
function checkMinutes(text: string | undefined): void {
  try {
    process.env.BOURSE_SOAK_MINUTES = `${readSoakMinutes(text)}`
  } catch (error) {
    refuse((error as Error).message)
  }
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
