// Runs the simulation of the whole system at any size: npm run sim -- --seeds 60 --from 1000000. One seed, step by
// step: npm run sim -- --seed 1000007. The last line is a summary. The exit code is 1 if a seed has a violation or a
// target of the coverage list is missing. The first seed with a violation is then minimized.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandOf, minimize, parseSteps } from '../packages/server/test/sim/minimize.ts'
import { type ProgramResult, runProgram, summaryOf } from '../packages/server/test/sim/program.ts'
import { runSeed } from '../packages/server/test/sim/seed-run.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '180' },
    twice: { type: 'string', default: '0' },
    workers: { type: 'string' },
    seed: { type: 'string' },
    /** With --seed: the file that receives every line of the hash, to compare two runs. */
    write: { type: 'string' },
    /** With --seed: steps to skip, such as 3-40,52. */
    without: { type: 'string', default: '' },
    /** With --seed: kinds of faults, areas of operations and coverage items to exclude, such as kill,images. */
    'leave-out': { type: 'string', default: '' },
    /** With --seed: coverage items that replace its share, such as order-life,pool-transfers, or none. */
    items: { type: 'string' },
    /** Runs every check after each step. */
    closely: { type: 'boolean', default: false },
  },
})
const steps = Number(values.steps)
/** Runs between two progress lines. */
const reportEvery = 25
const auditEvery = 25
/** The maximum number of runs that minimize a failed seed. */
const triesMax = 80

if (values.seed === undefined) await runMany()
else await replay(Number(values.seed))

async function runMany(): Promise<void> {
  const { seeds, from, twice, workers } = values
  const onRun = (done: number) => {
    if (done % reportEvery === 0) console.log(`${done} of ${Number(seeds) + Number(twice)} runs`)
  }
  const result = await runProgram({
    seeds: Number(seeds),
    from: Number(from),
    steps,
    twice: Number(twice),
    log: (text) => console.log(text),
    onRun,
    ...(workers === undefined ? {} : { workers: Number(workers) }),
  })
  for (const [what, times] of Object.entries(result.counts).sort()) console.log(`${what.padEnd(60)} ${times}`)
  for (const failure of result.failures) if (failure.startsWith('seed')) console.log(failure)
  for (const guard of result.unmet) console.log(`coverage target not met: ${guard}`)
  await minimizeFirst(result)
  console.log(summaryOf(result))
  process.exit(result.failures.length + result.unmet.length > 0 ? 1 : 0)
}

async function minimizeFirst({ failed: [failed] }: ProgramResult): Promise<void> {
  if (!failed) return
  const order = { seed: failed.seed, steps, audit_every: auditEvery, hashes: false }
  console.log(`minimizing seed ${failed.seed}:`)
  console.log(commandOf(failed.seed, await minimize(order, failed, { left: triesMax })))
}

async function replay(seed: number): Promise<void> {
  const lines: string[] = []
  const listeners = { log: (line: string) => console.log(line), write: (line: string) => void lines.push(line) }
  const audit_every = values.closely ? 1 : auditEvery
  const cut = {
    without: parseSteps(values.without),
    left_out: values['leave-out'].split(',').filter((part) => part !== ''),
  }
  const items = values.items === undefined ? {} : { items: values.items.split(',') }
  const { violations, hash } = await runSeed({ seed, steps, audit_every, hashes: true, ...cut, ...items, ...listeners })
  if (values.write !== undefined) writeFileSync(values.write, `${lines.join('\n')}\n`)
  for (const violation of violations) console.log(violation)
  console.log(`seed ${seed}: hash ${hash}, ${violations.length} violations`)
  process.exit(violations.length > 0 ? 1 : 0)
}
