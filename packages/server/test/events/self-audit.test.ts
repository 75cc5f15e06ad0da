import assert from 'node:assert/strict'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { monotonicMilliseconds } from '../../src/core/base/clock.ts'
import { openLog } from '../../src/core/base/log.ts'
import { statement } from '../../src/core/db/db.ts'
import { readLastRun, runDueAudits } from '../../src/events/audits/self-audit.service.ts'
import type { Server } from '../../src/server.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'
import { parseExposition } from './exposition.ts'

const lines: { level: number; audit?: string }[] = []
const log = openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
let skipped = 0
const server = await startTestServer({ log, monotonic: () => monotonicMilliseconds() + skipped })
const account = await server.account()
const { runtime } = server.inside as Server
const { database } = runtime

const asOwner = (text: string) => database.asOwner((db) => db.run(statement(null, text)))
const makeDue = () => asOwner('update self_audit set ended_at = ended_at - 3600')
const corrupt = (sign: string) =>
  asOwner(`update limit_usage set used = used ${sign} 1 where account_id = '${account.id}' and name = 'tokens'`)
const violatedEvents = async () => {
  const page = await server.call('list_events', { query: { action: 'audit.violated' } })
  return page.data.map(({ targets, actor }) => `${actor.type} ${targets[0].type} ${targets[0].id}`)
}

test('the audits run once an hour, on one replica at a time', async () => {
  const meanwhile: unknown[] = []
  const rest = async () => {
    if (meanwhile.length < 2) meanwhile.push(await runDueAudits(runtime, app.audits))
  }
  assert.deepEqual(await runDueAudits(runtime, app.audits, { rest }), [])
  assert.deepEqual(meanwhile, [undefined, undefined], 'a run of another replica meanwhile')
  assert.equal(await runDueAudits(runtime, app.audits), undefined, 'a second run within the hour')
  const last = await readLastRun(database.reader)
  assert.deepEqual([last.audits, last.violations], [app.audits.length, []])
  await makeDue()
  assert.deepEqual(await runDueAudits(runtime, app.audits), [])
})

test('a violation is a line of the log each hour, and an event of the platform account the first time', async () => {
  await corrupt('+')
  for (const hour of [1, 2]) {
    lines.length = 0
    await makeDue()
    assert.deepEqual(await runDueAudits(runtime, app.audits), [{ name: 'limits.exact', rows: 1 }])
    assert.deepEqual(
      lines.map(({ level, audit }) => ({ level, audit })),
      [{ level: 50, audit: 'limits.exact' }],
      `hour ${hour}`,
    )
    assert.deepEqual(await violatedEvents(), ['system audit limits.exact'])
  }
  assert.equal((await server.attempt('get_readiness')).status, 200)
  const { text } = await server.attempt('get_metrics')
  assert.match(text, /^bourse_audit_violations\{audit="limits.exact"\} 1$/m)
  assert.match(text, /^bourse_audit_last_run_timestamp_seconds \d{10}$/m)
  await corrupt('-')
  await makeDue()
  assert.deepEqual(await runDueAudits(runtime, app.audits), [])
  await corrupt('+')
  await makeDue()
  await runDueAudits(runtime, app.audits)
  assert.equal((await violatedEvents()).length, 2, 'a violation that comes back')
  await corrupt('-')
})

test('the hourly run reads the sums of money, and the page shows them', async () => {
  const traders = tradersOn(server)
  const sku = await traders.sku()
  const buyer = await traders.buyer()
  const start_at = await traders.nextHour()
  const { status } = await traders.order(buyer, sku, { start_at, side: 'buy', price: '0.600000', allow_standing: true })
  assert.equal(status, 201)
  await makeDue()
  await runDueAudits(runtime, app.audits, { figures: app.hourly_figures })
  // The figures of the page are read every 15 seconds.
  skipped += 15_000
  const { text } = await server.attempt('get_metrics')
  const shown = parseExposition(text)
  for (const [name, value] of [
    ['bourse_ledger_sum_dollars', 0],
    ['bourse_accounts_held_dollars', 1.2],
    ['bourse_holds_dollars', 1.2],
    ['bourse_holds', 1],
  ] as const) {
    assert.equal(shown.get(name)?.samples.get(name), value, name)
  }
})

test('a replica that stops, or that another one has replaced, records nothing', async () => {
  await makeDue()
  const before = await readLastRun(database.reader)
  assert.equal(await runDueAudits(runtime, app.audits, { isStopped: () => true }), undefined)
  await asOwner('update self_audit set leased_until = 0')
  const rest = async () => void (await asOwner("update self_audit set holder = 'another replica'"))
  assert.equal(await runDueAudits(runtime, app.audits, { rest }), undefined)
  const after = await readLastRun(database.reader)
  assert.deepEqual({ ...after, age_seconds: null }, { ...before, age_seconds: null })
})
