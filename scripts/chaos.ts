// Injects faults into an installation under load, and checks that it keeps its promises. One round of each kind:
// npm run chaos. Some kinds with another seed: npm run chaos -- --seed 7 --kinds primary-killed,disk-full. For an hour,
// with one seed after the other: npm run chaos -- --night. With --publish the report replaces the page
// docs/benchmarks/failover.md. Exit code 1 where a round did not keep its promise, 2 for wrong options.

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type KindName, kindNames, kinds } from '../packages/server/test/chaos/kinds/all.ts'
import { nightOf, type PlannedRound, readKinds, readNumber, roundsOf } from '../packages/server/test/chaos/plan.ts'
import { type ChaosRounds, openRounds } from '../packages/server/test/chaos/run.ts'
import { makeSetting } from '../packages/server/test/chaos/setting.ts'
import {
  type ChaosReport,
  describeRound,
  pagePath,
  printFailoverPage,
  problemsOf,
  type ReportedRound,
  reportPath,
} from './chaos/report.ts'
import { hasChanges, readCommit } from './pack/commit.ts'

const root = join(import.meta.dirname, '..')
const usualPath = 'tmp/chaos/report.json'
/** Of the lost writes of a round, so many are in the report. */
const lostShownMax = 10

const options = readOptions()
if (options.publish && (await hasChanges())) refuse('Commit first: a report names the commit that it is of.')
const left_out: Partial<Record<KindName, string>> = {}
for (const name of kindNames) {
  const { missing }: { missing?: string | false } = kinds[name]
  if (missing) left_out[name] = missing
}
const possible = options.kinds.filter((name) => !(name in left_out))
for (const [name, reason] of Object.entries(left_out)) console.log(`left out: ${name}: ${reason}`)

const began = performance.now()
const minutesPassed = () => (performance.now() - began) / 60_000
const done: ReportedRound[] = []
{
  await using setting = await makeSetting()
  await using rounds = openRounds(setting)
  for (const planned of options.night ? nightOf(options.seed, possible) : roundsOf(options.seed, possible)) {
    if (options.night && minutesPassed() >= options.minutes) break
    const round = await runOne(rounds, planned)
    done.push(round)
    console.log(describeRound(round))
    for (const problem of problemsOf(round)) console.log(`  ${problem}`)
  }
}
const report: ChaosReport = {
  object: 'chaos_report',
  date: new Date().toISOString().slice(0, 10),
  commit: (await readCommit()) ?? 'none',
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
write(usualPath, `${JSON.stringify(report, null, 2)}\n`)
if (options.publish) {
  write(reportPath, `${JSON.stringify(report, null, 2)}\n`)
  write(pagePath, printFailoverPage(report))
}
const wrong = done.filter((round) => problemsOf(round).length > 0)
console.log(`${done.length} rounds, ${wrong.length} did not keep their promise; ${usualPath}`)
process.exit(wrong.length > 0 || done.length === 0 ? 1 : 0)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        kinds: { type: 'string' },
        'fault-seconds': { type: 'string', default: '4' },
        night: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '60' },
        publish: { type: 'boolean', default: false },
      },
    })
    return {
      seed: readNumber('seed', values.seed, { min: 0, max: 2 ** 31 - 1 }),
      kinds: readKinds(values.kinds, kindNames),
      fault_seconds: readNumber('fault-seconds', values['fault-seconds'], { min: 1, max: 60 }),
      night: values.night,
      minutes: readNumber('minutes', values.minutes, { min: 1, max: 720 }),
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

async function runOne(rounds: ChaosRounds, { kind, seed }: PlannedRound<KindName>): Promise<ReportedRound> {
  const started = performance.now()
  try {
    const { lost, ...result } = await rounds.run(kind, { seed, fault_seconds: options.fault_seconds })
    return { kind, seed, ...result, lost: lost.slice(0, lostShownMax) }
  } catch (error) {
    const seconds = Math.round((performance.now() - started) / 1000)
    return { kind, seed, seconds, notes: [], lost: [], failures: [], late: [], problem: String(error) }
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
