import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { type ExecutedStatement, workOf } from '../../../test/market/statement-work.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { type Db, type Statement, statement } from '../../core/db/db.ts'
import type { Server } from '../../server.ts'
import { countOpenLogins } from './device-logins.store.ts'
import { removeLinksIn } from './sign-in-links.store.ts'

const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime

/** The statements that `send` sends. Nothing runs. */
async function sentBy(send: (db: Db) => Promise<unknown>): Promise<ExecutedStatement[]> {
  const sent: ExecutedStatement[] = []
  const note = (wanted: Statement<unknown>, params: readonly unknown[] = []): undefined => {
    sent.push({ statement: wanted, params })
  }
  await send({
    rows: async (...asked) => {
      note(...asked)
      return []
    },
    row: async (...asked) => note(...asked),
    run: async (...asked) => {
      note(...asked)
      return 0
    },
  })
  return sent
}

test('open requests of a network, and links of an account, are found without reading those of others', async () => {
  const account = await server.account()
  const other = await server.account()
  await database.asOwner(async (db) => {
    for (const text of [
      `insert into device_logins
         (device_hash, user_code, client_name, network, device, address, created_at, expires_at, interval_seconds,
          state)
       select decode(md5(n::text), 'hex'), 'CODE' || n, 'x', '2001:db8:' || n % 500 || ':' || n % 7, 'x', 'x', 1,
         2000000000 + n % 600, 5, 'pending'
       from generate_series(1, 10000) n`,
      `insert into sign_in_links (id, account_id, user_id, secret_hash, grant_ids, created_at, expires_at)
       select 'link' || n, case when n % 1000 = 0 then '${account.id}' else '${other.id}' end, 'usr_' || n, '',
         '{}', 1, 2
       from generate_series(1, 20000) n`,
    ]) {
      await db.run(statement(null, text))
    }
    for (const table of ['device_logins', 'sign_in_links']) await db.run(statement(null, `analyze ${table}`))
  })
  const asked = { network: '2001:db8:12:3', wider: '2001:db8:12', now: 5, most: 100 }
  const counted = await countOpenLogins(database.reader, asked)
  // 2001:db8:120 is another network.
  assert.deepEqual(counted, { of_network: 3, of_wider: 20, all: 100 })
  const [, count] = await sentBy((db) => countOpenLogins(db, asked))
  const [removal] = await sentBy((db) => removeLinksIn(db, account.id))
  const [counting, removing] = await workOf(target, [count as ExecutedStatement, removal as ExecutedStatement])
  assert.ok((counting?.rows_read ?? 0) <= 3 + 20 + 100, JSON.stringify(counting))
  assert.ok((removing?.rows_read ?? 0) <= 40, JSON.stringify(removing))
})
