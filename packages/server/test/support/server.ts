/**
 * A server for API tests: in this process on its own database, or the sandbox at BOURSE_TEST_URL, with
 * BOURSE_API_TOKEN as its platform token. API tests use only HTTP, so they run on both.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { atEnd } from '../../../../test/at-end.ts'
import { limitSeconds } from '../../../../test/eventually.ts'
import type { ServerOptions } from '../../src/assembly/server-options.ts'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { readMigrations } from '../../src/core/migrations/migration-files.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import { type Server, startServer } from '../../src/server.ts'
import { type Calls, callsBy, type SendRequest, type TestRequest, type TestResponse } from './calls.ts'
import { createTestDatabase } from './database.ts'

export type { TestRequest, TestResponse }

/** An account for a test, with its own admin token. */
export type TestAccount = { id: string; token: string; workspace_id: string }

export type TestServer = AsyncDisposable &
  Calls & {
    readonly url: string
    readonly platform_token: string
    /** The server itself, for tests of its internal state. Undefined if the server is at a URL. */
    readonly inside: Server | undefined
    /** Sends a request that is no call of an operation, such as one to an unknown path. */
    readonly request: SendRequest
    /** Like request, but returns the body and fails unless the request succeeds. */
    ok(method: string, path: string, options?: TestRequest): Promise<any>
    /** Creates an account with an admin token. */
    account(fields?: Record<string, unknown>): Promise<TestAccount>
    /** Advances the clock. All work that becomes due has run when the promise resolves. */
    advance(seconds: number): Promise<void>
    /** Waits until no work is due. */
    settle(): Promise<void>
  }

const migrationsDirectory = `${import.meta.dirname}/../../../../migrations`
let accounts = 0
let opened = 0

/** Starts a server, which stops at the end of the test file. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await openTestServer(options)
  atEnd(() => server[Symbol.asyncDispose]())
  return server
}

/** Starts a server for a caller that disposes it. */
export async function openTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const url = process.env.BOURSE_TEST_URL
  const token = process.env.BOURSE_API_TOKEN
  if (url && token) return testServer({ url, platform_token: token, inside: undefined, close: async () => {} })
  const database = options.target ? undefined : await createTestDatabase()
  const images = `${tmpdir()}/bourse-test-images-${process.pid}-${opened++}`
  const server = await startServer({
    mode: 'sandbox',
    target: database?.target as DatabaseTarget,
    keys: loadKeys(makeKeys('sandbox', createCryptoRandom())),
    log: openLog((process.env.BOURSE_LOG_LEVEL as 'error' | undefined) ?? 'error'),
    host: '127.0.0.1',
    port: 0,
    schema_version: (await readMigrations(migrationsDirectory)).length,
    check_responses: true,
    requires_safe_database: false,
    // A loaded machine stops the whole process for longer than the limit of production.
    idle_milliseconds: limitSeconds(1) * 1000,
    image_store: { kind: 'files', directory: images },
    ...options,
  })
  const close = async () => {
    await server[Symbol.asyncDispose]()
    await rm(images, { recursive: true, force: true })
    await database?.[Symbol.asyncDispose]()
  }
  const { platform_token } = await ensureSandbox(server.runtime, 'bourse', 'empty').catch(async (error) => {
    await close()
    throw error
  })
  return testServer({ url: server.url, platform_token, inside: server, close })
}

/** Connects to a server that something else starts and stops. */
export function connectTo({ url, platform_token, inside }: TestServerAddress): TestServer {
  return testServer({ url, platform_token, inside, close: async () => {} })
}

/** Several servers on one database as one: requests go to them in turn. */
export function connectInTurn(servers: readonly Server[], platform_token: string): TestServer {
  const [inside] = servers
  if (inside === undefined) throw new Error('There is no server.')
  let next = 0
  const nextUrl = () => (servers[next++ % servers.length] as Server).url
  return testServer({ url: inside.url, nextUrl, platform_token, inside, close: async () => {} })
}

type TestServerAddress = { url: string; platform_token: string; inside?: Server | undefined }

type OpenedTestServer = TestServerAddress & { nextUrl?: () => string; close: () => Promise<void> }

function testServer({ url, nextUrl = () => url, platform_token, inside, close }: OpenedTestServer): TestServer {
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())
  const request: SendRequest = async (method, path, { token = platform_token, body, headers = {}, raw } = {}) => {
    const all: Record<string, string> = { ...headers }
    if (token !== null) all.authorization ??= `Bearer ${token}`
    if (body !== undefined || raw !== undefined) all['content-type'] ??= 'application/json'
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const payload = sent === undefined ? {} : { body: sent }
    const response = await fetch(nextUrl() + path, { method, headers: all, ...payload })
    const text = await response.text()
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : undefined,
      text,
    }
  }
  const ok: TestServer['ok'] = async (method, path, options) => {
    const response = await request(method, path, options)
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}: ${response.text}`)
    return response.body
  }
  return {
    url,
    platform_token,
    inside,
    request,
    ok,
    ...callsBy(request),
    account: async (fields = {}) => {
      accounts += 1
      const id = `test-${process.pid}-${accounts}`
      const made = await ok('POST', '/preview/v2/admin/accounts', { body: { id, trust_level: 'trusted', ...fields } })
      const me = await ok('GET', '/preview/v2/account', { token: made.token })
      return { id: made.id, token: made.token, workspace_id: me.workspace.id }
    },
    advance: async (seconds) => void (await ok('POST', '/sandbox/clock/advance', { body: { seconds } })),
    settle: async () => {
      const { settled } = await ok('POST', '/sandbox/settle', { body: {} })
      if (!settled) throw new Error('The sandbox did not settle.')
    },
    [Symbol.asyncDispose]: closeOnce,
  }
}
