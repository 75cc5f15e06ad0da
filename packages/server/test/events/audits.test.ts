import assert from 'node:assert/strict'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Ctx } from '../../src/core/work/ctx.ts'
import { eventAudits } from '../../src/events/log/events.audit.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from './replicas.ts'

const replicas = await startReplicas(1)
const [{ runtime }] = replicas.servers as [Server]
const { database } = runtime
const account = await replicas.account('audited')

async function emit(...actions: string[]): Promise<void> {
  await systemCommand(runtime, async (ctx) => {
    const target = { target_type: 'instance', target_id: 'inst_1' }
    for (const action of actions) ctx.emit({ account_id: account.id, workspace_id: null, action, ...target })
  })
}

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, eventAudits)
  assert.deepEqual(
    findings.map(({ name }) => name),
    eventAudits.map(({ name }) => name),
  )
  for (const { rows } of findings) assert.ok(rows.length <= 20)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

function change(sql: string): Promise<number> {
  return database.asOwner((db) => db.run(statement(null, sql)))
}

await emit('instance.created')
await emit('instance.running', 'instance.connection_lost')
await emit('instance.connection_lost', 'instance.terminated')

test('a log that the server wrote has no violation', async () => {
  assert.deepEqual(await violated(), [])
})

test('a transaction that begins first and commits last writes no earlier time than others', async () => {
  await replicas.call('freeze_clock')
  const [one, two] = [await replicas.account('audited-one'), await replicas.account('audited-two')]
  for (const accounts of [[one], [one, two]]) {
    const emitTo = (ctx: Ctx) => {
      const event = { workspace_id: null, action: 'image.revoked', target_type: 'image', target_id: 'image_1' }
      for (const { id: account_id } of accounts) ctx.emit({ ...event, account_id })
    }
    await systemCommand(runtime, async (ctx) => {
      await replicas.call('advance_clock', { body: { seconds: 10 } })
      await systemCommand(runtime, async (later) => emitTo(later))
      emitTo(ctx)
    })
    assert.deepEqual(await violated(), [])
  }
  await replicas.call('resume_clock')
})

test('each corruption is found by its audit, and repairing it leaves no violation', async () => {
  const ofAccount = `account_id = '${account.id}'`
  const corruptions = [
    [
      'events.dense',
      `update events set position = 9 where ${ofAccount} and position = 5`,
      'update events set position = 5 where position = 9',
    ],
    [
      'events.dense',
      `update event_counters set position = 6 where ${ofAccount}`,
      `update event_counters set position = 5 where ${ofAccount}`,
    ],
    [
      'events.clock',
      `update events set occurred_at = occurred_at + 60 where ${ofAccount} and position = 3`,
      `update events set occurred_at = occurred_at - 60 where ${ofAccount} and position = 3`,
    ],
    [
      'events.lifecycle',
      `update events set action = 'instance.created' where ${ofAccount} and position = 4`,
      `update events set action = 'instance.connection_lost' where ${ofAccount} and position = 4`,
    ],
    [
      'events.lifecycle',
      `update events set action = 'instance.terminated' where ${ofAccount} and position = 3`,
      `update events set action = 'instance.connection_lost' where ${ofAccount} and position = 3`,
    ],
    [
      'events.actor',
      `update events set actor_token_id = 'tokn_x' where ${ofAccount} and position = 2`,
      `update events set actor_token_id = null where ${ofAccount} and position = 2`,
    ],
  ] as const
  for (const [name, damage, repair] of corruptions) {
    await change(damage)
    assert.deepEqual(await violated(), [name], damage)
    await change(repair)
    assert.deepEqual(await violated(), [], repair)
  }
})

test('the run-time role can neither change nor delete events', async () => {
  for (const text of ['update events set position = 1', 'delete from events', 'truncate events']) {
    await assert.rejects(database.reader.run(statement(null, text)), { code: '42501' })
  }
})

test('every audit of the server runs and finds nothing', async () => {
  const findings = await runAudit(database, app.audits)
  assert.ok(findings.length >= eventAudits.length)
  for (const { name, rows } of findings) assert.deepEqual([name, rows], [name, []])
})
