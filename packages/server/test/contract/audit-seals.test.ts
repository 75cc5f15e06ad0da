import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { rotateSigningKeys } from '../../src/core/keys/key-rotation.rules.ts'
import { loadKeys, type SigningKeyFile } from '../../src/core/keys/keys.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { readFigures } from '../../src/core/work/figures.ts'
import { lockedElsewhere } from '../../src/core/work/reconciler.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { keepAuditMonths } from '../../src/iam/audit/partitions.service.ts'
import { auditSealFigures } from '../../src/iam/audit/seals.figures.ts'
import { auditSealReconciler } from '../../src/iam/audit/seals.reconciler.ts'
import { sealEntries, type Verification, type VerifyOptions, verifyTrail } from '../../src/iam/audit/seals.service.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { startTestServer } from '../support/server.ts'

const inside = leftOut(process.env.BOURSE_TEST_URL && 'needs the inside of the server')
const files = makeKeys('sandbox', createCryptoRandom())
const server = await startTestServer({ runs_reconcilers: false, keys: loadKeys(files) })
const account = await server.account()
const runtime = server.inside?.runtime as Runtime
let made = 0

async function write(count = 1): Promise<void> {
  for (let index = 0; index < count; index++) {
    await server.call('create_workspace', { token: account.token, body: { name: `sealed-${made++}` } })
  }
}

async function seal(most?: number, as = runtime): Promise<boolean> {
  return (await systemCommand(as, (ctx) => sealEntries(ctx, most))) === true
}

/**
 * Seals until every entry is under a seal. Transactions of other databases of the cluster, such as those of tests in
 * other processes, hold seals back until they end.
 */
async function sealAll(most?: number, as = runtime): Promise<void> {
  const sealMore = async () => {
    await seal(most, as)
    assert.equal(await count(unsealed), 0)
    return true
  }
  await eventually('every entry is under a seal', sealMore, { every_milliseconds: 2 })
}

/** Why no seal is made. Where transactions of other databases hold all entries back, none is tried. */
async function refusalToSeal(as = runtime): Promise<string> {
  const { message } = await eventually('a seal is refused', () =>
    seal(undefined, as).then(
      () => undefined,
      (error: Error) => error,
    ),
  )
  return message
}

const unsealed = `select count(*) as n
  from audit_entries
  where write_order >= (select coalesce(max(until), 0) from audit_seals)`

function verify(options?: VerifyOptions): Promise<Verification> {
  return verifyTrail(runtime.database, runtime.keys, options)
}

async function kinds(options?: VerifyOptions): Promise<string[]> {
  return (await verify(options)).problems.map(({ kind }) => kind)
}

/** Changes the database as its owner, verifies, and undoes the change. */
async function tampered(sql: string, undo: string, options?: VerifyOptions): Promise<string[]> {
  await change(sql)
  try {
    return await kinds(options)
  } finally {
    await change(undo)
    assert.deepEqual(await kinds(), [])
  }
}

function change(sql: string): Promise<void> {
  return runtime.database.asOwner(async (db) => {
    for (const text of sql.split(';')) await db.run(statement(null, text))
  })
}

function count(sql: string): Promise<number> {
  return runtime.database.reader.row(statement<{ n: number }>(null, sql)).then((row) => row?.n ?? -1)
}

test('entries wait for a seal since the first of them, if there was never one', inside, async () => {
  const waited = async () => {
    const figures = await readFigures(runtime.database, [auditSealFigures])
    return Number(figures.find(({ family }) => family === 'bourse_audit_unsealed_seconds')?.value)
  }
  await write()
  const earlier = 20_000
  await change(`update audit_entries set occurred_at = occurred_at - ${earlier}`)
  assert.ok((await waited()) >= earlier, String(await waited()))
  await change(`update audit_entries set occurred_at = occurred_at + ${earlier}`)
  await sealAll()
  assert.equal(await waited(), 0)
})

test('of two replicas that seal at once, one makes the seal and the other leaves it', inside, async () => {
  await write(3)
  const first = await systemCommand(runtime, async (ctx) => {
    const made = await sealEntries(ctx, 1)
    assert.equal(await systemCommand(runtime, (other) => sealEntries(other, 1)), lockedElsewhere)
    return made
  })
  assert.notEqual(first, lockedElsewhere)
  await sealAll()
  assert.deepEqual((await verify()).problems, [])
})

test('seals cover every entry once, however many one covers', inside, async () => {
  await write(12)
  await sealAll(5)
  const found = await verify()
  assert.deepEqual(found.problems, [])
  assert.equal(found.entries, await count('select count(*) as n from audit_entries'))
  assert.ok(found.seals >= 3)
  await assertAuditsPass(server)
})

