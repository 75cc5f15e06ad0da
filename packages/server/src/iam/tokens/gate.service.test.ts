import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { leftOut } from '../../../../../test/left-out.ts'
import { makeToken } from '../../../test/support/access.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { TokenGate } from '../../core/http/request-context.ts'
import { type ApiTokenClaims, signApiToken } from '../../core/keys/jwt.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { rightsOfCaller } from '../access/permissions.service.ts'
import { createRecentEnds } from './ended-tokens.service.ts'
import { createGate, forgetCallers } from './gate.service.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
const account = await server.account()
/** Timers that never fire: nothing is read again in the background. */
const never = () => {}

function claimsOf(token: string): ApiTokenClaims {
  return JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString())
}

async function make(body: object = {}): Promise<{ id: string; token: string }> {
  return server.call('create_token', { token: account.token, body })
}

test('a cached token is answered at once, and concurrent first reads are shared', inside, async () => {
  const gate = createGate(runtime)
  const { token } = await make()
  const reads = Array.from({ length: 20 }, () => gate.authenticate(token))
  assert.ok(reads.every((read) => read === reads[0]))
  const caller = await reads[0]
  assert.equal(gate.authenticate(token), caller)
  assert.equal((caller as Caller).account_id, account.id)
})

test('a genuine signature over claims that differ from the row is refused', inside, async () => {
  const gate = createGate(runtime)
  const stranger = await server.account()
  const endless = claimsOf((await make({ expires_at: null })).token)
  const ending = claimsOf((await make()).token)
  const { exp = 0, ...withoutEnd } = ending
  const { signing } = runtime.keys
  assert.ok(await gate.authenticate(await signApiToken(signing, ending)))
  for (const claims of [
    { ...ending, acct: stranger.id },
    { ...ending, wksp: stranger.workspace_id as `wksp_${string}` },
    { ...ending, jti: 'another' },
    { ...ending, iat: ending.iat - 1 },
    { ...ending, exp: exp + 1 },
    { ...ending, sub: 'tokn_absent' as const },
    { ...ending, sub: endless.sub },
    { ...endless, exp },
    withoutEnd,
  ]) {
    assert.equal(await gate.authenticate(await signApiToken(signing, claims)), undefined, JSON.stringify(claims))
  }
})

test('an invalid token is refused and not cached', inside, async () => {
  const gate = createGate(runtime)
  for (const token of ['', 'a.b.c', 'x'.repeat(5000), `${account.token}x`, account.token.toLowerCase()]) {
    const read = gate.authenticate(token)
    assert.ok(read instanceof Promise)
    assert.equal(await read, undefined)
    assert.ok(gate.authenticate(token) instanceof Promise)
  }
})

test('every gate of a server reads callers again after they are invalidated', inside, async () => {
  const gates = [createGate(runtime), createGate(runtime)]
  const { token } = await make()
  for (const gate of gates) {
    await gate.authenticate(token)
    assert.ok(!(gate.authenticate(token) instanceof Promise))
  }
  forgetCallers(runtime)
  for (const gate of gates) assert.ok(gate.authenticate(token) instanceof Promise)
})

test('only tokens in use are read again before they are stale, in one statement', inside, async () => {
  const reads: string[][] = []
  const rows: Db['rows'] = async (wanted, values = []) => {
    const found = await runtime.database.reader.rows(wanted, values)
    if (wanted.name === 'iam.list_callers') reads.push([...(values[0] as string[])].sort())
    return found
  }
  let now = 0
  const watched = { ...runtime, database: { ...runtime.database, reader: { ...runtime.database.reader, rows } } }
  const timers: (() => unknown)[] = []
  const gate = createGate(
    watched,
    () => now,
    (_milliseconds, work) => timers.push(work),
  )
  const idle = await make()
  const busy = [await make(), await make(), await make()]
  for (const { token } of [idle, ...busy]) assert.ok(await gate.authenticate(token))
  for (const { token } of busy) assert.ok(!(gate.authenticate(token) instanceof Promise))
  const before = reads.length
  now = 600
  await Promise.all(timers.map((work) => work()))
  assert.deepEqual(reads.slice(before), [busy.map(({ id }) => id).sort()])
  now = 1_200
  for (const { token } of busy) assert.ok(!(gate.authenticate(token) instanceof Promise))
  assert.ok(gate.authenticate(idle.token) instanceof Promise)
})

