/**
 * `npm run bench -- http|market|fleet|machine_boot|neighbours|push|money|people|console [row…] [--json]`: compares
 * measurements with the goals in docs/benchmarks. Prints one row per measurement. Exit code 1 if a goal is missed.
 */
import { consoleRows } from './console/console.ts'
import { doctorRowNames, doctorRows } from './doctor.ts'
import { agentRows } from './fleet/fleet-agents.ts'
import { planRows } from './fleet/fleet-plan.ts'
import { returnRows } from './fleet/fleet-return.ts'
import { httpRows } from './http.ts'
import { imageRow } from './images.ts'
import { roundRows } from './machines/agent-rounds.ts'
import { bootRows } from './machines/machine-boot.ts'
import { bookRowNames, bookRows } from './market/market-book.ts'
import { marketEngineRows } from './market/market-engine.ts'
import { orderRowNames, orderRows } from './market/orders.ts'
import { moneyRows } from './money.ts'
import { neighbourRows } from './neighbours/neighbours.ts'
import { peopleRows } from './people.ts'
import { pushRows } from './push/push.ts'
import { webhookRows } from './push/webhooks.ts'
import type { Row } from './row.ts'

const args = process.argv.slice(2)
const isJson = args.includes('--json')
const [group = 'http', ...names] = args.filter((arg) => !arg.startsWith('--'))
const wanted = (name: string) => names.length === 0 || names.includes(name)

const otherRows = [...bookRowNames, ...orderRowNames, ...doctorRowNames]
const isEngineWanted = () => names.length === 0 || names.some((name) => !otherRows.includes(name))

const groups: Readonly<Record<string, () => AsyncIterable<Row>>> = {
  http: () => httpRows(wanted),
  market: async function* () {
    if (isEngineWanted()) yield* await marketEngineRows()
    yield* await bookRows(wanted)
    yield* await orderRows(wanted)
    yield* await doctorRows(wanted)
  },
  fleet: async function* () {
    yield* await planRows(wanted)
    yield* await agentRows(wanted)
    yield* await returnRows(wanted)
    if (wanted('image_upload_memory_mb')) yield await imageRow()
  },
  machine_boot: async function* () {
    yield* roundRows(wanted)
    yield* bootRows(wanted)
  },
  neighbours: () => neighbourRows(wanted),
  push: async function* () {
    yield* pushRows(wanted)
    yield* webhookRows(wanted)
  },
  money: moneyRows,
  people: () => peopleRows(wanted),
  console: () => consoleRows(wanted),
}

const measure = groups[group]
if (!measure) {
  console.error(`Unknown group ${group}. The groups are ${Object.keys(groups).join(', ')}.`)
  process.exit(2)
}
let isMet = true
for await (const row of measure()) {
  if (!wanted(row.name)) continue
  console.log(isJson ? JSON.stringify(row) : lineOf(row))
  isMet &&= row.met
}
process.exitCode = isMet ? 0 : 1

function lineOf({ name, ours, against, ratio, goal, met, processor }: Row): string {
  const shown = goal === null ? '' : `goal ${goal} ${met ? 'met' : 'MISSED'}`
  const [mine, theirs] = [ours, against].map((value) => value.toFixed(value < 100 ? 3 : 0).padStart(10))
  const line = `${name.padEnd(24)} ${mine} ${theirs}  ratio ${ratio.toFixed(3).padStart(7)}  ${shown}`
  return processor ? `${line.padEnd(84)} ${processorText(processor)}` : line
}

/** The processor time of one response of each side, with the database listed separately, and the quotient of both. */
function processorText([ours, against]: NonNullable<Row['processor']>): string {
  const [mine, theirs] = [ours, against].map(({ server, database }) => {
    return database === 0 ? server.toFixed(0) : `${server.toFixed(0)} + ${database.toFixed(0)}`
  })
  const quotient = (against.server + against.database) / (ours.server + ours.database)
  return `processor µs ${mine} against ${theirs}: ${quotient.toFixed(2)}`
}
