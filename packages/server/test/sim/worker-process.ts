/** One worker: runs the seeds that it is handed, one after the other. */
import { parentPort } from 'node:worker_threads'
import { runSeed, type SeedOrder, type SeedResult } from './seed-run.ts'

parentPort?.on('message', async (order: SeedOrder) =>
  parentPort?.postMessage(await runSeed(order).catch(failed(order))),
)

/** A seed that could not be run to its end is a violation like others: the rest of the seeds goes on. */
function failed({ seed }: SeedOrder): (error: Error) => SeedResult {
  return ({ stack }) => ({
    seed,
    options: '',
    violations: [`it broke: ${stack}`],
    counts: {},
    covered: [],
    hash: undefined,
  })
}