test('an entry that was changed, removed or put in is found', inside, async () => {
  const id = "(select id from audit_entries where operation = 'create_workspace' order by write_order limit 1)"
  await change('create table kept as select * from audit_entries')
  const restore = 'delete from audit_entries; insert into audit_entries select * from kept'
  for (const column of ['operation', 'outcome', 'body', 'account_id']) {
    const sql = `update audit_entries set ${column} = ${column} || 'x' where id = ${id}`
    assert.deepEqual(await tampered(sql, restore), ['changed_entries'], column)
  }
  for (const set of ['occurred_at = occurred_at + 1', "target_ids = target_ids || 'x'::text", 'actor_id = null']) {
    assert.deepEqual(await tampered(`update audit_entries set ${set} where id = ${id}`, restore), ['changed_entries'])
  }
  const last = '(select id from audit_entries order by write_order desc, id desc limit 1)'
  for (const one of [id, last]) {
    assert.deepEqual(await tampered(`delete from audit_entries where id = ${one}`, restore), ['changed_entries'])
  }
  const rest = 'operation, actor_id, outcome, target_ids, body'
  const copy = `insert into audit_entries (stored_on, write_order, account_id, occurred_at, id, ${rest})`
  const put = (columns: string) =>
    `${copy} select ${columns}, account_id, occurred_at, id || 'x', ${rest} from audit_entries where id = ${id}`
  assert.deepEqual(await tampered(put('stored_on, write_order'), restore), ['changed_entries'])
  const nextMonth = "(date_trunc('month', stored_on) + interval '1 month')::date"
  assert.deepEqual(await tampered(put(`${nextMonth}, write_order`), restore), ['added_entries'])
  assert.deepEqual(await tampered(put('stored_on, write_order + 1000000'), restore), ['added_entries'])
  assert.deepEqual(await tampered(put('stored_on, -1'), restore), ['added_entries'])
  await change('drop table kept')
})

test('a seal that was changed or removed is found, and with an earlier result a missing end', inside, async () => {
  const { end = '', seals } = await verify()
  const [, digest = ''] = end.split(':')
  await change('create table kept as select * from audit_seals')
  const restore = 'delete from audit_seals; insert into audit_seals select * from kept'
  assert.deepEqual(await tampered('update audit_seals set sealed_at = sealed_at - 1 where number = 2', restore), [
    'changed_seal',
  ])
  const removed = await tampered('delete from audit_seals where number = 2', restore)
  assert.equal(removed[0], 'missing_seal')
  const cut = `delete from audit_seals where number = ${seals}`
  assert.deepEqual(await tampered(cut, restore), [])
  assert.deepEqual(await tampered(cut, restore, { expected: [{ number: seals, digest }] }), ['missing_end'])
  const other = { number: seals, digest: '0'.repeat(64) }
  assert.deepEqual(await tampered('select 1', 'select 1', { expected: [other] }), ['changed_seal'])
  await change('drop table kept')
})

/** This server with other key files: it signs with the current one of these. */
function withKeys(file: SigningKeyFile): Runtime {
  return { ...runtime, keys: { ...runtime.keys, signing: loadKeys({ ...files, signing: file }).signing } }
}

test(
  'a trail that was written again without the key is found, and the server signs nothing on top',
  inside,
  async () => {
    await change(
      'create table kept as select * from audit_entries; create table kept_seals as select * from audit_seals',
    )
    const restore = `delete from audit_entries; insert into audit_entries select * from kept;
    delete from audit_seals; insert into audit_seals select * from kept_seals`
    const oldest = '(select id from audit_entries order by write_order limit 1)'
    await change(`update audit_entries set operation = 'nothing_happened' where id = ${oldest}`)
    // All seals again, by the same rules and with a key of the forger.
    const forger = makeKeys('sandbox', createCryptoRandom())
    const forge = async () => {
      await change('delete from audit_seals')
      await sealAll(undefined, {
        ...withKeys(forger.signing),
        services: { ...runtime.services, newest_seal: forgotten() },
      })
      assert.deepEqual((await verifyTrail(runtime.database, loadKeys(forger))).problems, [])
    }
    await forge()
    assert.deepEqual(new Set(await kinds()), new Set(['unknown_key']))
    await write()
    const { seals } = await verify()
    const unaware = { ...runtime, services: { ...runtime.services, newest_seal: forgotten() } }
    for (const as of [runtime, unaware]) {
      assert.match(await refusalToSeal(as), /No seal is made, because the audit trail was changed: .*key/)
    }
    assert.equal((await verify()).seals, seals)
    await change(restore)
    assert.deepEqual(await kinds(), [])
    await sealAll()
    await change('drop table kept; drop table kept_seals')
  },
)

test('a server whose newest seal was removed makes no other in its place', inside, async () => {
  await write()
  await sealAll()
  const { end, seals } = await verify()
  await change('create table kept as select * from audit_seals')
  await change(`delete from audit_seals where number = ${seals}`)
  assert.match(await refusalToSeal(), new RegExp(`the chain ends with seal ${seals - 1}, and seal ${seals} was made`))
  await change('delete from audit_seals; insert into audit_seals select * from kept; drop table kept')
  await write()
  await sealAll()
  const found = await verify()
  assert.deepEqual([found.problems, found.seals > seals, found.end === end], [[], true, false])
})

