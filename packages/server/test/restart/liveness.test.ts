import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { waitFor } from '../../src/core/base/wait.ts'
import { type Database, isUnavailable, openDatabase, statement } from '../../src/core/db/db.ts'
import { createTestDatabase } from '../support/database.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault-proxy.ts'

/** 503 comes within three seconds; what is over that is a machine with much else to do. */
const answerMillisecondsMax = 4_000

const database = await createTestDatabase()
after(() => database[Symbol.asyncDispose]())
const one = statement<{ one: number }>(null, 'select 1 as one')
const sleep = statement<never>(null, 'select pg_sleep($1)')
const freely = statement<never>(null, "select set_config('statement_timeout', '0', false)")

type Fixture = AsyncDisposable & { readonly proxy: FaultProxy; readonly through: Database }

async function open(): Promise<Fixture> {
  const proxy = await openFaultProxy(database.target)
  const through = openDatabase(proxy.target)
  return {
    proxy,
    through,
    [Symbol.asyncDispose]: async () => {
      await through[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

async function timed(work: Promise<unknown>): Promise<{ error: unknown; milliseconds: number }> {
  const began = performance.now()
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  return { error, milliseconds: performance.now() - began }
}

describe('a database that answers late, or not at all', { concurrency: true }, () => {
  test('a statement that takes long is waited for as long as the machine of the database answers', async () => {
    await using fixture = await open()
    const session = await fixture.through.session()
    assert.equal((await timed(session.rows(sleep, [2.6]))).error, undefined)
    session.release()
  })

  test('a machine that says nothing is told in time, and asked for nothing more until it speaks again', async () => {
    await using fixture = await open()
    const { through, proxy } = fixture
    const [busy, idle] = await Promise.all([through.session(), through.session()])
    idle.release()
    await proxy.turn('black hole')
    const waits = await Promise.all([timed(busy.rows(one)), timed(through.reader.rows(one)), timed(through.session())])
    // The third got a connection that nothing had been asked of yet.
    for (const { error, milliseconds } of waits.slice(0, 2)) {
      assert.ok(isUnavailable(error), String(error))
      assert.ok(milliseconds < answerMillisecondsMax, `${milliseconds} ms`)
    }
    busy.release(new Error('broken'))
    const later = await Promise.all([timed(through.session()), timed(through.reader.rows(one))])
    for (const { error, milliseconds } of later) {
      assert.ok(isUnavailable(error), String(error))
      assert.ok(milliseconds < answerMillisecondsMax / 10, `${milliseconds} ms`)
    }
    // The one on which the machine is asked, and the one that was being opened when it fell silent.
    const isLet = await waitFor(() => proxy.open() <= 2, { at_most_milliseconds: 1_000 })
    assert.ok(isLet, `${proxy.open()} connections are held in a silence`)
    await proxy.turn('fair')
    const isBack = async () => !(await timed(through.reader.rows(one))).error
    assert.ok(await waitFor(isBack, { at_most_milliseconds: answerMillisecondsMax }))
  })

  test('one connection whose answers are lost is broken, and the others go on', async () => {
    await using fixture = await open()
    const { through, proxy } = fixture
    const [lost, whole] = await Promise.all([through.session(), through.session()])
    await Promise.all([lost.rows(one), whole.rows(one)])
    proxy.lose(0)
    const wait = timed(lost.rows(one))
    assert.equal((await timed(whole.rows(one))).error, undefined)
    const { error, milliseconds } = await wait
    assert.ok(isUnavailable(error), String(error))
    assert.ok(milliseconds > answerMillisecondsMax, 'the longest statement would have had its answer')
    lost.release(new Error('broken'))
    assert.equal((await timed(whole.rows(one))).error, undefined)
    whole.release()
  })

  test('one that allows long statements waits for longer than any statement of a request may take', async () => {
    await using fixture = await open()
    const session = await fixture.through.session({ allows_long_statements: true })
    await session.rows(freely)
    assert.equal((await timed(session.rows(sleep, [7]))).error, undefined)
    session.release(new Error('its limits were changed'))
  })

  test('a database closes in a black hole too', async () => {
    const fixture = await open()
    const session = await fixture.through.session()
    await fixture.proxy.turn('black hole')
    const asked = timed(session.rows(one))
    const closing = timed(Promise.resolve(fixture[Symbol.asyncDispose]()))
    assert.ok(isUnavailable((await asked).error))
    session.release(new Error('broken'))
    const { error, milliseconds } = await closing
    assert.equal(error, undefined)
    assert.ok(milliseconds < answerMillisecondsMax, `${milliseconds} ms`)
  })
})
