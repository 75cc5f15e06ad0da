// Injects faults into an installation under load, and checks that it keeps its promises. One round of each kind:
// npm run chaos. Some kinds with another seed: npm run chaos -- --seed 7 --kinds primary-killed,disk-full. For an hour,
// with one seed after the other: npm run chaos -- --night; --minutes 10 for so long. With --publish the report
// replaces the page docs/benchmarks/failover.md. SIGINT or SIGTERM ends it after the running round. Exit code 1 where a
// round did not keep its promise or not all were run, 2 for wrong options.

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type KindName, kindNames, kinds } from '../packages/server/test/chaos/kinds/all.ts'
import { nightOf, readKinds, readNumber, roundsOf } from '../packages/server/test/chaos/plan.ts'
import { openRounds } from '../packages/server/test/chaos/run.ts'
import { makeSetting } from '../packages/server/test/chaos/setting.ts'
import {
  type ChaosReport,
  describeProblems,
  describeRound,
  pagePath,
  printFailoverPage,
  problemsOf,
  type ReportedRound,
  reportPath,
} from './chaos/report.ts'
import { runSession, type SessionEnd } from './chaos/session.ts'
import { hasChanges, readCommit } from './pack/commit.ts'

const root = join(import.meta.dirname, '..')
const usualPath = 'tmp/chaos/report.json'

const options = readOptions()
if (options.publish && (await hasChanges())) refuse('Commit first: a report names the commit that it is of.')
// Before the rounds: the checkout may have moved when they end.
const commit = (await readCommit()) ?? 'none'
const left_out: Partial<Record<KindName, string>> = {}
for (const name of kindNames) {
  const { missing }: { missing?: string | false } = kinds[name]
  if (missing) left_out[name] = missing
}
const possible = options.kinds.filter((name) => !(name in left_out))
for (const [name, reason] of Object.entries(left_out)) console.log(`left out: ${name}: ${reason}`)
if (possible.length === 0) refuse('None of these faults can be injected on this machine.')

const began = performance.now()
const minutesPassed = () => (performance.now() - began) / 60_000
const done: ReportedRound[] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The second one ends the process.
  process.once(signal, () => {
    isInterrupted = true
    console.log(`${signal}: ends after this round, which is not reported`)
  })
}
let end: SessionEnd | undefined
// What ends with an error after the last round does not take its report away.
const error = await runAll().catch((caught: unknown) => caught)
if (error !== undefined) console.error(error)
const isWhole = end === 'all done' || end === 'time over'
if (options.publish && isWhole && done.length > 0) {
  const report = reportNow()
  write(reportPath, `${JSON.stringify(report, null, 2)}\n`)
  write(pagePath, printFailoverPage(report))
}
const wrong = done.filter((round) => problemsOf(round).length > 0)
if (!isWhole) console.log(`ended early: ${end ?? 'failed'}${options.publish ? '; nothing is published' : ''}`)
console.log(`${done.length} rounds, ${wrong.length} did not keep their promise; ${usualPath}`)
process.exit(isWhole && error === undefined && wrong.length === 0 && done.length > 0 ? 0 : 1)

/** Runs the rounds. What has ended is in the report already, whatever becomes of the rest. */
async function runAll(): Promise<void> {
  await using setting = await makeSetting()
  await using rounds = openRounds(setting)
  end = await runSession({
    planned: options.night ? nightOf(options.seed, possible) : roundsOf(options.seed, possible),
    run: ({ kind, seed }) => rounds.run(kind, { seed, fault_seconds: options.fault_seconds }),
    isOver: () => options.night && minutesPassed() >= options.minutes,
    isInterrupted: () => isInterrupted,
    report: (round) => {
      done.push(round)
      write(usualPath, `${JSON.stringify(reportNow(), null, 2)}\n`)
      console.log(describeRound(round))
      for (const line of describeProblems(round)) console.log(`  ${line}`)
    },
  })
}

function reportNow(): ChaosReport {
  return {
    object: 'chaos_report',
    date: new Date().toISOString().slice(0, 10),
    commit,
    machine: {
      processors: availableParallelism(),
      memory_gib: Math.round(totalmem() / 2 ** 30),
      node: process.versions.node,
    },
    command: ['npm run chaos', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
    minutes: Math.round(minutesPassed()),
    left_out,
    rounds: done,
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        kinds: { type: 'string' },
        'fault-seconds': { type: 'string', default: '4' },
        night: { type: 'boolean', default: false },
        minutes: { type: 'string' },
        publish: { type: 'boolean', default: false },
      },
    })
    if (values.minutes !== undefined && !values.night) throw new Error('--minutes is how long a --night lasts.')
    return {
      seed: readNumber('seed', values.seed, { min: 0, max: 2 ** 31 - 1 }),
      kinds: readKinds(values.kinds, kindNames),
      fault_seconds: readNumber('fault-seconds', values['fault-seconds'], { min: 1, max: 60 }),
      night: values.night,
      minutes: readNumber('minutes', values.minutes ?? '60', { min: 1, max: 720 }),
      publish: values.publish,
    }
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
