import { availableParallelism } from 'node:os'
import { checkSteps } from './run/check-steps.ts'
import { runSteps } from './run/step.ts'
import { runFiles } from './run/test-files.ts'
import { needsDatabase, orderOf, testFiles } from './run/tests.ts'

const began = performance.now()
// Property tests then run few random cases.
process.env.BOURSE_TEST_SIZE = 'small'
const fast = (testFiles().get('unit') ?? []).filter((path) => !needsDatabase(path))
const { signal } = new AbortController()
const [outcomes, tests] = await Promise.all([
  runSteps(checkSteps()),
  runFiles(orderOf(['unit'], new Map([['unit', fast]]), availableParallelism()), { signal, show: () => {} }),
])

for (const failure of tests.files.flatMap(({ failures }) => failures)) console.log(`\n✖ ${failure}`)
const passed = tests.files.reduce((total, file) => total + file.passed, 0)
console.log(`fast tests: ${passed} passed, ${tests.failed} failed`)
const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
if (tests.failed > 0 || passed === 0) failed.push('fast tests')
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`check: ${failed.length === 0 ? 'passed' : `${failed.join(', ')} failed`}, ${seconds} s`)
process.exitCode = failed.length === 0 ? 0 : 1
