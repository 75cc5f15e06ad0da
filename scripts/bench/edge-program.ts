/** The HTTP edge alone: one authenticated route that responds with 200 ready bytes, through every pipeline stage. */
import { createInterface } from 'node:readline'
import { listSkus } from '../../packages/api/src/market/skus.ts'
import { openTurns } from '../../packages/server/src/assembly/edge.ts'
import { usualKeepAliveSeconds } from '../../packages/server/src/config.ts'
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { openLog } from '../../packages/server/src/core/base/log.ts'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { createStreams } from '../../packages/server/src/core/http/event-stream.ts'
import { createHttp } from '../../packages/server/src/core/http/http.ts'
import { createRateLimits } from '../../packages/server/src/core/http/rate-limits.ts'
import { createRequestTimes } from '../../packages/server/src/core/http/request-times.ts'
import { handleBytes } from '../../packages/server/src/core/http/routes.ts'
import { readKeyFiles } from '../../packages/server/src/core/keys/key-files.ts'
import { createConcurrency } from '../../packages/server/src/core/work/concurrency.ts'
import { createGate } from '../../packages/server/src/iam/tokens/gate.service.ts'
import { openRuntime } from '../../packages/server/src/server.ts'

type EdgeOptions = { target: DatabaseTarget; keys: Parameters<typeof readKeyFiles>[0] }

const { target, keys: paths } = JSON.parse(process.argv[2] as string) as EdgeOptions
const keys = await readKeyFiles(paths, { production: false })
const { runtime } = await openRuntime({ mode: 'sandbox', target, keys, log: openLog('error') })
const body = Buffer.from(JSON.stringify({ object: 'list', data: ['x'.repeat(150)], has_more: false }).padEnd(200))
const edge = createHttp({
  runtime,
  routes: [handleBytes(listSkus, () => ({ body }))],
  gate: createGate(runtime),
  rate_limits: createRateLimits({ multiplier: 1_000_000, replicas: 1, now: monotonicMilliseconds }),
  concurrency: createConcurrency({ max: 1000 }),
  turns: openTurns({ mode: 'sandbox' }),
  streams: createStreams(),
  otherForms: async () => new Map(),
  keep_alive_seconds: usualKeepAliveSeconds,
  fingerprint_secret: keys.fingerprint_key.reveal(),
  observe: createRequestTimes().observe,
})
const server = await edge.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: server.port }))
for await (const _line of createInterface({ input: process.stdin })) {
  const { rss } = process.memoryUsage()
  console.log(JSON.stringify({ rss }))
}
await server.close()
await runtime.database[Symbol.asyncDispose]()
