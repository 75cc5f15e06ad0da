import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { createGate } from '../../iam/tokens/gate.service.ts'
import { refuse } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { type BatchEntry, type BatchOutcome, type BatchVerdict, batchCommand, ctxOfEntry } from './batch-command.ts'
import { plainCommand } from './command.ts'
import type { Ctx } from './ctx.ts'
import type { Runtime } from './runtime.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
const account = await server.account()

const raise = statement<never>(
  null,
  `insert into versions (name, value) values ($1, 1) on conflict (name) do update set value = versions.value + 1`,
)
const hurry = statement<never>(null, "set local lock_timeout = '50ms'")
const read = statement<{ value: number }>(null, 'select value from versions where name = $1')

function askedFor(input: string): BatchEntry<string> {
  return { origin: { actor: { type: 'system' }, request_id: input }, input, claim: undefined, asked: [] }
}

/** A request that nobody has to find in the audit trail. */
function entryOf(input: string): BatchEntry<string> {
  const { origin, ...entry } = askedFor(input)
  return { ...entry, origin: { ...origin, unrecorded: 'part' } }
}

async function entryBy({ token }: { token: string }, input: string): Promise<BatchEntry<string>> {
  const caller = await createGate(runtime).authenticate(token)
  assert.ok(caller)
  const { origin, ...entry } = entryOf(input)
  return { ...entry, origin: { ...origin, caller } }
}

async function raiseAll(ctx: Ctx, entries: readonly BatchEntry<string>[]): Promise<BatchVerdict<string>[]> {
  await ctx.db.run(hurry)
  for (const { input } of entries) await ctx.db.run(raise, [input])
  return entries.map(({ input }) => ({ done: input }))
}

async function raised(name: string): Promise<number> {
  return (await runtime.database.reader.row(read, [name]))?.value ?? 0
}

const response = () => ({ status: 200, body: '{}' })

test('if one request reaches the lock timeout, the others run separately', inside, async () => {
  await using other = await locking('batch.held')
  const entries = ['batch.first', 'batch.held', 'batch.last'].map(entryOf)
  const options = { entries, work: raiseAll, response }
  const parted = await batchCommand(runtime, { ...options, splits_on_lock_timeout: true })
  assert.deepEqual(
    parted.map((outcome) => ('refusal' in outcome ? outcome.refusal.code : 'done')),
    ['done', 'unavailable', 'done'],
  )
  assert.deepEqual(parted.map(causeOf), [undefined, '55P03', undefined])
  assert.deepEqual([await raised('batch.first'), await raised('batch.last')], [1, 1])
  const together = await batchCommand(runtime, options)
  assert.deepEqual(together.map(causeOf), ['55P03', '55P03', '55P03'])
  assert.deepEqual([await raised('batch.first'), await raised('batch.last')], [1, 1])
  await other.release()
  assert.ok((await batchCommand(runtime, options)).every((outcome) => 'result' in outcome))
  assert.deepEqual([await raised('batch.held'), await raised('batch.last')], [2, 2])
})

test('what somebody asks for commits with an entry of the audit trail only, or with a reason', inside, async () => {
  const entry = askedFor('batch.untold')
  const options = { entries: [entry], work: raiseAll, response }
  await assert.rejects(batchCommand(runtime, options), /has no entry of the audit trail/)
  const write = (ctx: Ctx) => ctx.db.run(raise, ['batch.untold'])
  await assert.rejects(plainCommand(runtime, entry.origin, write), /without an entry of the audit trail/)
  assert.equal(await raised('batch.untold'), 0)
  await plainCommand(runtime, entry.origin, (ctx) => {
    ctx.leaveUnrecorded('nothing')
    return write(ctx)
  })
  await plainCommand(runtime, { ...entry.origin, unrecorded: 'sandbox' }, write)
  assert.equal(await raised('batch.untold'), 2)
})

test('a reason that was given in an attempt that was refused is no reason', inside, async () => {
  const { origin } = askedFor('batch.attempted')
  const refused = (ctx: Ctx) =>
    ctx.attempt(async () => {
      ctx.leaveUnrecorded('nothing')
      refuse('in_use', 'It is in use.')
    })
  const write = async (ctx: Ctx) => {
    await refused(ctx)
    await ctx.db.run(raise, ['batch.attempted'])
  }
  await assert.rejects(plainCommand(runtime, origin, write), /without an entry of the audit trail/)
  assert.equal(await raised('batch.attempted'), 0)
  await plainCommand(runtime, origin, async (ctx) => {
    ctx.leaveUnrecorded('nothing')
    await write(ctx)
  })
  assert.equal(await raised('batch.attempted'), 1)
})

