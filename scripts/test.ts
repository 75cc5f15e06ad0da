import { availableParallelism } from 'node:os'
import { buildTestImage, tinyImageVariable } from '../packages/agent/test/support/tiny-image.ts'
import { clusterVariable, startTestCluster } from '../packages/server/test/support/cluster.ts'
import { installTools } from './pack/tools.ts'
import { checkSteps, generatedStep } from './run/check-steps.ts'
import type { FileResult } from './run/file-result.ts'
import { type Outcome, runSteps } from './run/step.ts'
import { type RunResult, runFiles } from './run/test-files.ts'
import { type Level, levels, orderOf, testFiles, usualLevels } from './run/tests.ts'

/** The target time of `npm test`. The report names a longer run as too slow. */
const secondsWanted = 480
/** The time limit: a longer run hangs, so it is aborted and fails. Slow machines take seven times the target. */
const secondsAtMost = 4800

const began = performance.now()
const asked = process.argv.slice(2)
const unknown = asked.filter((word) => !levels.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`No such level: ${unknown.join(', ')}. Levels are ${levels.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const usual = usualLevels(process.env)
const chosen = levels.map(({ name }) => name).filter((name) => (asked.length === 0 ? usual : asked).includes(name))

const stopping = new AbortController()
const tooLong = setTimeout(() => stopping.abort(new Error('too long')), secondsAtMost * 1000)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(signal)))

const checks: Outcome[] = []
let result: RunResult = { files: [], failed: 0, left_behind: false }
try {
  await runLevels(chosen)
} catch (error) {
  console.error(error)
  checks.push({ name: 'running the levels', ok: false, seconds: 0, output: '' })
}
clearTimeout(tooLong)
process.exitCode = report() ? 0 : 1

async function runLevels(names: readonly Level[]): Promise<void> {
  const needsImage = names.some((name) => name === 'vm' || name === 'netns')
  const everything = asked.length === 0
  await using stack = new AsyncDisposableStack()
  const [outcomes, cluster, image] = await Promise.all([
    everything ? runSteps(checkSteps()) : [],
    startTestCluster(),
    // If it cannot be built, the tests report it as the reason of a skip, or fail if they are required.
    needsImage ? buildTestImage().catch(() => undefined) : undefined,
    names.includes('packages') ? installTools() : undefined,
  ])
  stack.use(cluster)
  if (image) stack.use(image)
  checks.push(...outcomes)
  process.env[clusterVariable] = cluster.socket_directory
  if (image) process.env[tinyImageVariable] = image.path
  const order = orderOf(names, testFiles(), availableParallelism())
  const [generated, ran] = await Promise.all([
    everything ? runSteps([generatedStep()]) : [],
    runFiles(order, { signal: stopping.signal, show: (file) => console.log(fileLine(file)) }),
  ])
  checks.push(...generated)
  result = ran
}

/** Prints the results, the times and what did not run. True if everything passed. */
function report(): boolean {
  const seconds = (performance.now() - began) / 1000
  const stopped = stopping.signal.aborted || seconds > secondsAtMost
  const { files, failed, left_behind } = result
  const passed = sum(files.map((file) => file.passed))
  const failedChecks = checks.filter(({ ok }) => !ok)
  for (const failure of files.flatMap(({ failures }) => failures)) console.log(`\n✖ ${failure}`)
  console.log('')
  for (const name of chosen) console.log(levelLine(name))
  for (const { name } of levels.filter((level) => !chosen.includes(level.name)))
    console.log(`left out: level ${name}; npm test -- ${name} runs it`)
  for (const test of files.flatMap(({ left_out }) => left_out)) console.log(`left out: ${test}`)
  if (left_behind) console.log('tests left processes behind; they were killed')
  for (const { name } of failedChecks) console.log(`failed check: ${name}`)
  if (stopped) console.log(`failed: stopped, or over the limit of ${secondsAtMost} s`)
  else if (seconds > secondsWanted) console.log(`slower than the target of ${secondsWanted} s`)
  if (passed === 0) console.log('failed: no test ran')
  console.log(`${seconds.toFixed(0)} s in total`)
  const wrong = failed + failedChecks.length + (stopped ? 1 : 0)
  console.log(`${passed} passed, ${wrong} failed`)
  return wrong === 0 && passed > 0 && !stopped
}

function fileLine({ path, passed, failed, seconds, processor_seconds }: FileResult): string {
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`
  const times = `${seconds.toFixed(1).padStart(6)} s ${processor_seconds.toFixed(1).padStart(6)} s cpu`
  return `${failed > 0 ? '✗' : '✓'} ${times}  ${path}: ${counts}`
}

function levelLine(name: Level): string {
  const pattern = levels.find((level) => level.name === name)?.pattern
  const own = result.files.filter(({ path }) => pattern?.test(path))
  const seconds = sum(own.map((file) => file.seconds))
  const processor = `${sum(own.map((file) => file.processor_seconds)).toFixed(1)} s cpu`
  const budget = levels.find((level) => level.name === name)?.seconds ?? 0
  const over = seconds > budget ? ', over its budget' : ''
  const counts = `${sum(own.map(({ passed }) => passed))} passed, ${sum(own.map(({ failed }) => failed))} failed`
  return `${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s of ${budget}${over}, ${processor}: ${counts}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
