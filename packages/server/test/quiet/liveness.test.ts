import assert from 'node:assert/strict'
import { afterAll, describe, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { type Database, isUnavailable, openDatabase, statement } from '../../src/core/db/db.ts'
import { createTestDatabase } from '../support/database.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault-proxy.ts'

/** A 503 comes within three seconds. The rest is a margin for a busy machine. */
const responseMillisecondsMax = 4_000

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())
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

describe('a database that responds late or not at all', { concurrent: true }, () => {
  test('a slow statement is waited for as long as the machine of the database responds', async () => {
    await using fixture = await open()
    const session = await fixture.through.session()
    assert.equal((await timed(session.rows(sleep, [2.6]))).error, undefined)
    session.release()
  })

  test('a silent machine is detected in time, and gets no more statements until it responds again', async () => {
    await using fixture = await open()
    const { through, proxy } = fixture
    const [busy, idle] = await Promise.all([through.session(), through.session()])
    idle.release()
    await proxy.turn('black hole')
    const waits = await Promise.all([timed(busy.rows(one)), timed(through.reader.rows(one)), timed(through.session())])
    // The third got a connection without an earlier statement.
    for (const { error, milliseconds } of waits.slice(0, 2)) {
      assert.ok(isUnavailable(error), String(error))
      assert.ok(milliseconds < responseMillisecondsMax, `${milliseconds} ms`)
    }
    busy.release(new Error('broken'))
    const later = await Promise.all([timed(through.session()), timed(through.reader.rows(one))])
    for (const { error, milliseconds } of later) {
      assert.ok(isUnavailable(error), String(error))
      assert.ok(milliseconds < responseMillisecondsMax / 10, `${milliseconds} ms`)
    }
    // The connection that probes the machine, and the one that was being opened when the silence began.
    await eventually('no other connection remains open during a silence', () => {
      assert.ok(proxy.open() <= 2, `${proxy.open()} are open`)
      return true
    })
    await proxy.turn('fair')
    await eventually('the machine that responds again gets statements', async () => {
      assert.equal((await timed(through.reader.rows(one))).error, undefined)
      return true
    })
  })

  test('a connection that receives no data is closed, and the others continue', async () => {
    await using fixture = await open()
    const { through, proxy } = fixture
    const [lost, whole] = await Promise.all([through.session(), through.session()])
    await Promise.all([lost.rows(one), whole.rows(one)])
    proxy.lose(0)
    const wait = timed(lost.rows(one))
    assert.equal((await timed(whole.rows(one))).error, undefined)
    const { error, milliseconds } = await wait
    assert.ok(isUnavailable(error), String(error))
    assert.ok(
      milliseconds > responseMillisecondsMax,
      'the connection was closed before the longest statement could end',
    )
    lost.release(new Error('broken'))
    assert.equal((await timed(whole.rows(one))).error, undefined)
    whole.release()
  })

  test('a connection for long statements waits longer than the statement limit of requests', async () => {
    await using fixture = await open()
    const session = await fixture.through.session({ allows_long_statements: true })
    await session.rows(freely)
    assert.equal((await timed(session.rows(sleep, [7]))).error, undefined)
    session.release(new Error('its limits were changed'))
  })

  test('closing the database ends although the machine does not respond', async () => {
    const fixture = await open()
    const session = await fixture.through.session()
    await fixture.proxy.turn('black hole')
    const asked = timed(session.rows(one))
    const closing = timed(Promise.resolve(fixture[Symbol.asyncDispose]()))
    assert.ok(isUnavailable((await asked).error))
    session.release(new Error('broken'))
    const { error, milliseconds } = await closing
    assert.equal(error, undefined)
    assert.ok(milliseconds < responseMillisecondsMax, `${milliseconds} ms`)
  })
})
