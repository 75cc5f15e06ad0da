import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../base/log.ts'
import { createProxyNotes } from './proxy-notes.ts'

/** Notes whose writes fail while `isDown`, at a clock that the test moves. */
function openNotes() {
  const state = { now: 0, isDown: false, stored: [] as string[], tried: 0, lines: [] as string[] }
  const note = createProxyNotes({
    log: openLog('warn', { write: (line) => void state.lines.push(JSON.parse(line).address) }),
    header: 'forwarded',
    record: async (address) => {
      state.tried++
      if (state.isDown) throw new Error('The database is away.')
      state.stored.push(address)
    },
    now: () => state.now,
  })
  /** Notes, and lets the write end. */
  const noteOne = async (peer: string) => {
    note(peer)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { state, note: noteOne }
}

test('each of several proxies is logged and stored once', async () => {
  const { state, note } = openNotes()
  for (const peer of ['10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.2']) await note(peer)
  assert.deepEqual(
    [state.lines, state.stored],
    [
      ['10.0.0.1', '10.0.0.2'],
      ['10.0.0.1', '10.0.0.2'],
    ],
  )
})

test('a write that failed is tried again after ten seconds, without another line', async () => {
  const { state, note } = openNotes()
  state.isDown = true
  for (let second = 0; second < 10; second++) {
    state.now = second * 1000
    await note('10.0.0.1')
  }
  assert.equal(state.tried, 1)
  state.isDown = false
  state.now = 10_000
  await note('10.0.0.1')
  await note('10.0.0.1')
  assert.deepEqual([state.tried, state.stored, state.lines], [2, ['10.0.0.1'], ['10.0.0.1']])
})

test('an address that goes on is stored again each day, so that the doctor does not forget it', async () => {
  const { state, note } = openNotes()
  for (let hour = 0; hour <= 48; hour++) {
    state.now = hour * 3_600_000
    await note('10.0.0.1')
  }
  assert.deepEqual([state.stored.length, state.lines.length], [3, 1])
})

test('clients that send the header themselves fill no memory and no table', async () => {
  const { state, note } = openNotes()
  for (let host = 0; host < 100; host++) await note(`192.0.2.${host}`)
  await note('192.0.2.3')
  assert.deepEqual([state.stored.length, state.lines.length], [16, 16])
})

test('a connection that was reset has no address to note', async () => {
  const { state, note } = openNotes()
  await note('')
  assert.deepEqual([state.stored, state.lines], [[], []])
})
