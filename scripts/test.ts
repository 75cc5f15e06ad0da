// Runs the tests: `npm test` those of every commit, `npm run deep` all of them, both also by level. Without a level the
// checks of the source run too. The last line counts the tests.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildTestImage, tinyImageVariable } from '../packages/agent/test/support/tiny-image.ts'
import { clusterVariable, startTestCluster } from '../packages/server/test/support/cluster.ts'
import { installTools } from './pack/tools.ts'
import { checkSteps, generatedStep } from './run/check-steps.ts'
import type { FileResult } from './run/file-result.ts'
import { isPassed, reportLines, type WholeRun } from './run/report.ts'
import { type Outcome, runSteps } from './run/step.ts'
import { runFiles } from './run/test-files.ts'
import { gateFiles, type Level, levels, orderOf, orderOfOne, testFiles } from './run/tests.ts'

const { values, positionals } = parseArgs({ options: { deep: { type: 'boolean' } }, allowPositionals: true })
const kind = values.deep ? 'deep' : 'gate'
const names = levels.map(({ name }) => name)
const unknown = positionals.filter((word) => !names.some((name) => name === word))
if (unknown.length > 0) {
  console.error(`No such level: ${unknown.join(', ')}. Levels are ${names.join(', ')}.`)
  process.exit(2)
}
const isWhole = positionals.length === 0
const files = values.deep ? testFiles() : gateFiles(testFiles())
const isEmpty = (name: string) => (files.get(name as Level) ?? []).length === 0
const onlyDeep = positionals.filter(isEmpty)
if (onlyDeep.length > 0) {
  console.error(`npm test runs nothing of ${onlyDeep.join(', ')}. Use npm run deep ${onlyDeep.join(' ')}.`)
  process.exit(2)
}
const chosen = names.filter((name) => (isWhole || positionals.includes(name)) && !isEmpty(name))
// Tests with random cases then run a part of them.
if (!values.deep) process.env.BOURSE_TEST_SIZE ??= 'gate'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(signal)))

const run: WholeRun = { kind, chosen, checks: [], files: [], again: [], failed: 0, left_behind: false, stopped: false }
try {
  await runLevels(chosen)
} catch (error) {
  console.error(error)
  run.checks.push({ name: 'running the levels', ok: false, seconds: 0, output: '' })
}
run.stopped = stopping.signal.aborted
for (const line of reportLines(run, performance.now() / 1000)) console.log(line)
process.exitCode = isPassed(run) ? 0 : 1

async function runLevels(chosen: readonly Level[]): Promise<void> {
  const needsImage = chosen.some((name) => name === 'vm' || name === 'netns')
  await using stack = new AsyncDisposableStack()
  const [outcomes, cluster, image] = await Promise.all([
    isWhole ? runSteps(checkSteps()) : [],
    startTestCluster(),
    // If it cannot be built, the tests report it as the reason of a skip, or fail if they are required.
    needsImage ? buildTestImage().catch(() => undefined) : undefined,
    values.deep && chosen.includes('packages') ? installTools().catch(failedTools) : undefined,
  ])
  stack.use(cluster)
  if (image) stack.use(image)
  run.checks.push(...outcomes)
  process.env[clusterVariable] = cluster.socket_directory
  if (image) process.env[tinyImageVariable] = image.path
  const { signal } = stopping
  const show = (file: FileResult) => console.log(fileLine(file))
  const [generated, ran] = await Promise.all([
    isWhole ? runSteps([generatedStep()]) : [],
    runFiles(orderOf(chosen, files, availableParallelism()), { signal, show }),
  ])
  run.checks.push(...generated)
  Object.assign(run, ran)
  await runAgain(signal)
}

/** Runs each file that failed once more, alone. A test that then passes was unsteady, which the report says. */
async function runAgain(signal: AbortSignal): Promise<void> {
  const known = new Set([...files.values()].flat())
  const failed = run.files.filter(({ path, failed, is_stuck }) => failed > 0 && !is_stuck && known.has(path))
  if (failed.length === 0 || run.files.some(({ is_stuck }) => is_stuck) || signal.aborted) return
  console.log(`${failed.length} files failed. Each runs once more, alone.`)
  const paths = failed.map(({ path }) => path)
  const { files: again } = await runFiles(orderOfOne(paths), { signal, show: (file) => console.log(fileLine(file)) })
  run.again.push(...again)
}

/** Tests that need the programs fail then, and say which. */
function failedTools(error: Error): void {
  console.error(error)
  run.checks.push({ name: 'installing the programs of tools/', ok: false, seconds: 0, output: '' } satisfies Outcome)
}

function fileLine({ path, passed, failed, seconds, processor_seconds }: FileResult): string {
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`
  const times = `${seconds.toFixed(1).padStart(6)} s ${processor_seconds.toFixed(1).padStart(6)} s cpu`
  return `${failed > 0 ? '✗' : '✓'} ${times}  ${path}: ${counts}`
}