test('a request whose token has ended is refused, and the others of its batch run', inside, async () => {
  const gone = await server.call('create_token', { token: account.token, body: {} })
  const inputs = ['batch.gone', 'batch.live', 'batch.gone too']
  const entries = [
    await entryBy(gone, 'batch.gone'),
    await entryBy(account, 'batch.live'),
    await entryBy(gone, 'batch.gone too'),
  ]
  await server.call('delete_token', { params: { id: gone.id }, token: account.token })
  const outcomes = await batchCommand(runtime, { entries, work: raiseAll, response })
  assert.deepEqual(
    outcomes.map((outcome) => ('refusal' in outcome ? outcome.refusal.code : 'done')),
    ['authentication_error', 'done', 'authentication_error'],
  )
  assert.deepEqual(await Promise.all(inputs.map(raised)), [0, 1, 0])
})

/** The code of the database error that refused a request. */
function causeOf(outcome: BatchOutcome<string>): string | undefined {
  return 'refusal' in outcome ? (outcome.cause as { code: string }).code : undefined
}

/** Another transaction that holds the lock of a row. */
async function locking(name: string) {
  await runtime.database.reader.run(raise, [name])
  const session = await runtime.database.session()
  let isLocked = true
  await session.command('begin')
  await session.rows(statement(null, 'select 1 from versions where name = $1 for update'), [name])
  const release = async () => {
    if (!isLocked) return
    isLocked = false
    await session.command('rollback')
    session.release()
  }
  return { release, [Symbol.asyncDispose]: release }
}

test(
  'the work gets the result of the prefetch, and clock and ids are unavailable before the transaction',
  inside,
  async () => {
    const outcomes = await batchCommand(runtime, {
      entries: ['batch.a', 'batch.b'].map(entryOf),
      prefetch: async (ctx, entries) => {
        assert.throws(() => ctx.now, /before it begins/)
        assert.throws(() => ctx.newId('event'), /before it begins/)
        return (
          (await ctx.db.rows(statement<{ n: number }>(null, 'select count(*) as n from versions'))).length +
          entries.length
        )
      },
      work: async (ctx, entries, ahead) => {
        assert.ok(ctx.now > 0)
        return entries.map(() => ({ done: ahead }))
      },
      response,
    })
    assert.deepEqual(
      outcomes.map((outcome) => 'result' in outcome && outcome.result),
      [3, 3],
    )
  },
)

test('a deferred write is committed with the batch, and its failure fails the batch', inside, async () => {
  const write = (name: string | null) => async (ctx: Ctx, entries: readonly BatchEntry<string>[]) => {
    ctx.deferWrite(() => ctx.db.run(raise, [name]))
    return entries.map(({ input }) => ({ done: input }))
  }
  const entries = [entryOf('one')]
  await batchCommand(runtime, { entries, work: write('batch.left'), response })
  assert.equal(await raised('batch.left'), 1)
  await assert.rejects(batchCommand(runtime, { entries, work: write(null), response }), /null value/)
})

test('the events of each request of a batch have its own actor and request id', inside, async () => {
  const own = { type: 'token', id: 'tokn_0123456789abcdefghijk' } as const
  const entry: BatchEntry<string> = { ...entryOf('own'), origin: { actor: own, request_id: 'own', unrecorded: 'part' } }
  await batchCommand(runtime, {
    entries: [entry, entryOf('other')],
    work: async (ctx, entries) => {
      for (const one of entries) {
        const about = { workspace_id: null, action: 'trust_level.updated', target_type: 'account' }
        const its = ctxOfEntry(ctx, one)
        assert.deepEqual([its.request_id, its.asked], [one.input, []])
        its.emit({ ...about, account_id: account.id, target_id: account.id })
      }
      return entries.map(({ input }) => ({ done: input }))
    },
    response,
  })
  const { data } = await server.call('list_events', { query: { action: 'trust_level.updated' }, token: account.token })
  assert.deepEqual(
    data.map(({ actor }: { actor: object }) => actor),
    [own, { type: 'system' }],
  )
})
