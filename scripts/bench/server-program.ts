/** The whole server on an existing database. */
import { createInterface } from 'node:readline'
import { openLog } from '../../packages/server/src/core/base/log.ts'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { readKeyFiles } from '../../packages/server/src/core/keys/key-files.ts'
import { startServer } from '../../packages/server/src/server.ts'

type ServerProgramOptions = { target: DatabaseTarget; keys: Parameters<typeof readKeyFiles>[0]; schema_version: number }

const { target, keys, schema_version } = JSON.parse(process.argv[2] as string) as ServerProgramOptions
const server = await startServer({
  mode: 'sandbox',
  target,
  keys: await readKeyFiles(keys, { production: false }),
  log: openLog('error'),
  host: '127.0.0.1',
  port: 0,
  schema_version,
  // Rate limits are counted and returned in headers, but the load never reaches them.
  rate_multiplier: 1_000_000,
})
console.log(JSON.stringify({ port: server.port }))
for await (const _line of createInterface({ input: process.stdin })) {
  const { rss } = process.memoryUsage()
  console.log(JSON.stringify({ rss }))
}
await server[Symbol.asyncDispose]()
