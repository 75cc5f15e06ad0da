/** One lane: runs the seeds that it is handed, one after the other. */
import { parentPort } from 'node:worker_threads'
import { runSeed, type SeedOrder } from './seed-run.ts'

parentPort?.on('message', async (order: SeedOrder) => parentPort?.postMessage(await runSeed(order)))
