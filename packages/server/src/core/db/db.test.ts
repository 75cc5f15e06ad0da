import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { isRefusal } from '../base/refusal.ts'
import { defineAudit, runAudit } from '../work/auditor.ts'
import { type Db, openDatabase, statement } from './db.ts'

const names = [
  'jit',
  'plan_cache_mode',
  'enable_bitmapscan',
  'enable_seqscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'statement_timeout',
]
const read = statement<{ name: string; setting: string }>(
  null,
  'select name, setting from pg_settings where name = any($1)',
)

const database = await createTestDatabase()
const open = openDatabase(database.target)
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function settingsOf(db: Db): Promise<Record<string, string>> {
  return Object.fromEntries((await db.rows(read, [names])).map(({ name, setting }) => [name, setting]))
}

test('statements of commands are planned once, use indexes, and are never JIT-compiled', async () => {
  const session = await open.session()
  const found = await settingsOf(session)
  session.release()
  const byKeys = { enable_bitmapscan: 'on', enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }
  assert.deepEqual(found, { jit: 'off', plan_cache_mode: 'force_generic_plan', statement_timeout: '3000', ...byKeys })
})

test('reads use indexes in their order, and statements of the owner have no time limit', async () => {
  const ordered = { enable_bitmapscan: 'off', enable_seqscan: 'off', enable_hashjoin: 'on', enable_mergejoin: 'on' }
  const reading = { jit: 'off', plan_cache_mode: 'force_generic_plan', statement_timeout: '3000', ...ordered }
  assert.deepEqual(await settingsOf(open.reader), reading)
  const { enable_hashjoin, statement_timeout } = await open.asOwner(settingsOf)
  assert.deepEqual([enable_hashjoin, statement_timeout], ['on', '0'])
})

test('a statement in a failed transaction gets the error that failed it', async () => {
  const session = await open.session()
  await session.command('begin')
  const fails = statement(null, 'select 1 / 0')
  const sent = [fails, read, read].map((one) => session.rows(one, one === read ? [names] : []))
  const codes = (await Promise.allSettled(sent)).map((end) => end.status === 'rejected' && end.reason.code)
  await session.command('rollback')
  session.release()
  assert.deepEqual(codes, ['22012', '22012', '22012'])
})

test('audits may scan and join whole tables, and restore the settings of their connection', async () => {
  const narrow = `select name from pg_settings
    where name in ('enable_seqscan', 'enable_hashjoin') and setting = 'off'`
  const [finding] = await runAudit(open, [defineAudit('plans', narrow)])
  assert.deepEqual(finding?.rows, [])
  const session = await open.session()
  const { enable_hashjoin, statement_timeout } = await settingsOf(session)
  session.release()
  assert.deepEqual([enable_hashjoin, statement_timeout], ['off', '3000'])
})

test('the locks of a paused process are released before others stop waiting for them', async () => {
  const selectLimits = `select name, setting::integer as milliseconds from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'lock_timeout')`
  const session = await open.session()
  const rows = await session.rows(statement<{ name: string; milliseconds: number }>(null, selectLimits))
  session.release()
  const limits = Object.fromEntries(rows.map(({ name, milliseconds }) => [name, milliseconds]))
  assert.ok(Number(limits.idle_in_transaction_session_timeout) < Number(limits.lock_timeout), JSON.stringify(limits))
})

test('where a lock may be waited for longer, a statement may run longer too', async () => {
  await using patient = openDatabase(database.target, { lock_milliseconds: 8_000 })
  const session = await patient.session()
  const { statement_timeout } = await settingsOf(session)
  const lock = await session.row(statement<{ lock_timeout: string }>(null, 'show lock_timeout'))
  session.release()
  assert.deepEqual([lock?.lock_timeout, statement_timeout], ['8s', '9000'])
})

test('sequential reads use one connection, and concurrent reads are distributed', async () => {
  const pid = statement<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid')
  const inTurn = new Set<number | undefined>()
  for (let n = 0; n < 6; n++) inTurn.add((await open.reader.row(pid))?.pid)
  assert.equal(inTurn.size, 1)
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => open.reader.row(pid)))
  assert.equal(new Set(atOnce.map((row) => row?.pid)).size, 2)
})

test('a read after the close is refused and opens no connection', async () => {
  const closed = openDatabase(database.target)
  await closed.reader.rows(read, [names])
  await closed[Symbol.asyncDispose]()
  await assert.rejects(closed.reader.rows(read, [names]), (error) => isRefusal(error, 'unavailable'))
})
