/**
 * A server for API tests: in this process on a database of its own, or the one that BOURSE_TEST_URL names (a sandbox;
 * BOURSE_API_TOKEN is its platform token). Tests of the API only speak HTTP, so both are the same to them.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { readMigrations } from '../../src/core/db/migrate.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { ensureSandbox } from '../../src/sandbox/scenarios/bootstrap.service.ts'
import { type Server, type ServerOptions, startServer } from '../../src/server.ts'
import { createTestDatabase } from './database.ts'

/** What came back. The body is parsed JSON, undefined where there was none. */
export type TestAnswer = { status: number; headers: Headers; body: any; text: string }

/** What goes with a request. The default token is the platform's. */
export type TestRequest = { token?: string | null; body?: unknown; headers?: Record<string, string>; raw?: string }

/** An account made for a test, with an admin token of its own. */
export type TestAccount = { id: string; token: string; workspace_id: string }

export type TestServer = AsyncDisposable & {
  readonly url: string
  readonly platform_token: string
  /** The server itself, for what cannot be seen from outside; only for tests that never run against a URL. */
  readonly inside: Server | undefined
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>
  /** Like request, but fails unless the answer is a success; gives the body. */
  ok(method: string, path: string, options?: TestRequest): Promise<any>
  /** A fresh account with an admin token. */
  account(fields?: Record<string, unknown>): Promise<TestAccount>
  /** Moves the clock; everything due on the way has run when it answers. */
  advance(seconds: number): Promise<void>
  /** Waits until nothing is due. */
  settle(): Promise<void>
}

const migrationsDirectory = `${import.meta.dirname}/../../../../migrations`
let accounts = 0
let opened = 0

/** Starts the server that tests speak to, stopped at the end of the test file. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await openTestServer(options)
  after(() => server[Symbol.asyncDispose]())
  return server
}

/** The same for programs, which stop it themselves. */
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
    check_answers: true,
    requires_safe_database: false,
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

/** Speaks to a server that runs in a process of its own; there is nothing to stop. */
export function connectTo({ url, platform_token }: { url: string; platform_token: string }): TestServer {
  return testServer({ url, platform_token, inside: undefined, close: async () => {} })
}

type Opened = { url: string; platform_token: string; inside: Server | undefined; close: () => Promise<void> }

function testServer({ url, platform_token, inside, close }: Opened): TestServer {
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())
  const request: TestServer['request'] = async (
    method,
    path,
    { token = platform_token, body, headers = {}, raw } = {},
  ) => {
    const all: Record<string, string> = { ...headers }
    if (token !== null) all.authorization ??= `Bearer ${token}`
    if (body !== undefined || raw !== undefined) all['content-type'] ??= 'application/json'
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url + path, { method, headers: all, ...(sent === undefined ? {} : { body: sent }) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : undefined,
      text,
    }
  }
  const ok: TestServer['ok'] = async (method, path, options) => {
    const answer = await request(method, path, options)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  return {
    url,
    platform_token,
    inside,
    request,
    ok,
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
