/** The side of a bench that writes the same rows as its operations, without a server. */
import pg from 'pg'
import { type Child, startChild } from '../child.ts'
import type { Side } from '../turns.ts'
import type { BenchPlace } from '../worlds/event-world.ts'
import type { CopiesJob, CopiesLoad } from './copies-program.ts'
import { learnTables } from './learn.ts'

export type RowCopies = AsyncDisposable & {
  /**
   * Learns the rows of operations of so many callers, which `run` runs and counts; returns a side that writes them. The
   * figure is what `figureOf` takes from a round.
   */
  learn(callers: number, run: () => Promise<number>, figureOf: (load: CopiesLoad) => number): Promise<Side>
}

/** Starts the program that writes. */
export async function openCopies(place: BenchPlace, core?: number): Promise<RowCopies> {
  await using stack = new AsyncDisposableStack()
  const client = new pg.Client(place.target)
  await client.connect()
  stack.defer(() => client.end())
  const child: Child<unknown, CopiesLoad> = stack.use(
    await startChild('copied-rows/copies-program.ts', { target: place.target }, core),
  )
  const ask = (job: CopiesJob) => child.ask(job)
  const all = stack.move()
  return {
    learn: async (callers, run, figureOf) => {
      const name = `bench_copies_${callers}`
      await ask({ keep: name, tables: await learnTables(client, { schema: name, run }) })
      return {
        run: async (milliseconds) => {
          const load = await ask({ tables: name, callers, milliseconds })
          return { responses: load.calls, figure: figureOf(load) }
        },
        server_pid: child.pid,
        database_pid: place.postgres_pid(),
        readWal: place.readWal,
      }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