test('the server that deletes a token refuses it at once, another one within a second', inside, async () => {
  let now = 0
  const other = { ...runtime, services: { ...runtime.services, recent_ends: { current: createRecentEnds() } } }
  const [here, there] = [runtime, other].map((one) => createGate(one, () => now, never)) as [TokenGate, TokenGate]
  const { id, token } = await make()
  for (const gate of [here, there]) assert.ok(await gate.authenticate(token))
  await server.call('delete_token', { params: { id }, token: account.token })
  assert.equal(await here.authenticate(token), undefined)
  assert.ok(!(there.authenticate(token) instanceof Promise))
  now = 900
  assert.equal(await there.authenticate(token), undefined)
})

test('a read that is under way while the server ends its token lets nobody in', inside, async () => {
  const { id, token } = await make()
  const [held, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The first read has its row from before the deletion, and arrives after it.
  const rows: Db['rows'] = async (wanted, values) => {
    const found = await runtime.database.reader.rows(wanted, values)
    seen.resolve()
    await held.promise
    return found
  }
  const gate = createGate({
    ...runtime,
    database: { ...runtime.database, reader: { ...runtime.database.reader, rows } },
  })
  const early = gate.authenticate(token)
  await seen.promise
  await server.call('delete_token', { params: { id }, token: account.token })
  const late = gate.authenticate(token)
  held.resolve()
  assert.deepEqual(await Promise.all([early, late]), [undefined, undefined])
})

test('a grant takes effect within a second after the last read of a token, also of one in use', inside, async () => {
  let now = 0
  const gate = createGate(runtime, () => now, never)
  const made = await makeToken(server, account, { pool: ['read'] })
  const has = async () =>
    rightsOfCaller((await gate.authenticate(made.token)) as Caller).workspaces.get(account.workspace_id)
  const before = await has()
  const { workspace_id: workspace } = account
  const body = { principal_type: 'token', principal_id: made.id, role: 'role_admin', workspace } as const
  await server.call('create_grant', { token: account.token, body })
  now = 899
  assert.deepEqual(await has(), before)
  now = 900
  assert.notDeepEqual(await has(), before)
})

test('without the database, an invalid token is 401 and a genuine one 503', inside, async () => {
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  const reader = { rows: away, row: away, run: away }
  const gate = createGate({
    ...runtime,
    services: { ...runtime.services, readSnapshot: away },
    database: { ...runtime.database, reader },
  })
  assert.equal(await gate.authenticate('garbage'), undefined)
  await assert.rejects(async () => gate.authenticate(account.token), { code: 'unavailable' })
})

test('a token that appears while callers are invalidated is read again', inside, async () => {
  const { id, token } = await make()
  const write = (deletedAt: number | null) =>
    runtime.database.reader.run(statement<never>(null, 'update tokens set deleted_at = $2 where id = $1'), [
      id,
      deletedAt,
    ])
  let reads = 0
  // The first read returns no row; the token appears before the gate gets the result.
  const rows: Db['rows'] = async (wanted, values) => {
    const found = await runtime.database.reader.rows(wanted, values)
    reads += 1
    if (reads > 1) return found
    await write(null)
    forgetCallers(late)
    return found
  }
  const late = { ...runtime, database: { ...runtime.database, reader: { ...runtime.database.reader, rows } } }
  const gate = createGate(late)
  await write(1)
  assert.equal((await gate.authenticate(token))?.account_id, account.id)
  assert.equal(reads, 2)
})

test('a second use of a token within a minute does not write its row', inside, async () => {
  const timers: (() => unknown)[] = []
  const open = () => createGate(runtime, undefined, (_milliseconds, work) => timers.push(work))
  const { id, token } = await make()
  const read = statement<{ last_used_at: number | null; xmin: string }>(
    null,
    'select last_used_at, xmin::text from tokens where id = $1',
  )
  const row = async () => runtime.database.reader.row(read, [id])
  // Both uses are in one minute.
  await server.call('freeze_clock')
  atEnd(() => server.call('resume_clock'))
  await open().authenticate(token)
  for (const work of timers) await work()
  const first = await row()
  assert.equal(typeof first?.last_used_at, 'number')
  await open().authenticate(token)
  for (const work of timers) await work()
  assert.deepEqual(await row(), first)
})
