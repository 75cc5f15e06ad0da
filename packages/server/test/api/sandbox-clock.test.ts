import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { whenRefused } from '../support/access.ts'
import type { CallQuery } from '../support/calls.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()

type Clock = { now: number; real_now: number; offset_seconds: number; frozen: boolean; rate: number; settled?: boolean }
type ClockEvent = { action: string; occurred_at: number; targets: { id: string }[] }

const readClock = (): Promise<Clock> => server.call('get_clock')
const turn = (how: 'freeze' | 'resume'): Promise<Clock> => server.call(`${how}_clock`)
const advance = (body: object): Promise<Clock> => server.call('advance_clock', { body })
const setRate = (rate: number): Promise<Clock> => server.call('set_clock_rate', { body: { rate } })

async function eventsOf(account: TestAccount, filter: CallQuery<'list_events'> = {}): Promise<ClockEvent[]> {
  return (await server.call('list_events', { query: { limit: 200, ...filter }, token: account.token })).data
}

/** The clock once a reading of it is what is meant. */
function clockOnce(what: string, isMeant: (clock: Clock) => boolean): Promise<Clock> {
  return eventually(what, async () => {
    const clock = await readClock()
    assert.ok(isMeant(clock), JSON.stringify(clock))
    return clock
  })
}

test('freeze_clock stops the clock, and resume_clock continues from the same time', async () => {
  const first = await readClock()
  assert.deepEqual([first.frozen, first.rate], [false, 1])
  assert.equal(first.offset_seconds, first.now - first.real_now)
  const frozen = await turn('freeze')
  assert.equal(frozen.frozen, true)
  const before = await clockOnce('two seconds have passed', ({ real_now }) => real_now > frozen.real_now + 1)
  assert.equal(before.now, frozen.now)
  const resumed = await turn('resume')
  assert.equal(resumed.frozen, false)
  // The clock has run since its resumption only, however long the response took.
  const runAtMost = resumed.real_now - before.real_now + 1
  assert.ok(resumed.now - frozen.now <= runAtMost, JSON.stringify({ frozen, before, resumed }))
  await clockOnce('the clock runs again', ({ now }) => now > frozen.now)
})

test('advance_clock moves by seconds or to a time, also while frozen, and never back', async () => {
  const { now } = await turn('freeze')
  const later = await advance({ seconds: 90 })
  assert.deepEqual([later.now, later.settled, later.frozen], [now + 90, true, true])
  assert.equal((await advance({ to: now + 3600 })).now, now + 3600)
  await turn('resume')
  for (const [body, refusal] of [
    [{ to: now }, [422, 'in_the_past', 'to']],
    [{ to: now + 3600 }, [422, 'in_the_past', 'to']],
    [{}, [400, 'required', 'seconds']],
    [{ seconds: 0 }, [400, 'out_of_range', 'seconds']],
    [{ seconds: -5 }, [400, 'out_of_range', 'seconds']],
    [{ seconds: 315_360_001 }, [400, 'out_of_range', 'seconds']],
    [{ seconds: '60' }, [400, 'invalid_type', 'seconds']],
    [{ seconds: 60, to: now + 7200 }, [422, 'mutually_exclusive', 'to']],
    [{ minutes: 5 }, [400, 'unknown_field', 'minutes']],
  ] as const) {
    const response = await server.attempt('advance_clock', { body })
    assert.deepEqual(refusalOf(response), refusal, JSON.stringify(body))
  }
})

test('set_clock_rate makes the clock run faster and is refused outside its range', async () => {
  const before = await readClock()
  const fast = await setRate(3_600)
  assert.equal(fast.rate, 3_600)
  await clockOnce('two hours have passed', ({ now }) => now > before.now + 7_200)
  const slow = await setRate(1)
  assert.equal(slow.rate, 1)
  const after = await readClock()
  assert.ok(after.now - slow.now <= after.real_now - slow.real_now + 1, JSON.stringify({ slow, after }))
  for (const [wrong, code] of [
    [0, 'out_of_range'],
    [86_401, 'out_of_range'],
    [1.5, 'invalid_type'],
    ['2', 'invalid_type'],
  ]) {
    const response = await server.attempt('set_clock_rate', { body: { rate: wrong } })
    assert.deepEqual(refusalOf(response), [400, code, 'rate'])
  }
})

test('only a valid token can change the clock', async () => {
  for (const [method, path] of [
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock/freeze'],
    ['POST', '/sandbox/settle'],
  ] as const) {
    assert.equal((await server.request(method, path, { token: null })).status, 401)
  }
  const account = await server.account()
  assert.equal((await server.attempt('get_clock', { token: account.token })).status, 200)
})

