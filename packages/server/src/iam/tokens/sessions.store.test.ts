import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makePerson } from '../../../test/support/fixtures/people.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { statement } from '../../core/db/db.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Server } from '../../server.ts'
import { removeSessions } from './sessions.store.ts'

const server = await startTestServer()
const { runtime } = server.inside as Server
const { database } = runtime

test('an ended session is remembered for longer than its events are kept, and not for ever', async () => {
  const account = await server.account()
  const ended = (id: string, days: number) =>
    `insert into ended_sessions
     values ('${id}', '${account.id}', floor(bourse_real_now())::bigint - ${days} * 86400)`
  await database.asOwner(async (db) => {
    for (const text of [ended('tokn_31', 31), ended('tokn_29', 29)]) await db.run(statement(null, text))
  })
  await makePerson(server, account)
  const open = statement<{ token_id: string }>(null, 'select token_id from sessions')
  const session = (await database.reader.row(open))?.token_id as string
  await systemCommand(runtime, ({ db }) => removeSessions(db, [session]))
  assert.equal(await database.reader.row(open), undefined)
  const all = statement<{ token_id: string }>(null, 'select token_id from ended_sessions order by ended_at')
  const ids = (await database.reader.rows(all)).map(({ token_id }) => token_id)
  assert.deepEqual(ids, ['tokn_29', session])
})

test('an ended session is remembered once, whichever program ends it', async () => {
  const account = await server.account()
  const endings = [
    // A program of before schema 70.
    'with gone as (delete from tokens where id = $1 returning id) delete from sessions where token_id in (table gone)',
    // One of schema 70 to 80.
    `with gone as (delete from tokens where id = $1 returning id, account_id),
       kept as (insert into ended_sessions select id, account_id, 1 from gone)
     delete from sessions where token_id in (select id from gone)`,
  ]
  const kept = statement<{ account_id: string }>(null, 'select account_id from ended_sessions where token_id = $1')
  for (const text of endings) {
    const { call } = await makePerson(server, account)
    const { id } = (await call('get_account')).token
    await systemCommand(runtime, ({ db }) => db.run(statement<never>(null, text), [id]))
    assert.deepEqual(await database.reader.rows(kept, [id]), [{ account_id: account.id }])
  }
})

test('the end of a token of a program is not remembered as that of a session', async () => {
  const { token } = await server.account()
  const { id } = await server.call('create_token', { token, body: {} })
  await database.asOwner((db) => db.run(statement<never>(null, 'delete from tokens where id = $1'), [id]))
  const kept = statement(null, 'select token_id from ended_sessions where token_id = $1')
  assert.equal(await database.reader.row(kept, [id]), undefined)
})

test('two ends of sessions forget old ones without waiting for each other', async () => {
  const account = await server.account()
  const old = `insert into ended_sessions
    select 'tokn_old_' || n, '${account.id}', floor(bourse_real_now())::bigint - 31 * 86400
    from generate_series(1, 2) n`
  await database.asOwner((db) => db.run(statement<never>(null, old)))
  const people = [await makePerson(server, account), await makePerson(server, account)]
  const ids = await Promise.all(people.map(async ({ call }) => (await call('get_account')).token.id))
  await systemCommand(runtime, async (first) => {
    await removeSessions(first.db, ids.slice(0, 1))
    await systemCommand(runtime, (second) => removeSessions(second.db, ids.slice(1)))
  })
  for (const { attempt } of people) assert.equal((await attempt('get_account')).status, 401)
})
