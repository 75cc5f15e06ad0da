/** Several servers that trade on one book, and the checks after the trades. */

import assert from 'node:assert/strict'
import { app } from '../../src/app.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { query } from '../../src/core/work/query.ts'
import { rowsOf } from '../../src/market/book/book.rules.ts'
import { createBookCache, readBook } from '../../src/market/trading/book-cache.service.ts'
import type { Server } from '../../src/server.ts'
import type { Replicas } from '../events/replicas.ts'
import type { TestServer } from '../support/server.ts'

/** The names of violated invariants. */
export async function violated({ runtime }: Server): Promise<string[]> {
  const findings = await runAudit(runtime.database, app.audits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name, rows }) => `${name} ${JSON.stringify(rows[0])}`)
}

/** Several servers on one database as one: requests go to them in turn. */
export function inTurn({ servers, platform_token }: Replicas): TestServer {
  let next = 0
  let accounts = 0
  const request: TestServer['request'] = async (method, path, { token = platform_token, body, headers = {} } = {}) => {
    const { url } = servers[next++ % servers.length] as Server
    const sent: Record<string, string> = { 'content-type': 'application/json', ...headers }
    if (token !== null) sent.authorization = `Bearer ${token}`
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, headers: sent, ...payload })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined, text }
  }
  const ok: TestServer['ok'] = async (method, path, options) => {
    const { status, body, text } = await request(method, path, options)
    assert.ok(status < 300, `${method} ${path} returned ${status}: ${text}`)
    return body
  }
  const account: TestServer['account'] = async (fields = {}) => {
    const body = { id: `trader-${++accounts}`, trust_level: 'partner', ...fields }
    const { id, token } = await ok('POST', '/preview/v2/admin/accounts', { body })
    const me = await ok('GET', '/preview/v2/account', { token })
    return { id, token, workspace_id: me.workspace.id }
  }
  return {
    ...{ url: (servers[0] as Server).url, platform_token, inside: servers[0], request, ok, account },
    advance: async (seconds) =>
      assert.ok((await ok('POST', '/sandbox/clock/advance', { body: { seconds } })).settled, 'It did not settle.'),
    settle: async () =>
      assert.ok((await ok('POST', '/sandbox/settle', { body: { timeout_seconds: 60 } })).settled, 'It did not settle.'),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Asserts that the cached book of each server equals a reload. */
export async function assertCachesEqual(servers: readonly Server[], sku: string): Promise<number> {
  const shown = await Promise.all(servers.map(({ runtime }) => show({ ...runtime }, sku)))
  const { runtime } = servers[0] as Server
  const loaded = await show(
    { ...runtime, services: { ...runtime.services, books: { current: createBookCache() } } },
    sku,
  )
  for (const cached of shown) assert.deepEqual(cached, loaded)
  return loaded.length
}

async function show(runtime: Server['runtime'], sku: string) {
  const origin = { actor: { type: 'system' }, request_id: 'test' } as const
  const book = await query(runtime, origin, (ctx) => readBook(ctx, sku as never))
  return book
    ? rowsOf(book).map(({ order, remaining, lapsed }) => ({ ...order, remaining: [...remaining], lapsed }))
    : []
}
