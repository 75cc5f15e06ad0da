// Measures two sides in alternating rounds, which are so short that a busy moment of the machine affects both. Also
// measures the processor time of the processes of each side.

import { familyMilliseconds } from './processor-time.ts'
import { type BenchRow, type Measurement, median, type ProcessorMicroseconds, rowOf } from './row.ts'

/** The result of a round: the number of responses, and the figure to compare. */
export type Round = { readonly responses: number; readonly figure: number }

/** One side: a function that runs a round, and the processes to measure. */
export type Side = {
  run(milliseconds: number): Promise<Round>
  readonly server_pid?: number
  readonly database_pid?: number
  /** The bytes of write-ahead log that the database of this side has written so far. */
  readWal?(): Promise<number>
}

/** How long each side warms up, how long a round takes, and for how long rounds begin: at least one of each side. */
export type TurnPace = {
  readonly warm_milliseconds: number
  /** How long operations run whose rows are counted. */
  readonly learn_milliseconds: number
  readonly round_milliseconds: number
  readonly seconds: number
}

export type Turns = Pick<Measurement, 'name' | 'goal'> & {
  readonly ours: Side
  readonly against: Side
  /** The default is that more is better. */
  readonly better?: Measurement['better']
  readonly pace: TurnPace
}

/** The pace of figures that count. */
export function usualPace(seconds: number): TurnPace {
  return { warm_milliseconds: 1_500, learn_milliseconds: 3_000, round_milliseconds: 300, seconds }
}

/** One short round of each side. */
export const tinyPace: TurnPace = { warm_milliseconds: 50, learn_milliseconds: 100, round_milliseconds: 50, seconds: 0 }

/** The row of two sides: medians of their figures, and the median of the ratios of neighbouring rounds. */
export async function takeTurns({ name, ours, against, goal, better = 'more', pace }: Turns): Promise<BenchRow> {
  await ours.run(pace.warm_milliseconds)
  await against.run(pace.warm_milliseconds)
  const sides = [meter(ours, pace), meter(against, pace)] as const
  const ratios: number[] = []
  const until = performance.now() + pace.seconds * 1000
  for (let round = 0; round === 0 || performance.now() < until; round++) {
    // The order alternates, because the second side runs with the processor caches that the first one left.
    const order = round % 2 === 0 ? [0, 1] : [1, 0]
    const figures: number[] = []
    for (const which of order) figures[which] = await sides[which as 0 | 1].round()
    ratios.push((figures[0] as number) / (figures[1] as number))
  }
  return rowOf({
    name,
    ours: median(sides[0].figures),
    against: median(sides[1].figures),
    better,
    goal,
    rounds: ratios,
    processor: [sides[0].processorOfOne(), sides[1].processorOfOne()],
    ...(ours.readWal && against.readWal ? { wal_bytes: [sides[0].walOfOne(), sides[1].walOfOne()] } : {}),
  })
}

function meter(side: Side, { round_milliseconds }: TurnPace) {
  const figures: number[] = []
  const used = { responses: 0, server: 0, database: 0, wal: 0 }
  const usedBy = (pid: number | undefined) => (pid === undefined ? 0 : (familyMilliseconds(pid) ?? 0))
  const read = () => ({ server: usedBy(side.server_pid), database: usedBy(side.database_pid) })
  return {
    figures,
    round: async () => {
      const walBefore = (await side.readWal?.()) ?? 0
      const before = read()
      const { responses, figure } = await side.run(round_milliseconds)
      const after = read()
      used.wal += ((await side.readWal?.()) ?? 0) - walBefore
      figures.push(figure)
      used.responses += responses
      used.server += after.server - before.server
      used.database += after.database - before.database
      return figure
    },
    processorOfOne: (): ProcessorMicroseconds => ({
      server: (used.server * 1000) / used.responses,
      database: (used.database * 1000) / used.responses,
    }),
    walOfOne: () => used.wal / used.responses,
  }
}
