// Runs the tests: `npm run check` those of pure code, `npm test` those of every commit, `npm run deep` all; words name
// levels. The last line counts the tests.
import { relative } from 'node:path'
import { createVitest, type TestSpecification } from 'vitest/node'
import { isInRun, levelOf, levels, projectOf, type Run } from './run/levels.ts'
import { reportLines } from './run/report.ts'
import { runFiles } from './run/run-files.ts'
import { createWatchdog } from './run/watchdog.ts'

const [run = 'test', ...words] = process.argv.slice(2) as [Run?, ...string[]]
const offered = levels.filter((level) => run === 'deep' || level.gate !== 'none')
const names = offered.map(({ name }) => name)
const unknown = words.filter((word) => !names.includes(word))
if (unknown.length > 0) {
  console.error(`npm run ${run} has no level ${unknown.join(', ')}. It has ${names.join(', ')}.`)
  process.exit(2)
}
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
  return level !== undefined && wanted.includes(level) && isInRun(run, level, path)
}
