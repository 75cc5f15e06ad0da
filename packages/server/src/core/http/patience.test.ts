import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange } from './exchange.ts'
import { createPatience } from './patience.ts'

type Plain = {
  request: { headers: Record<string, string>; complete: boolean; socket: Record<string, number | boolean> }
  response: { writableFinished: boolean }
}

/** An exchange as far as patience looks at it. */
function exchange(headers: Record<string, string>): Plain {
  const socket = { destroyed: false, bytesRead: 0, bytesWritten: 0 }
  return { request: { headers, complete: false, socket }, response: { writableFinished: false } }
}

function watch() {
  const given_up: unknown[] = []
  const clock = { now: 0 }
  const patience = createPatience(
    (one) => given_up.push(one),
    () => clock.now,
  )
  const follow = (one: Plain, pace: 'whole' | 'moving') => patience.follow(one as unknown as Exchange, pace)
  const lookAt = (milliseconds: number) => {
    clock.now = milliseconds
    patience.look()
    return given_up.length
  }
  return { follow, lookAt, given_up }
}

test('a body that is not whole after half a minute is given up once, however it trickles in', () => {
  const { follow, lookAt, given_up } = watch()
  const slow = exchange({ 'content-length': '10' })
  follow(slow, 'whole')
  slow.request.socket.bytesRead = 5
  assert.equal(lookAt(30_000), 0)
  slow.request.socket.bytesRead = 6
  assert.equal(lookAt(30_001), 1)
  assert.deepEqual(given_up, [slow])
  assert.equal(lookAt(90_000), 1)
})

test('requests without a body, those that are whole and those whose connection is gone are left alone', () => {
  const { follow, lookAt } = watch()
  const whole = exchange({ 'transfer-encoding': 'chunked' })
  const gone = exchange({ 'content-length': '1' })
  for (const one of [exchange({}), exchange({ 'content-length': '0' }), whole, gone]) follow(one, 'whole')
  whole.request.complete = true
  gone.request.socket.destroyed = true
  assert.equal(lookAt(120_000), 0)
})

test('what streams may take hours while it moves, in either direction, and a minute while it does not', () => {
  const { follow, lookAt } = watch()
  const up = exchange({ 'content-length': '10' })
  const down = exchange({})
  down.request.complete = true
  follow(up, 'moving')
  follow(down, 'moving')
  for (let minute = 1; minute <= 240; minute++) {
    up.request.socket.bytesRead = minute
    down.request.socket.bytesWritten = minute
    assert.equal(lookAt(minute * 60_000), 0)
  }
  up.request.socket.bytesRead = 1000
  assert.equal(lookAt(240 * 60_000 + 60_001), 1)
  assert.equal(lookAt(240 * 60_000 + 120_002), 2)
})

test('whoever has the answer to a stream and goes on sending is cut off after half a minute', () => {
  const { follow, lookAt } = watch()
  const refused = exchange({ 'content-length': '1000' })
  follow(refused, 'moving')
  refused.response.writableFinished = true
  for (let second = 1; second <= 30; second++) {
    refused.request.socket.bytesRead = second
    assert.equal(lookAt(second * 1000), 0)
  }
  assert.equal(lookAt(30_001), 1)
})
