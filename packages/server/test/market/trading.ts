/** Several servers that trade on one book, and the checks after the trades. */

import assert from 'node:assert/strict'
import { app } from '../../src/app.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { query } from '../../src/core/work/query.ts'
import { rowsOf } from '../../src/market/book/book.rules.ts'
import { createBookCache, readBook } from '../../src/market/trading/book-cache.service.ts'
import type { Server } from '../../src/server.ts'
import type { EventReplicas } from '../events/replicas.ts'
import { connectInTurn, type TestServer } from '../support/server.ts'

/** The names of violated invariants. */
export async function violated({ runtime }: Server): Promise<string[]> {
  const findings = await runAudit(runtime.database, app.audits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name, rows }) => `${name} ${JSON.stringify(rows[0])}`)
}

/** The replicas as one server: requests go to them in turn. Accounts may trade much. */
export function inTurn({ servers, platform_token }: EventReplicas): TestServer {
  const server = connectInTurn(servers, platform_token)
  return { ...server, account: (fields = {}) => server.account({ trust_level: 'partner', ...fields }) }
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
