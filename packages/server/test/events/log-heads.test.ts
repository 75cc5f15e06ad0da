import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { follow, followHeads } from '../../src/events/log/log-heads.service.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from './replicas.ts'

const replicas = await startReplicas(1)
const [{ runtime }] = replicas.servers as [Server]
const { database } = runtime
const count = 20_000
const followed = new Set(Array.from({ length: 1_000 }, (_, n) => `acc-${n * 10}`))

const fill = `insert into event_counters (account_id, position, occurred_at)
  select 'acc-' || n, 1, bourse_now() - 1000 from generate_series(1, ${count}) n`
const raise = statement<never>(
  null,
  'update event_counters set position = $2, occurred_at = bourse_now() - $3::bigint where account_id = $1',
)
const readPages = statement<{
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}>(null, 'explain (analyze, buffers, format json) select * from changed_logs(bourse_now() - 30)')
await database.asOwner(async (db) => {
  await db.run(statement(null, fill))
  await db.run(statement(null, "select brin_summarize_new_values('event_counters_by_change')"))
})

function raiseCounter(accountId: string, position: number, age = 0): Promise<number> {
  return database.reader.run(raise, [accountId, position, age])
}

test('a follower of many logs reads those that have changed lately, and all of them from time to time', async () => {
  const heads = follow()
  const read = async (accountIds: ReadonlySet<string> = followed) => {
    const { ends } = await followHeads(runtime, heads, accountIds)
    return (accountId: string) => ends.get(accountId)?.position
  }
  const first = await read()
  assert.deepEqual([first('acc-10'), first('acc-9990'), first('acc-11')], [1, 1, undefined])
  await raiseCounter('acc-10', 2)
  await raiseCounter('acc-11', 2)
  const second = await read()
  assert.deepEqual([second('acc-10'), second('acc-20'), second('acc-11')], [2, 1, undefined])
  // A transaction shows the time at which it began, which may be before the last read.
  await raiseCounter('acc-20', 3, 15)
  assert.equal((await read())('acc-20'), 3)
  // Not even a server that breaks the rule of time hides a change for long.
  await raiseCounter('acc-30', 4, 500)
  assert.equal((await read())('acc-30'), 1)
  heads.wholeAt -= 31_000
  assert.equal((await read())('acc-30'), 4)
})

test('accounts come and go', async () => {
  const heads = follow()
  await followHeads(runtime, heads, followed)
  const more = new Set([...followed, 'acc-77', 'acc-without-events'])
  const { ends } = await followHeads(runtime, heads, more)
  assert.deepEqual([ends.get('acc-77')?.position, ends.get('acc-without-events')], [1, undefined])
  await raiseCounter('acc-77', 5, 500)
  const fewer = await followHeads(runtime, heads, followed)
  assert.equal(fewer.ends.get('acc-77'), undefined)
  const again = await followHeads(runtime, heads, more)
  assert.equal(again.ends.get('acc-77')?.position, 5)
})

test('the read of changed logs touches the pages of those that have changed', async () => {
  // The first call of a session also reads the catalogue to plan.
  const [, [row]] = await database.asOwner(async (db) => [await db.rows(readPages), await db.rows(readPages)])
  const plan = row?.['QUERY PLAN'][0].Plan
  const pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  assert.ok(pages > 0 && pages < 120, `${pages} pages`)
})
