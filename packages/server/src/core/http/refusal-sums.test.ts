import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../base/log.ts'
import { addressClass, createRefusalSums } from './refusal-sums.ts'

function openSums() {
  const clock = { now: 5_000 }
  const lines: Record<string, unknown>[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  return { clock, lines, sums: createRefusalSums(log, () => clock.now) }
}

test('any number of refused requests gives one line in ten seconds, with counts by status and address', () => {
  const { clock, lines, sums } = openSums()
  sums.check()
  for (let at = 0; at < 10_000; at++) sums.add(404, '203.0.113.7')
  sums.add(404, '::ffff:127.0.0.1')
  sums.add(405, '10.1.2.3')
  sums.add(408, undefined)
  clock.now += 9_999
  sums.check()
  assert.equal(lines.length, 0)
  clock.now += 1
  sums.check()
  sums.check()
  const [line, ...more] = lines
  assert.deepEqual(more, [])
  assert.deepEqual(
    [line?.seconds, line?.counts, line?.networks],
    [10, { 404: { public: 10_000, loopback: 1 }, 405: { private: 1 }, 408: { unknown: 1 } }, 3],
  )
})

test('what was not written is written at the end, and an empty sum is no line', () => {
  const { lines, sums } = openSums()
  sums.flush()
  assert.equal(lines.length, 0)
  sums.add(400, '203.0.113.7')
  sums.flush()
  sums.flush()
  assert.deepEqual(
    lines.map(({ counts }) => counts),
    [{ 400: { public: 1 } }],
  )
})

test('a line does not grow with the number of networks', () => {
  const { lines, sums } = openSums()
  for (let at = 0; at < 5_000; at++) sums.add(404, `203.0.${at >> 8}.${at & 255}`)
  sums.flush()
  assert.equal(lines[0]?.networks, 1_000)
})

test('addresses are loopback, private, public or unknown', () => {
  for (const [address, expected] of [
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:10.0.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', 'public'],
    ['fe80::1%eth0', 'private'],
    ['fd00::1', 'private'],
    ['2001:db8::1', 'public'],
    ['198.51.100.1', 'public'],
    [undefined, 'unknown'],
  ] as const) {
    assert.equal(addressClass(address), expected, String(address))
  }
})
