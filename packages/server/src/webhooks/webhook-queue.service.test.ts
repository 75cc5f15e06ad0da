import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { FeedEvent } from '../events/log/feed.service.ts'
import { type DeliveryRow, pendingMax } from './deliveries.rules.ts'
import {
  adaptSlots,
  addEvents,
  attemptTime,
  chooseNext,
  countPending,
  isDelayedByReceiver,
  isQuiet,
  oldestNewEvent,
  openQueue,
  type Queue,
  resolve,
  resolvedPlace,
  take,
  wantsEvents,
} from './webhook-queue.service.ts'
import type { WebhookRow } from './webhooks.rules.ts'

const filters = { actions: [], target_types: [], targets: [] }

function queueOf(fields: Partial<WebhookRow> = {}, recorded: number[] = []): Queue {
  const places = { position: 0, position_at: 0, replay_position: null, replay_position_at: null, replay_until: null }
  const row = { id: 'whk_1', enabled: true, ordering: 'none', paused_until: null, ...filters, ...places, ...fields }
  return answered(openQueue(row as unknown as WebhookRow, { pending: [], recorded: new Set(recorded) }))
}

/** A queue whose receiver has answered for a while. */
function answered(queue: Queue): Queue {
  for (let i = 0; i < 10; i++) adaptSlots(queue, { status: 200, error: null })
  return queue
}

function eventAt(position: number, target_id = 'a'): FeedEvent {
  const about = { action: 'order.filled', target_type: 'order', target_id, body: '', cursor: '' }
  return { id: `evt_${position}`, position, occurred_at: 100 + position, ...about }
}

/** Starts everything that may start at once, as time goes on. */
function startAll(queue: Queue, from = 0): string[] {
  const started: string[] = []
  for (let monotonic = from; monotonic < from + 1_000; monotonic += 21) {
    const choice = chooseNext(queue, { monotonic, now: 1_000 })
    if (!choice) continue
    take(queue, choice, monotonic)
    started.push(`${choice.kind} ${choice.job.event?.id ?? choice.job.row?.id}`)
  }
  return started
}

test('an attempt is never earlier than it was due, or its event occurred', () => {
  const row = { next_attempt_at: 500 } as DeliveryRow
  const event = eventAt(1)
  assert.equal(attemptTime({ row, event: undefined }, 200), 500)
  assert.equal(attemptTime({ row, event: undefined }, 501), 501)
  assert.equal(attemptTime({ row: undefined, event }, 100), 101)
  assert.equal(attemptTime({ row: { next_attempt_at: null } as DeliveryRow, event: undefined }, 7), 7)
})

test('the cursor moves only over what is resolved without a gap', () => {
  const queue = queueOf()
  addEvents(
    queue,
    queue.live,
    [1, 2, 3].map((position) => eventAt(position)),
    undefined,
  )
  startAll(queue)
  const [first, second, third] = [...queue.live.entries]
  assert.ok(first && second && third)
  resolve(queue.live, third)
  resolve(queue.live, second)
  assert.equal(resolvedPlace(queue.live).position, 0)
  resolve(queue.live, first)
  assert.deepEqual(resolvedPlace(queue.live), { position: 3, occurred_at: 103 })
})

test('events that no filter matches, or that have a delivery, are passed', () => {
  const queue = queueOf({ targets: ['b'] }, [2])
  addEvents(queue, queue.live, [eventAt(1), eventAt(2, 'b'), eventAt(3, 'b'), eventAt(4)], undefined)
  assert.deepEqual(startAll(queue), ['start evt_3'])
  assert.equal(resolvedPlace(queue.live).position, 2)
  assert.equal(queue.live.read.position, 4)
})

test('at most four attempts run, and 50 begin in a second', () => {
  const queue = queueOf()
  addEvents(
    queue,
    queue.live,
    Array.from({ length: 64 }, (_, index) => eventAt(index + 1)),
    undefined,
  )
  assert.equal(startAll(queue).length, 4)
  let started = 0
  for (let monotonic = 1_000; monotonic < 2_000; monotonic++) {
    for (const entry of [...queue.live.entries].filter(({ state }) => state === 'running')) {
      queue.running.delete(entry.job)
      resolve(queue.live, entry)
    }
    const choice = chooseNext(queue, { monotonic, now: 0 })
    if (!choice) continue
    take(queue, choice, monotonic)
    started++
  }
  assert.equal(started, 50)
})

test('each success gives a webhook one attempt more at once, and a receiver that hangs leaves it one', () => {
  const queue = queueOf()
  const events = Array.from({ length: 64 }, (_, index) => eventAt(index + 1))
  addEvents(queue, queue.live, events, undefined)
  const dueOf = (id: string) => ({ origin: 'event', event: undefined, row: { id } as unknown as DeliveryRow }) as const
  adaptSlots(queue, { status: null, error: 'timeout' })
  assert.equal(startAll(queue).length, 1)
  for (const [index, result] of [
    { status: 500, error: null },
    { status: 200, error: null },
    { status: null, error: 'connection_failed' } as const,
    { status: 200, error: null },
    { status: 200, error: null },
    { status: 200, error: null },
  ].entries()) {
    queue.running.clear()
    adaptSlots(queue, result)
    assert.equal(startAll(queue, 1_000 * (index + 1)).length, [1, 2, 2, 3, 4, 4][index])
  }
  queue.running.clear()
  adaptSlots(queue, { status: null, error: 'timeout' })
  queue.due.push(dueOf('wdlv_1'), dueOf('wdlv_2'))
  const started: string[] = []
  for (let turn = 10; turn < 14; turn++) {
    started.push(...startAll(queue, turn * 1_000).map((text) => text.slice(0, 'start wdlv'.length)))
    queue.running.clear()
  }
  assert.deepEqual(started, ['start wdlv', 'start evt_', 'start wdlv', 'start evt_'])
})

