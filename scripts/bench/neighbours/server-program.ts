/** A server in production mode, with the rate limits of production. */
import { createInterface } from 'node:readline'
import { openLog } from '../../../packages/server/src/core/base/log.ts'
import type { DatabaseTarget } from '../../../packages/server/src/core/db/database-target.ts'
import { readKeyFiles } from '../../../packages/server/src/core/keys/key-files.ts'
import { startServer } from '../../../packages/server/src/server.ts'
import { benchUrl } from '../worlds/event-world.ts'

type NeighbourServerOptions = {
  target: DatabaseTarget
  keys: Parameters<typeof readKeyFiles>[0]
  schema_version: number
}

const { target, keys, schema_version } = JSON.parse(process.argv[2] as string) as NeighbourServerOptions
let logged = 0
const server = await startServer({
  mode: 'production',
  target,
  keys: await readKeyFiles(keys, { production: false }),
  log: openLog('info', {
    write: (line) => {
      logged += line.length
    },
  }),
  host: '127.0.0.1',
  port: 0,
  public_url: benchUrl,
  schema_version,
})
console.log(JSON.stringify({ port: server.port }))
for await (const _line of createInterface({ input: process.stdin })) {
  const { rss } = process.memoryUsage()
  console.log(JSON.stringify({ rss, logged }))
}
await server[Symbol.asyncDispose]()
