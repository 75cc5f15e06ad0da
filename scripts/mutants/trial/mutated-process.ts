// Runs a test file by Vitest, and prints each failed test as a line of JSON at once: its titles, those of its groups
// first. The title of a file that cannot be loaded is its path.
import { relative } from 'node:path'
import { createVitest, type Reporter } from 'vitest/node'

const [path = ''] = process.argv.slice(2)
const print = (titles: readonly string[]) => console.log(JSON.stringify(titles))
const reporter: Reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === 'failed') print(test.fullName.split(' > '))
  },
  onTestModuleEnd: (module) => {
    if (module.errors().length > 0) print([path])
  },
}
// The run that tries mutants has a cluster. What tests print is not for its eyes.
const options = { watch: false, globalSetup: [], reporters: [reporter] }
const vitest = await createVitest(options, {}, { stdout: process.stderr, stderr: process.stderr })
const files = await vitest.globTestSpecifications()
await vitest.runTestSpecifications(files.filter(({ moduleId }) => relative(process.cwd(), moduleId) === path))
await vitest.close()
process.exit(0)
