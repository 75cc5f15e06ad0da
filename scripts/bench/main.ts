/**
 * `npm run bench -- http|market|fleet|machine_boot|neighbours|push|money|people|console [row…] [--json] [--tiny]`:
 * compares measurements with the goals in docs/benchmarks. Prints one row per measurement. Exit code 1 if a goal is
 * missed. With `--tiny` each row is measured at a tiny size, as `npm run deep bench` does, and goals do not count.
 */
import { parseArgs } from 'node:util'
import { measureRows } from './bench.ts'
import { type GroupName, groups } from './groups.ts'
import type { BenchRow } from './row.ts'

const { values: flags, positionals } = readFlags()
const [group = 'http', ...names] = positionals
const wanted = (name: string) => names.length === 0 || names.includes(name)

if (!Object.hasOwn(groups, group)) fail(`Unknown group ${group}. The groups are ${Object.keys(groups).join(', ')}.`)
const benches = groups[group as GroupName]
const all = benches.flatMap(({ rows }) => rows)
const unknown = names.filter((name) => !all.includes(name))
if (unknown.length > 0) fail(`The group ${group} has no row ${unknown.join(', ')}. Its rows are ${all.join(', ')}.`)

let isMet = true
for (const bench of benches) {
  for await (const row of measureRows(bench, flags.tiny ? 'tiny' : 'usual', wanted)) {
    console.log(flags.json ? JSON.stringify(row) : lineOf(row))
    isMet &&= row.met
  }
}
process.exitCode = isMet || flags.tiny ? 0 : 1

function readFlags() {
  try {
    return parseArgs({
      options: { json: { type: 'boolean', default: false }, tiny: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
  } catch (error) {
    return fail((error as Error).message)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function lineOf({ name, ours, against, ratio, goal, met, processor }: BenchRow): string {
  const shown = goal === null || flags.tiny ? '' : `goal ${goal} ${met ? 'met' : 'MISSED'}`
  const [mine, theirs] = [ours, against].map((value) => value.toFixed(value < 100 ? 3 : 0).padStart(10))
  const line = `${name.padEnd(24)} ${mine} ${theirs}  ratio ${ratio.toFixed(3).padStart(7)}  ${shown}`
  return processor ? `${line.padEnd(84)} ${processorText(processor)}` : line
}

/** The processor time of one response of each side, with the database listed separately, and the quotient of both. */
function processorText([ours, against]: NonNullable<BenchRow['processor']>): string {
  const [mine, theirs] = [ours, against].map(({ server, database }) => {
    return database === 0 ? server.toFixed(0) : `${server.toFixed(0)} + ${database.toFixed(0)}`
  })
  const quotient = (against.server + against.database) / (ours.server + ours.database)
  return `processor µs ${mine} against ${theirs}: ${quotient.toFixed(2)}`
}
