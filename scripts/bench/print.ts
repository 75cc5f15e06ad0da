/** Rows for a terminal. Pure. */
import type { BenchRow } from './row.ts'

/** One line about a row. Figures of the tiny size have no goal. */
export function describeRow(row: BenchRow, { has_goal }: { readonly has_goal: boolean }): string {
  const { name, ours, against, ratio, goal, better, met, processor, wal_bytes } = row
  const bound = better === 'more' ? '≥' : '≤'
  const shown = goal === null || !has_goal ? '' : `goal ${bound} ${goal} ${met ? 'met' : 'MISSED'}`
  const figures = [ours, against].map((value) => (value === null ? '' : figure(value)).padStart(10)).join(' ')
  const quotient = ratio === null ? '' : `ratio ${ratio.toFixed(3).padStart(7)}`
  const line = `${name.padEnd(24)} ${figures}  ${quotient.padEnd(13)}  ${shown}`
  const costs = [...(processor ? [describeProcessor(processor)] : []), ...(wal_bytes ? [describeWal(wal_bytes)] : [])]
  return costs.length === 0 ? line.trimEnd() : `${line.padEnd(84)} ${costs.join(', ')}`
}

function figure(value: number): string {
  return value.toFixed(value < 100 ? 3 : 0)
}

/** The processor time of one response of each side, with the database listed separately, and the quotient of both. */
function describeProcessor([ours, against]: NonNullable<BenchRow['processor']>): string {
  const [mine, theirs] = [ours, against].map(({ server, database }) => {
    return database === 0 ? server.toFixed(0) : `${server.toFixed(0)} + ${database.toFixed(0)}`
  })
  const quotient = (against.server + against.database) / (ours.server + ours.database)
  return `processor µs ${mine} against ${theirs}: ${quotient.toFixed(2)}`
}

function describeWal([ours, against]: NonNullable<BenchRow['wal_bytes']>): string {
  return `WAL bytes ${ours.toFixed(0)} against ${against.toFixed(0)}`
}
