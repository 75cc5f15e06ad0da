import { checkSteps } from './run/check-steps.ts'
import { runSteps } from './run/step.ts'
import { needsDatabase, testFiles } from './run/tests.ts'

const began = performance.now()
const fast = (testFiles().get('unit') ?? []).filter((path) => !needsDatabase(path))
const tests = { name: 'fast tests', command: process.execPath, args: ['--test', '--test-reporter=dot', ...fast] }
const outcomes = await runSteps([...checkSteps(), tests])

const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`check: ${failed.length === 0 ? 'in order' : `${failed.join(', ')} failed`}, ${seconds} s`)
process.exitCode = failed.length === 0 ? 0 : 1
