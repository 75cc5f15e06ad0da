/** A server of ours on a database that is there, in a process of its own. */
import { createInterface } from 'node:readline'
import { openLog } from '../../packages/server/src/core/base/log.ts'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { readKeyFiles } from '../../packages/server/src/core/keys/key-files.ts'
import { startServer } from '../../packages/server/src/server.ts'

type Options = { target: DatabaseTarget; keys: Parameters<typeof readKeyFiles>[0]; schema_version: number }

const { target, keys, schema_version } = JSON.parse(process.argv[2] as string) as Options
const server = await startServer({
  mode: 'sandbox',
  target,
  keys: await readKeyFiles(keys, { production: false }),
  log: openLog('error'),
  host: '127.0.0.1',
  port: 0,
  schema_version,
  // Limits are kept and shown, and reached by nobody here.
  rate_multiplier: 1_000_000,
})
console.log(JSON.stringify({ port: server.port }))
for await (const _line of createInterface({ input: process.stdin })) {
  const { rss } = process.memoryUsage()
  console.log(JSON.stringify({ rss }))
}
await server[Symbol.asyncDispose]()
