// Measures all audits on a long history, without statistics, and how their time grows with it.

import { app } from '../../packages/server/src/app.ts'
import { type Finding, runAudit } from '../../packages/server/src/core/work/auditor.ts'
import { addHistory } from '../../packages/server/test/events/long-history.ts'
import { makePlace } from './event-world.ts'
import { rounded } from './market/market-engine.ts'
import type { Row } from './row.ts'

/** The rows of this file. */
export const doctorRowNames: readonly string[] = ['doctor_slowest_ms', 'doctor_growth']

/** The orders and the instances of each size; the ledger and the log have several times as many rows. */
const [few, many] = [40_000, 400_000]
const restingOf = (orders: number) => orders / 10
const millisecondsMax = 1_000
const growthMax = 12

/** The milliseconds of the slowest audit, and the quotient of all audits on ten times as many rows. */
export async function doctorRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!doctorRowNames.some(wanted)) return []
  const small = await measure(few)
  const big = wanted('doctor_growth') ? await measure(many) : undefined
  const slowest = { name: 'doctor_slowest_ms', ours: small.slowest, against: millisecondsMax }
  const rows = [rowOf({ ...slowest, goal: 1 })]
  if (big) rows.push(rowOf({ name: 'doctor_growth', ours: big.all, against: small.all, goal: growthMax }))
  return rows
}

function rowOf({ name, ours, against, goal }: Pick<Row, 'name' | 'ours' | 'against'> & { goal: number }): Row {
  const ratio = ours / against
  return { name, ours: rounded(ours), against: rounded(against), ratio: rounded(ratio), goal, met: ratio <= goal }
}

async function measure(orders: number): Promise<{ all: number; slowest: number }> {
  await using place = await makePlace()
  return await place.prepare(async ({ runtime }) => {
    const { database } = runtime
    await addHistory(runtime, 'bench', { filled: orders, resting: restingOf(orders), instances: orders })
    const began = performance.now()
    let slowest = { name: '', milliseconds: 0 }
    for (const audit of app.audits) {
      const from = performance.now()
      assertHolds(await runAudit(database, [audit]))
      const milliseconds = performance.now() - from
      if (milliseconds > slowest.milliseconds) slowest = { name: audit.name, milliseconds }
    }
    const all = performance.now() - began
    console.error(
      `${orders} orders: ${rounded(all)} ms, the slowest ${slowest.name} ${rounded(slowest.milliseconds)} ms`,
    )
    return { all, slowest: slowest.milliseconds }
  })
}

function assertHolds(findings: readonly Finding[]): void {
  for (const { name, rows } of findings) if (rows.length > 0) throw new Error(`${name}: ${JSON.stringify(rows[0])}`)
}
