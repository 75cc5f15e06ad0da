import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf } from '../../../test/support/access.ts'
import { makeUser } from '../../../test/support/fixtures/people.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { statement } from '../../core/db/db.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Server } from '../../server.ts'
import { findAdminUser } from './users.service.ts'

const server = await startTestServer()
const { runtime } = server.inside as Server

test('a user whose address an earlier program stored in another form is found, and the address taken', async () => {
  const account = await server.account()
  const { token } = account
  const { id } = await makeUser(server, account, 'role_admin')
  const store = statement<never>(null, 'update users set email = $2 where id = $1')
  for (const stored of ['Ada@Ex\u00e4mple.DE', 'Ada@XN--Exmple-cua.de']) {
    await runtime.database.asOwner((db) => db.run(store, [id, stored]))
    for (const email of ['ada@ex\u00e4mple.de', 'ada@xn--exmple-cua.de', 'ada@exa\u0308mple.DE']) {
      const { data } = await server.call('list_users', { token, query: { email } })
      assert.deepEqual(
        data.map((user) => user.id),
        [id],
        `${email} of ${stored}`,
      )
      assert.equal(await systemCommand(runtime, (ctx) => findAdminUser(ctx, account.id, email)), id)
      const again = await server.attempt('create_user', { token, body: { email } })
      assert.deepEqual([again.status, codeOf(again)], [409, 'email_taken'])
    }
  }
})
