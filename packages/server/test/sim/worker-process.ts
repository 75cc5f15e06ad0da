/** A worker thread: runs the seeds that it receives, one after the other. */
import { parentPort } from 'node:worker_threads'
import { runSeed, type SeedOrder, type SeedResult } from './seed-run.ts'

parentPort?.on('message', async (order: SeedOrder) =>
  parentPort?.postMessage(await runSeed(order).catch(failed(order))),
)

/** A seed that throws is reported as a violation, so that the other seeds still run. */
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
