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
