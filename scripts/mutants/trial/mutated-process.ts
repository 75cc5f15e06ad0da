// Runs a test file by Vitest, and prints the title of each failed test as a line of JSON at once. The title of a file
// that cannot be loaded is its path.
import { relative } from 'node:path'
import { createVitest, type Reporter } from 'vitest/node'

const [path = ''] = process.argv.slice(2)
const print = (title: string) => console.log(JSON.stringify(title))
const reporter: Reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === 'failed') print(test.name)
  },
  onTestModuleEnd: (module) => {
    if (module.errors().length > 0) print(path)
  },
}
// The run that tries mutants has a cluster. What tests print is not for its eyes.
const options = { watch: false, globalSetup: [], reporters: [reporter] }
const vitest = await createVitest(options, {}, { stdout: process.stderr, stderr: process.stderr })
const files = await vitest.globTestSpecifications()
await vitest.runTestSpecifications(files.filter(({ moduleId }) => relative(process.cwd(), moduleId) === path))
await vitest.close()
process.exit(0)
