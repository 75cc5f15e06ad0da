import assert from 'node:assert/strict'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { statement } from '../../src/core/db/db.ts'
import { listHistories } from '../../src/core/db/history.store.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from './replicas.ts'

const replicas = await startReplicas(2)
const { runtime } = replicas.servers[0] as Server
const customer = await replicas.account('customer')
const write = (n: number) =>
  systemCommand((replicas.servers[n % 2] as Server).runtime, async (ctx) =>
    ctx.emit({
      account_id: customer.id,
      workspace_id: null,
      action: 'image.revoked',
      target_type: 'image',
      target_id: `image_${n}`,
    }),
  )
const read = (cursor: string | undefined, replica: number) =>
  replicas.on(replica).attempt('list_events', {
    query: { limit: 200, starting_after: cursor },
    token: customer.token,
  })
const idsOf = ({ body }: { body: any }): string[] => body.data.map(({ id }: { id: string }) => id)

/** Removes the newest events of the account as the copy of an older data directory does. */
async function lose(count: number): Promise<void> {
  await runtime.database.asOwner(async (db) => {
    const run = (text: string) => db.run(statement(null, text))
    await run('begin')
    await run(`update event_counters set position = position - ${count} where account_id = '${customer.id}'`)
    await run(`delete from events e using event_counters c
      where e.account_id = c.account_id and e.account_id = '${customer.id}' and e.position > c.position`)
    await run('commit')
  })
}

test('a cursor ahead of the log proves a loss: it gets 410, and cursors of the common log go on', async () => {
  for (let n = 0; n < 4; n++) await write(n)
  const common = await read(undefined, 0)
  for (let n = 4; n < 7; n++) await write(n)
  const lost = [await read(undefined, 0), await read(undefined, 1)]
  await lose(3)
  // One event of the new history has a position that a lost event had.
  await write(7)
  const refused = await read(lost[1]?.body.cursor, 1)
  assert.equal(refused.status, 410)
  assert.equal(refused.body.error.type, 'gone')
  assert.match(refused.body.error.message, /lost the newest events/)
  assert.equal((await read(lost[0]?.body.cursor, 0)).status, 410)
  const whole = [await read(undefined, 0), await read(undefined, 1)]
  assert.deepEqual(idsOf(whole[0] as any), idsOf(whole[1] as any))
  assert.equal(idsOf(whole[0] as any).length, idsOf(common).length + 1)
  const next = await read(common.body.cursor, 1)
  assert.deepEqual([...idsOf(common), ...idsOf(next)], idsOf(whole[0] as any))
  // Even where the new history has passed its position, the cursor is of an event that is lost.
  for (let n = 8; n < 12; n++) await write(n)
  assert.equal((await read(lost[0]?.body.cursor, 0)).status, 410)
  const [history] = await listHistories(runtime.database.reader)
  assert.equal(history?.reason, 'evidence')
  assert.match(history.evidence ?? '', /A cursor of account customer is at position/)
  const findings = (await runAudit(runtime.database, app.audits)).filter(({ rows }) => rows.length > 0)
  assert.deepEqual(
    findings.filter(({ name }) => name !== 'events.paired'),
    [],
  )
})

test('a cursor of the new history is not taken for a lost one', async () => {
  const { body } = await read(undefined, 0)
  await write(12)
  const next = await read(body.cursor, 1)
  assert.equal(next.status, 200)
  assert.equal(idsOf(next).length, 1)
  assert.equal((await listHistories(runtime.database.reader)).length, 1)
})
