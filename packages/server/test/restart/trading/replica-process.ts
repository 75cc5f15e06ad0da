/**
 * One of several servers on a database, as in production. Prints one line of JSON when ready, and runs until SIGTERM.
 */
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { openLog } from '../../../src/core/base/log.ts'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'
import { readKeyFiles } from '../../../src/core/keys/key-files.ts'
import { ensureSandbox } from '../../../src/sandbox/scenarios/bootstrap.service.ts'
import { startServer } from '../../../src/server.ts'

/** The options on the command line. */
export type ReplicaOrder = {
  readonly target: DatabaseTarget
  readonly keys: Parameters<typeof readKeyFiles>[0]
  readonly schema_version: number
  /** A file that names a failpoint: the next request that reaches it freezes the process and removes the file. */
  readonly freeze_file: string
}

/** The line that it prints when it is ready. */
export type ReadyReplica = { readonly url: string; readonly platform_token: string }

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '') as ReplicaOrder)

async function serve({ target, keys, schema_version, freeze_file }: ReplicaOrder): Promise<void> {
  const stopped = once(process, 'SIGTERM')
  await using server = await startServer({
    mode: 'sandbox',
    target,
    keys: await readKeyFiles(keys, { production: false }),
    log: openLog('error'),
    host: '127.0.0.1',
    port: 0,
    schema_version,
    requires_safe_database: true,
    rate_multiplier: 1_000_000,
    failpoint: (name, requestId) => {
      if (!requestId.startsWith('step:') && requestId !== 'system') freezeAt(name, freeze_file)
    },
  })
  const { platform_token } = await ensureSandbox(server.runtime, 'bourse', 'empty')
  console.log(JSON.stringify({ url: server.url, platform_token } satisfies ReadyReplica))
  await stopped
}

function freezeAt(name: string, file: string): void {
  try {
    if (readFileSync(file, 'utf8') !== name) return
  } catch {
    return
  }
  rmSync(file)
  process.kill(process.pid, 'SIGSTOP')
}
