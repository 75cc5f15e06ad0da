import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soon } from '../base/clock.ts'
import type { Db } from './db.ts'
import { createPulse } from './pulse.ts'

/** A database that says of each account how many were asked for together. */
function openReader() {
  const pulses: string[][] = []
  const none = () => Promise.reject(new Error('A pulse reads one row.'))
  const row = async (_wanted: unknown, values: readonly unknown[] = []) => {
    const accounts = values[0] as string[]
    pulses.push(accounts)
    return { now: 7, positions: accounts.map((id) => `${id} ${accounts.length}`).join() || null, versions: null }
  }
  return { pulses, reader: { row, rows: none, run: none } as unknown as Db }
}

function turn(): Promise<void> {
  return new Promise(soon)
}

test('whoever comes while others still come shares their pulse, and hears of his own account', async () => {
  const { pulses, reader } = openReader()
  const pulse = createPulse(reader)
  const answers: ReturnType<typeof pulse>[] = []
  for (const account_id of ['a', 'b', 'c']) {
    answers.push(pulse({ account_id }))
    await turn()
  }
  const positions = (await Promise.all(answers)).map((answer) => ['a', 'b', 'c', 'd'].map(answer.position))
  assert.deepEqual(pulses, [['a', 'b', 'c']])
  assert.deepEqual(positions, [
    [3, 3, 3, 0],
    [3, 3, 3, 0],
    [3, 3, 3, 0],
  ])
})

test('a pulse leaves also where somebody comes at every turn', async () => {
  const { pulses, reader } = openReader()
  const pulse = createPulse(reader)
  let isAnswered = false
  void pulse().then(() => {
    isAnswered = true
  })
  let turns = 0
  for (; !isAnswered && turns < 1000; turns++) {
    await turn()
    void pulse({ account_id: `late-${turns}` })
  }
  assert.ok(turns < 50, `waited ${turns} turns`)
  assert.ok(pulses.length <= 2)
})

test('who asks while a pulse is under way gets the next one', async () => {
  const { pulses, reader } = openReader()
  const pulse = createPulse(reader)
  const first = pulse({ account_id: 'a' })
  while (pulses.length === 0) await turn()
  const second = pulse({ account_id: 'a' })
  await Promise.all([first, second])
  assert.deepEqual(pulses, [['a'], ['a']])
})

test('two pulses may be under way, and whoever comes meanwhile shares the third', async () => {
  const { pulses, reader } = openReader()
  const held: (() => void)[] = []
  const row = async (...asked: Parameters<Db['row']>) => {
    const read = await reader.row(...asked)
    await new Promise<void>((resolve) => held.push(resolve))
    return read
  }
  const pulse = createPulse({ ...reader, row: row as Db['row'] })
  const answers: ReturnType<typeof pulse>[] = []
  for (const [n, account_id] of ['a', 'b'].entries()) {
    answers.push(pulse({ account_id }))
    while (held.length === n) await turn()
  }
  answers.push(pulse({ account_id: 'c' }), pulse({ account_id: 'd' }))
  for (let turns = 0; turns < 50; turns++) await turn()
  assert.deepEqual(pulses, [['a'], ['b']])
  held[0]?.()
  while (held.length === 2) await turn()
  assert.deepEqual(pulses, [['a'], ['b'], ['c', 'd']])
  for (const release of held) release()
  assert.equal((await Promise.all(answers)).length, 4)
})

test('a pulse that fails stops nobody behind it', async () => {
  const { reader } = openReader()
  let fails = true
  const row = (...asked: Parameters<Db['row']>) => {
    if (!fails) return reader.row(...asked)
    fails = false
    return Promise.reject(new Error('away'))
  }
  const pulse = createPulse({ ...reader, row: row as Db['row'] })
  await assert.rejects(pulse(), { message: 'away' })
  assert.equal((await pulse()).now, 7)
})
