import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createBodyTimeouts } from './body-timeout.ts'
import type { RequestContext } from './request-context.ts'

type PlainContext = {
  incoming: { headers: Record<string, string>; complete: boolean; socket: Record<string, number | boolean> }
  outgoing: { writableFinished: boolean }
}

/** The part of a request context that the timeouts read. */
function requestOf(headers: Record<string, string>): PlainContext {
  const socket = { destroyed: false, bytesRead: 0, bytesWritten: 0 }
  return { incoming: { headers, complete: false, socket }, outgoing: { writableFinished: false } }
}

function watch() {
  const timed_out: unknown[] = []
  const clock = { now: 0 }
  const timeouts = createBodyTimeouts(
    (one) => timed_out.push(one),
    () => clock.now,
  )
  const follow = (one: PlainContext, pace: 'whole' | 'moving') =>
    timeouts.follow(one as unknown as RequestContext, pace)
  const lookAt = (milliseconds: number) => {
    clock.now = milliseconds
    timeouts.check()
    return timed_out.length
  }
  return { follow, lookAt, timed_out, stop: () => timeouts.stop() }
}

test('a body that is incomplete after 30 s times out once, however slowly it arrives', () => {
  const { follow, lookAt, timed_out } = watch()
  const slow = requestOf({ 'content-length': '10' })
  follow(slow, 'whole')
  slow.incoming.socket.bytesRead = 5
  assert.equal(lookAt(30_000), 0)
  slow.incoming.socket.bytesRead = 6
  assert.equal(lookAt(30_001), 1)
  assert.deepEqual(timed_out, [slow])
  assert.equal(lookAt(90_000), 1)
})

test('requests without a body, complete requests and requests with a closed connection do not time out', () => {
  const { follow, lookAt } = watch()
  const whole = requestOf({ 'transfer-encoding': 'chunked' })
  const gone = requestOf({ 'content-length': '1' })
  for (const one of [requestOf({}), requestOf({ 'content-length': '0' }), whole, gone]) follow(one, 'whole')
  whole.incoming.complete = true
  gone.incoming.socket.destroyed = true
  assert.equal(lookAt(120_000), 0)
})

test('a transfer may take hours while bytes move in either direction, and times out after an idle minute', () => {
  const { follow, lookAt } = watch()
  const up = requestOf({ 'content-length': '10' })
  const down = requestOf({})
  down.incoming.complete = true
  follow(up, 'moving')
  follow(down, 'moving')
  for (let minute = 1; minute <= 240; minute++) {
    up.incoming.socket.bytesRead = minute
    down.incoming.socket.bytesWritten = minute
    assert.equal(lookAt(minute * 60_000), 0)
  }
  up.incoming.socket.bytesRead = 1000
  assert.equal(lookAt(240 * 60_000 + 60_001), 1)
  assert.equal(lookAt(240 * 60_000 + 120_002), 2)
})

test('a client that has its response to a transfer and keeps sending is cut off after 30 s', () => {
  const { follow, lookAt } = watch()
  const refused = requestOf({ 'content-length': '1000' })
  follow(refused, 'moving')
  refused.outgoing.writableFinished = true
  for (let second = 1; second <= 30; second++) {
    refused.incoming.socket.bytesRead = second
    assert.equal(lookAt(second * 1000), 0)
  }
  assert.equal(lookAt(30_001), 1)
})

test('a stop ends transfers at once and incomplete bodies after five seconds, and waits for complete ones', () => {
  const { follow, lookAt, stop, timed_out } = watch()
  const [partial, complete, transfer] = [1, 2, 3].map(() => requestOf({ 'content-length': '10' })) as [
    PlainContext,
    PlainContext,
    PlainContext,
  ]
  let isCut = false
  Object.assign(transfer.incoming.socket, { destroy: () => (isCut = true) })
  follow(partial, 'whole')
  follow(complete, 'whole')
  follow(transfer, 'moving')
  complete.incoming.complete = true
  stop()
  assert.equal(isCut, true)
  transfer.incoming.socket.destroyed = true
  assert.equal(lookAt(5_000), 0)
  assert.equal(lookAt(5_001), 1)
  assert.deepEqual(timed_out, [partial])
})