function forgotten(): { current: { seal: undefined } } {
  return { current: { seal: undefined } }
}

test('an entry whose transaction commits late comes under the next seal', inside, async () => {
  const free = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const late = systemCommand(runtime, async (ctx) => {
    begun.resolve()
    await free.promise
    ctx.record({
      account_id: account.id,
      actor: { type: 'system', id: null, name: null },
      operation: 'late',
      targets: [],
      outcome: 'done',
      code: null,
      changes: [],
      on_behalf_of: null,
      address: null,
      user_agent: null,
      request_id: 'late',
    })
  })
  await begun.promise
  await write(2)
  await seal()
  free.resolve()
  await late
  assert.deepEqual(await kinds(), [])
  await sealAll()
  const { problems, entries } = await verify()
  assert.deepEqual([problems, entries], [[], await count('select count(*) as n from audit_entries')])
})

test('the reconciler seals once an hour has ended, by the clock of the sandbox', inside, async () => {
  const sweep = () => systemCommand(runtime, async (ctx) => (await auditSealReconciler.sweep?.(ctx)) ?? [])
  await sealAll()
  await write()
  assert.deepEqual(await sweep(), [])
  await server.advance(3600)
  // Transactions of other databases hold the entry back until they end.
  await eventually('a seal is due', async () => (await sweep()).length > 0)
  const { seals } = await verify()
  await systemCommand(runtime, (ctx) => auditSealReconciler.step(ctx, 'all'))
  assert.equal((await verify()).seals, seals + 1)
  assert.deepEqual(await sweep(), [])
})

test('the program can append to the trail, and neither change nor remove anything', inside, async () => {
  for (const table of ['audit_entries', 'audit_seals']) {
    for (const text of [`delete from ${table}`, `truncate ${table}`]) {
      await assert.rejects(runtime.database.reader.run(statement(null, text)), { code: '42501' }, text)
    }
  }
  const text = "update audit_entries set body = ''"
  await assert.rejects(runtime.database.reader.run(statement(null, text)), { code: '42501' })
})

test(
  'a month is dropped when all of it is older than entries are kept, and the chain stays verifiable',
  inside,
  async () => {
    const name = 'audit_entries_200001'
    const day = 86_400
    await sealAll()
    await change(
      `create table ${name} (like audit_entries including storage);
     alter table audit_entries attach partition ${name} for values from ('2000-01-01') to ('2000-02-01')`,
    )
    assert.deepEqual((await keepAuditMonths(runtime.database)).dropped, [name])
    // Entries of a month that has passed by the real clock, and are young by that of the sandbox.
    await change(
      `create table ${name} (like audit_entries including storage);
     alter table audit_entries attach partition ${name} for values from ('2000-01-01') to ('2000-02-01')`,
    )
    await write()
    const newest = '(select max(write_order) from audit_entries)'
    await change(`update audit_entries set stored_on = '2000-01-05' where write_order = ${newest}`)
    assert.deepEqual((await keepAuditMonths(runtime.database)).dropped, [])
    await sealAll()
    await server.advance(399 * day)
    assert.deepEqual((await keepAuditMonths(runtime.database)).dropped, [])
    await server.advance(2 * day)
    assert.deepEqual((await keepAuditMonths(runtime.database)).dropped, [name])
    assert.deepEqual(await kinds(), [])
    const { data } = await server.call('list_audit_entries', { token: account.token })
    assert.deepEqual(data, [])
  },
)

test('a reset of the sandbox begins a new chain', inside, async () => {
  await server.call('reset_sandbox', { body: { scenario: 'empty' } })
  await sealAll()
  const { problems, seals } = await verify()
  assert.deepEqual([problems, seals], [[], 1])
  const { data } = await server.call('list_all_audit_entries')
  assert.ok(data.some(({ operation }) => operation === 'reset_sandbox'))
})

// The server itself does not know the newest key afterwards.
test(
  'the chain is verified across rotations of the key, also with a file that lacks the oldest key',
  inside,
  async () => {
    const once = rotateSigningKeys(files.signing, { now: 0, random: createCryptoRandom() })
    await server.account()
    await sealAll(undefined, withKeys(once))
    const twice = rotateSigningKeys(once, { now: 0, random: createCryptoRandom() })
    await server.account()
    await sealAll(undefined, withKeys(twice))
    const kept = [twice.current, twice.next]
    const short = { ...twice, keys: twice.keys.filter(({ kid }) => kept.includes(kid)) }
    for (const file of [twice, once, short]) {
      assert.deepEqual((await verifyTrail(runtime.database, withKeys(file).keys)).problems, [])
    }
    const foreign = loadKeys(makeKeys('sandbox', createCryptoRandom()))
    const found = await verifyTrail(runtime.database, foreign)
    assert.deepEqual(new Set(found.problems.map(({ kind }) => kind)), new Set(['unknown_key']))
    assert.deepEqual(await kinds(), [])
  },
)