test('the oldest new event is the first that is not resolved', () => {
  const queue = queueOf()
  const end = { position: 3, occurred_at: 103 }
  assert.deepEqual([isQuiet(queue, undefined), isQuiet(queue, end)], [true, false])
  assert.equal(oldestNewEvent(queue, undefined), undefined)
  assert.equal(oldestNewEvent(queue, end), 103)
  addEvents(queue, queue.live, [eventAt(1), eventAt(2), eventAt(3)], end)
  const [first, second, third] = [...queue.live.entries]
  assert.ok(first && second && third)
  assert.equal(oldestNewEvent(queue, end), 101)
  resolve(queue.live, second)
  assert.equal(oldestNewEvent(queue, end), 101)
  resolve(queue.live, first)
  assert.equal(oldestNewEvent(queue, end), 103)
  assert.equal(isQuiet(queue, end), false)
  resolve(queue.live, third)
  assert.equal(oldestNewEvent(queue, end), undefined)
  assert.equal(isQuiet(queue, end), true)
  addEvents(queue, queue.live, [eventAt(4)], undefined)
  assert.equal(oldestNewEvent({ ...queue, row: { ...queue.row, enabled: false } }, end), undefined)
})

test('a receiver delays its events while it fails, has not answered, or asked for a pause', () => {
  const queue = queueOf({ is_failing: false })
  assert.equal(isDelayedByReceiver(queue, 10), false)
  adaptSlots(queue, { status: null, error: 'timeout' })
  assert.equal(isDelayedByReceiver(queue, 10), true)
  adaptSlots(queue, { status: 200, error: null })
  assert.equal(isDelayedByReceiver(queue, 10), false)
  assert.equal(isDelayedByReceiver(queueOf({ is_failing: true }), 10), true)
  const paused = queueOf({ is_failing: false, paused_until: 20 })
  assert.deepEqual([isDelayedByReceiver(paused, 19), isDelayedByReceiver(paused, 20)], [true, false])
})

test('a target whose event runs or is pending holds back its own events only', () => {
  const queue = queueOf({ ordering: 'per_target' })
  addEvents(queue, queue.live, [eventAt(1), eventAt(2), eventAt(3, 'b'), eventAt(4)], undefined)
  assert.deepEqual(startAll(queue), ['start evt_1', 'start evt_3'])
  const [first] = queue.live.entries
  assert.ok(first)
  queue.running.delete(first.job)
  countPending(queue, first.job, 1)
  resolve(queue.live, first)
  assert.deepEqual(startAll(queue, 2_000), ['defer evt_2', 'defer evt_4'])
})

test('with too many pending deliveries one event is tried, and none waits for it', () => {
  const queue = queueOf()
  queue.pending = pendingMax
  addEvents(queue, queue.live, [eventAt(1), eventAt(2)], undefined)
  assert.deepEqual(startAll(queue), ['start evt_1'])
  const [first] = queue.live.entries
  assert.ok(first)
  queue.running.clear()
  first.state = 'waiting'
  queue.nextProbe = 60_000
  assert.deepEqual(startAll(queue, 2_000), [])
  assert.deepEqual(startAll(queue, 60_000), ['start evt_1'])
})

test('due deliveries and new events leave each other places', () => {
  const queue = queueOf()
  addEvents(
    queue,
    queue.live,
    Array.from({ length: 9 }, (_, index) => eventAt(index + 1)),
    undefined,
  )
  const row = (id: string) => ({ id, origin: 'event', target_id: 'z' }) as unknown as DeliveryRow
  for (const id of ['d1', 'd2', 'd3']) queue.due.push({ origin: 'event', event: undefined, row: row(id) })
  assert.deepEqual(startAll(queue), ['start evt_1', 'start evt_2', 'start evt_3', 'start d1'])
})

test('a webhook whose receiver asked for a pause starts nothing, and a disabled one no event', () => {
  const paused = queueOf({ paused_until: 1_001 })
  addEvents(paused, paused.live, [eventAt(1)], undefined)
  assert.deepEqual(startAll(paused), [])
  const disabled = queueOf({ enabled: false })
  assert.equal(wantsEvents(disabled, disabled.live, { position: 9, occurred_at: 9 }), false)
})

test('a replay reads up to its end, and a gap of purged events is passed', () => {
  const queue = queueOf({ position: 9, replay_position: 2, replay_position_at: 102, replay_until: 4 })
  assert.ok(queue.replay)
  const end = { position: 9, occurred_at: 109 }
  assert.equal(wantsEvents(queue, queue.replay, end), true)
  addEvents(queue, queue.replay, [eventAt(3), eventAt(4), eventAt(5)], end)
  assert.equal(wantsEvents(queue, queue.replay, end), false)
  assert.deepEqual(startAll(queue), ['start evt_3', 'start evt_4'])
  const behind = queueOf()
  addEvents(behind, behind.live, [], end)
  assert.deepEqual(resolvedPlace(behind.live), end)
})
