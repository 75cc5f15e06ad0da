import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../src/core/base/wait.ts'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { lockAccount } from '../../src/iam/names/owners.service.ts'
import { makeLink, makeUser, press } from '../api/people.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const runtime = server.inside?.runtime as Runtime
const inside = server.inside ? {} : { skip: 'needs the inside of the server' }

const blocked = statement<{ pid: number }>(
  null,
  'select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
)

async function areBlocked(count: number): Promise<boolean> {
  return (await runtime.database.reader.rows(blocked)).length >= count
}

test('of two requests that have seen an open sign-in link, one opens a session', inside, async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = systemCommand(runtime, async (ctx) => {
    await lockAccount(ctx, account.id)
    held.resolve()
    await free.promise
  })
  await held.promise
  const pressed = [press(server, path), press(server, path)]
  assert.ok(await waitFor(() => areBlocked(2), { every_milliseconds: 5, at_most_milliseconds: 5_000 }))
  free.resolve()
  await holder
  const answers = await Promise.all(pressed)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 410])
})
