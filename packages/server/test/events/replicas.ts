/** Several servers in this process on one database, like the replicas of a production system. */

import { atEnd } from '../../../../test/at-end.ts'
import type { ServerOptions } from '../../src/assembly/server-options.ts'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { readMigrations } from '../../src/core/migrations/migration-files.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { Calls } from '../support/calls.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectTo, type TestServer } from '../support/server.ts'

export type ReplicaAccount = { readonly id: string; readonly token: string }

/** The replicas. Calls go to the first. */
export type EventReplicas = Calls & {
  readonly servers: readonly Server[]
  readonly platform_token: string
  /** The shared database. */
  readonly target: DatabaseTarget
  /** Creates an account with an admin token. */
  account(id: string): Promise<ReplicaAccount>
  /** One of the replicas, for calls. */
  on(replica: number): TestServer
  close(): Promise<void>
}

const migrationsDirectory = `${import.meta.dirname}/../../../../migrations`

/** Starts the servers, which stop at the end of the test file. */
export async function startReplicas(count: number, options: Partial<ServerOptions> = {}): Promise<EventReplicas> {
  const database = await createTestDatabase()
  const keys = loadKeys(makeKeys('sandbox', createCryptoRandom()))
  const schema_version = (await readMigrations(migrationsDirectory)).length
  const servers: Server[] = []
  for (let i = 0; i < count; i++) {
    const server = await startServer({
      mode: 'sandbox',
      target: database.target,
      keys,
      log: openLog('error'),
      host: '127.0.0.1',
      port: 0,
      schema_version,
      requires_safe_database: false,
      // A loaded machine stops the whole process for longer than the limit of production.
      idle_milliseconds: 60_000,
      rate_multiplier: 1_000_000,
      ...options,
    })
    servers.push(server)
  }
  const { platform_token } = await ensureSandbox((servers[0] as Server).runtime, 'bourse', 'empty')
  let closed: Promise<void> | undefined
  const close = async () => {
    for (const server of servers) await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  }
  const closeOnce = () => (closed ??= close())
  atEnd(closeOnce)
  const clients = servers.map((inside) => connectTo({ url: inside.url, platform_token, inside }))
  const on = (replica: number) => clients[replica] as TestServer
  const { call, attempt } = on(0)
  return {
    servers,
    platform_token,
    target: database.target,
    call,
    attempt,
    account: async (id) => {
      const { token } = await call('create_account', { body: { id, trust_level: 'trusted' } })
      return { id, token }
    },
    on,
    close: closeOnce,
  }
}
