/**
 * Whole servers on an existing database as workers of one process, which hands out connections as `bourse serve` does.
 * Each answer has the memory of all processes.
 */
import cluster from 'node:cluster'
import { createInterface } from 'node:readline'
import { openLog } from '../../packages/server/src/core/base/log.ts'
import { connectionShare } from '../../packages/server/src/core/db/connection-share.rules.ts'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { readKeyFiles } from '../../packages/server/src/core/keys/key-files.ts'
import { startServer } from '../../packages/server/src/server.ts'

type WorkersOptions = {
  target: DatabaseTarget
  keys: Parameters<typeof readKeyFiles>[0]
  schema_version: number
  workers: number
}

const { target, keys, schema_version, workers } = JSON.parse(process.argv[2] as string) as WorkersOptions

if (cluster.isPrimary) await lead()
else await serve()

async function lead(): Promise<void> {
  const sizes = new Map<number, number>()
  cluster.schedulingPolicy = cluster.SCHED_RR
  const ports = Array.from({ length: workers }, () => {
    const worker = cluster.fork()
    const { promise, resolve } = Promise.withResolvers<number>()
    worker.on('message', ({ port, rss }: { port: number; rss: number }) => {
      sizes.set(worker.id, rss)
      resolve(port)
    })
    return promise
  })
  const [port] = await Promise.all(ports)
  const pids = Object.values(cluster.workers ?? {}).map((worker) => worker?.process.pid)
  console.log(JSON.stringify({ port, pids }))
  for await (const _line of createInterface({ input: process.stdin })) {
    const answers = Object.values(cluster.workers ?? {}).map((worker) => {
      const answer = new Promise((resolve) => void worker?.once('message', resolve))
      worker?.send('size')
      return answer
    })
    await Promise.all(answers)
    const rss = [...sizes.values()].reduce((sum, size) => sum + size, process.memoryUsage().rss)
    console.log(JSON.stringify({ rss }))
  }
  process.exit(0)
}

async function serve(): Promise<void> {
  const { transactions, account_reads } = connectionShare(workers)
  const server = await startServer({
    mode: 'sandbox',
    target,
    keys: await readKeyFiles(keys, { production: false }),
    log: openLog('error'),
    host: '127.0.0.1',
    port: 0,
    schema_version,
    rate_multiplier: 1_000_000,
    connections_max: transactions,
    account_readers_max: account_reads,
  })
  const tell = () => process.send?.({ port: server.port, rss: process.memoryUsage().rss })
  process.on('message', tell)
  tell()
}