test('an advance runs due work at its own time, in order', async () => {
  const account = await server.account()
  const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 2, end_in_seconds: 7_200 })
  const { allocation_schedule } = await server.call('get_pool', { params: { id: pool }, token: account.token })
  const { end_at } = allocation_schedule.total[0]
  const body = { pool, sku, image }
  await turn('freeze')
  const { id, created_at } = await server.call('create_instance', { token: account.token, body })
  await advance({ seconds: 86_400 })
  await turn('resume')
  const events = await eventsOf(account, { target: id })
  // A host needs some seconds to start an instance.
  const runningAt = events[1]?.occurred_at ?? 0
  assert.ok(runningAt >= created_at && runningAt < created_at + 60, `${runningAt}`)
  assert.deepEqual(
    events.map(({ action, occurred_at }) => [action, occurred_at]),
    [
      ['instance.created', created_at],
      ['instance.running', runningAt],
      ['instance.termination_imminent', end_at - 600],
      ['instance.terminated', end_at],
    ],
  )
})

test('at a rate of 1,000 due work still runs at its own time', async () => {
  const account = await server.account()
  const { sku, pool, image } = await makeCapacity(server, account, { hosts: 2, slots: 2, end_in_seconds: 1_800 })
  const { allocation_schedule } = await server.call('get_pool', { params: { id: pool }, token: account.token })
  const { end_at } = allocation_schedule.total[0]
  const body = { pool, sku, image }
  for (let i = 0; i < 4; i++) await server.call('create_instance', { token: account.token, body })
  await setRate(1_000)
  await clockOnce('the allocation has ended', ({ now }) => now > end_at + 600)
  await setRate(1)
  const ended = await eventsOf(account, { action: 'instance.terminated' })
  const notified = await eventsOf(account, { action: 'instance.termination_imminent' })
  assert.deepEqual(
    ended.map(({ occurred_at }) => occurred_at),
    Array(4).fill(end_at),
  )
  assert.deepEqual(
    notified.map(({ occurred_at }) => occurred_at),
    Array(4).fill(end_at - 600),
  )
})

test('over years a fleet keeps running, ended records are purged, and no instance ends twice', async () => {
  const account = await server.account()
  const { sku, pool, template } = await makeCapacity(server, account)
  const body = { pool, sku, instance_template: template, target_instance_count: 3 }
  const { id } = await server.call('create_deployment', { token: account.token, body })
  await advance({ seconds: 60 })
  const [{ id: ended }] = (await server.call('list_instances', { query: { deployment: id }, token: account.token }))
    .data
  await server.call('terminate_instance', { params: { id: ended }, token: account.token })
  await advance({ seconds: 3_600 })
  const events = await eventsOf(account)
  const times = events.map(({ occurred_at }) => occurred_at)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  for (const seconds of [365 * 86_400, 3 * 365 * 86_400]) {
    assert.equal((await advance({ seconds })).settled, true)
    const { data } = await server.call('list_instances', { query: { deployment: id }, token: account.token })
    assert.deepEqual(
      data.map(({ state }) => state),
      ['running', 'running', 'running'],
    )
    assert.deepEqual(await eventsOf(account), [])
  }
  assert.equal((await server.attempt('get_instance', { params: { id: ended }, token: account.token })).status, 404)
})

test('tokens expire by the business clock', async () => {
  const account = await server.account()
  const { now } = await readClock()
  const body = { expires_at: now + 600 }
  const { token } = await server.call('create_token', { token: account.token, body })
  const ask = () => server.attempt('get_account', { token })
  assert.equal((await ask()).status, 200)
  await advance({ seconds: 661 })
  assert.equal((await whenRefused(ask)).status, 401)
})

test('settling waits for due work and first reports, within a timeout', async () => {
  const account = await server.account()
  const { sku, pool, template, hosts } = await makeCapacity(server, account, { hosts: 1, slots: 4 })
  const body = { pool, sku, instance_template: template, target_instance_count: 4 }
  const { id } = await server.call('create_deployment', { token: account.token, body })
  assert.deepEqual(await server.call('settle', { body: {} }), { object: 'settlement', settled: true })
  const { data } = await server.call('list_instances', { query: { deployment: id }, token: account.token })
  assert.deepEqual(
    data.map(({ state }) => state),
    Array(4).fill('running'),
  )
  const fault = await server.call('create_fault', { body: { kind: 'host_silent', host: hosts[0] } })
  await server.call('terminate_instance', { params: { id: data[0].id }, token: account.token })
  assert.equal((await server.call('settle', { body: { timeout_seconds: 5 } })).settled, true)
  await server.call('delete_fault', { params: { id: fault.id } })
  for (const timeout_seconds of [0, 61]) {
    const response = await server.attempt('settle', { body: { timeout_seconds } })
    assert.deepEqual(refusalOf(response), [400, 'out_of_range', 'timeout_seconds'])
  }
})
