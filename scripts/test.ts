import { availableParallelism } from 'node:os'
import { buildTestImage, tinyImageVariable } from '../packages/agent/test/support/tiny-image.ts'
import { clusterVariable, startTestCluster } from '../packages/server/test/support/cluster.ts'
import { checkSteps, generatedStep } from './run/check-steps.ts'
import { type Outcome, runSteps } from './run/step.ts'
import { type RunResult, runFiles } from './run/test-files.ts'
import { groupsOf, type Level, levelOf, levels, testFiles, usualLevels } from './run/tests.ts'

/** `npm test` is used while one waits: beyond this the report says that it is too slow. */
const secondsWanted = 480
/** Tests wait as well as compute: one lane more than cores. Many more would share one disk without gain. */
const lanes = Math.min(4, availableParallelism() + 1)
/** Beyond this, within the 15 minutes of CI and what it installs before, the run is ended and red. */
const secondsAtMost = 780

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

const checks: Outcome[] = asked.length === 0 ? await runSteps(checkSteps()) : []
const results: RunResult[] = []
/** Levels that were to run and did not, with the reason. */
const skipped = new Map<Level, string>()
try {
  await runLevels(chosen)
} catch (error) {
  console.error(error)
  checks.push({ name: 'running the levels', ok: false, seconds: 0, output: '' })
}
clearTimeout(tooLong)
process.exitCode = report() ? 0 : 1

async function runLevels(names: readonly Level[]): Promise<void> {
  const files = testFiles()
  await using cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  if (asked.length === 0) checks.push(...(await runSteps([generatedStep()])))
  const needsImage = names.some((name) => name === 'vm' || name === 'netns')
  // Where it cannot be built the tests say so, or fail if they are required.
  await using image = needsImage ? await buildTestImage().catch(() => undefined) : undefined
  if (image) process.env[tinyImageVariable] = image.path
  for (const group of groupsOf(names)) {
    const own = group.flatMap((name) => files.get(name) ?? [])
    if (own.length === 0 || stopping.signal.aborted) continue
    if (results.length > 0 && !hasTimeFor(group)) {
      for (const name of group) skipped.set(name, 'this machine is so slow that no time was left for it')
      continue
    }
    console.log(`\n${group.join(', ')}: ${own.length} files`)
    results.push(await runFiles(own, lanes, stopping.signal))
  }
}

/** Whether more time is left than the files of these levels may take, and half as much again. */
function hasTimeFor(group: readonly Level[]): boolean {
  const budget = sum(levels.filter(({ name }) => group.includes(name)).map((level) => level.seconds))
  return (performance.now() - began) / 1000 + budget * 1.5 < secondsAtMost
}

/** Says what ran, how long it took and what was left out; true when all is well. */
function report(): boolean {
  const seconds = (performance.now() - began) / 1000
  const stopped = stopping.signal.aborted || seconds > secondsAtMost
  const passed = sum(results.map((result) => result.passed))
  const failed = sum(results.map((result) => result.failed))
  const failedChecks = checks.filter(({ ok }) => !ok)
  const failures = results.flatMap((result) => result.failures)
  for (const failure of failures) console.log(`\n✖ ${failure}`)
  console.log('')
  for (const name of chosen)
    console.log(skipped.has(name) ? `left out: level ${name}; ${skipped.get(name)}` : levelLine(name))
  for (const { name } of levels.filter((level) => !chosen.includes(level.name)))
    console.log(`left out: level ${name}; npm test -- ${name} runs it`)
  for (const test of results.flatMap(({ left_out }) => left_out)) console.log(`left out: ${test}`)
  if (results.some(({ left_behind }) => left_behind)) console.log('tests left processes behind; they were killed')
  for (const { name } of failedChecks) console.log(`failed before the tests: ${name}`)
  if (stopped) console.log(`stopped or over the limit of ${secondsAtMost} s: red`)
  else if (seconds > secondsWanted) console.log(`over the ${secondsWanted} s that a run should take: make it faster`)
  if (passed === 0) console.log('no test ran: red')
  console.log(`${seconds.toFixed(0)} s in all`)
  const wrong = failed + failedChecks.length + (stopped ? 1 : 0)
  console.log(`${passed} passed, ${wrong} failed`)
  return wrong === 0 && passed > 0 && !stopped
}

function levelLine(name: Level): string {
  const own = results.flatMap(({ files }) => files).filter(({ path }) => levelOf(path) === name)
  const seconds = sum(own.map((file) => file.seconds))
  const budget = levels.find((level) => level.name === name)?.seconds ?? 0
  const over = seconds > budget ? ', over its budget' : ''
  const counts = `${sum(own.map(({ passed }) => passed))} passed, ${sum(own.map(({ failed }) => failed))} failed`
  return `${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s of ${budget}${over}: ${counts}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
