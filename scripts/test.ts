// Runs the tests: `npm run check` those of pure code, `npm test` those of every commit, `npm run deep` all; words name
// levels. The last line counts the tests.
import { relative } from 'node:path'
import { createVitest, type TestSpecification } from 'vitest/node'
import { isInRun, levels, type Run } from './run/levels.ts'
import { reportLines } from './run/report.ts'
import { runFiles } from './run/run-files.ts'
import { createWatchdog } from './run/watchdog.ts'

const [run = 'test', ...words] = process.argv.slice(2) as [Run?, ...string[]]
const offered = levels.filter((level) => run === 'deep' || level.gate !== 'none').map(({ name }) => name)
const unknown = words.filter((word) => !offered.includes(word))
if (unknown.length > 0) {
  console.error(`npm run ${run} has no level ${unknown.join(', ')}. It has ${offered.join(', ')}.`)
  process.exit(2)
}
// Tests with random cases then run a part of them.
if (run !== 'deep') process.env.BOURSE_TEST_SIZE ??= run === 'check' ? 'small' : 'gate'

const watchdog = createWatchdog()
const vitest = await createVitest({
  watch: false,
  project: words.length > 0 ? words : offered,
  reporters: [run === 'check' ? 'minimal' : 'default', watchdog],
  ...(run === 'check' ? { globalSetup: [] } : {}),
})
await vitest.standalone()
const found = await runFiles(vitest, watchdog, (await vitest.globTestSpecifications()).filter(isWanted))
await vitest.close()
const lines = reportLines(run, found)
console.log(lines.join('\n'))
process.exit(lines.at(-1)?.endsWith(' 0 failed') ? 0 : 1)

function isWanted({ project, moduleId }: TestSpecification): boolean {
  return levels.some((level) => level.name === project.name && isInRun(run, level, relative(process.cwd(), moduleId)))
}
