/** Several servers in this process on one database, like the replicas of a production system. */

import { atEnd } from '../../../../test/at-end.ts'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { readMigrations } from '../../src/core/migrations/migration-files.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { ServerOptions } from '../../src/server-options.ts'
import { createTestDatabase } from '../support/database.ts'

export type Account = { readonly id: string; readonly token: string }

export type Replicas = {
  readonly servers: readonly Server[]
  readonly platform_token: string
  /** The shared database. */
  readonly target: DatabaseTarget
  /** Creates an account with an admin token. */
  account(id: string): Promise<Account>
  /** Sends a request to one of the servers. Throws unless it succeeds. */
  ok(method: string, path: string, options?: { token?: string; body?: unknown; replica?: number }): Promise<any>
  /** Sends a GET request to one of the servers. */
  get(path: string, options: { token: string; replica: number }): Promise<{ status: number; body: any }>
  close(): Promise<void>
}

const migrationsDirectory = `${import.meta.dirname}/../../../../migrations`

/** Starts the servers, which stop at the end of the test file. */
export async function startReplicas(count: number, options: Partial<ServerOptions> = {}): Promise<Replicas> {
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
  const send = async (
    method: string,
    path: string,
    token: string,
    { body, replica = 0 }: { body?: unknown; replica?: number },
  ) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch((servers[replica] as Server).url + path, { method, headers, ...sent })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const ok: Replicas['ok'] = async (method, path, { token = platform_token, ...options } = {}) => {
    const { status, body } = await send(method, path, token, options)
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    servers,
    platform_token,
    target: database.target,
    ok,
    account: async (id) => {
      const made = await ok('POST', '/preview/v2/admin/accounts', { body: { id, trust_level: 'trusted' } })
      return { id, token: made.token.token ?? made.token }
    },
    get: (path, { token, replica }) => send('GET', path, token, { replica }),
    close: closeOnce,
  }
}
