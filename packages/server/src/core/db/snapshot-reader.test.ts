import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../../test/eventually.ts'
import { soon } from '../base/clock.ts'
import type { Db } from './db.ts'
import { createSnapshotReader } from './snapshot-reader.ts'

/** A database that returns, for each account, the number of accounts in the same read. */
function openReader() {
  const reads: string[][] = []
  const none = () => Promise.reject(new Error('A snapshot reads one row.'))
  const row = async (_wanted: unknown, values: readonly unknown[] = []) => {
    const accounts = values[0] as string[]
    reads.push(accounts)
    return { now: 7, positions: accounts.map((id) => `${id} ${accounts.length}`).join() || null, versions: null }
  }
  return { reads, reader: { row, rows: none, run: none } as unknown as Db }
}

function turn(): Promise<void> {
  return new Promise(soon)
}

test('callers that arrive together share one snapshot, each with its own account', async () => {
  const { reads, reader } = openReader()
  const readSnapshot = createSnapshotReader(reader)
  const answers: ReturnType<typeof readSnapshot>[] = []
  for (const account_id of ['a', 'b', 'c']) {
    answers.push(readSnapshot({ account_id }))
    await turn()
  }
  const positions = (await Promise.all(answers)).map((answer) => ['a', 'b', 'c', 'd'].map(answer.position))
  assert.deepEqual(reads, [['a', 'b', 'c']])
  assert.deepEqual(positions, [
    [3, 3, 3, 0],
    [3, 3, 3, 0],
    [3, 3, 3, 0],
  ])
})

test('a snapshot read is sent even if a caller arrives in every turn', async () => {
  const { reads, reader } = openReader()
  const readSnapshot = createSnapshotReader(reader)
  let isAnswered = false
  void readSnapshot().then(() => {
    isAnswered = true
  })
  let turns = 0
  for (; !isAnswered && turns < 1000; turns++) {
    await turn()
    void readSnapshot({ account_id: `late-${turns}` })
  }
  assert.ok(turns < 50, `waited ${turns} turns`)
  assert.ok(reads.length <= 2)
})

test('a caller that arrives while a snapshot read is in flight gets the next one', async () => {
  const { reads, reader } = openReader()
  const held = Promise.withResolvers<void>()
  const row = async (...asked: Parameters<Db['row']>) => {
    const read = await reader.row(...asked)
    await held.promise
    return read
  }
  const readSnapshot = createSnapshotReader({ ...reader, row: row as Db['row'] })
  const first = readSnapshot({ account_id: 'a' })
  await eventually('the first read is in flight', () => reads.length === 1)
  const second = readSnapshot({ account_id: 'a' })
  held.resolve()
  await Promise.all([first, second])
  assert.deepEqual(reads, [['a'], ['a']])
})

test('two snapshot reads may be in flight, and later callers share the third', async () => {
  const { reads, reader } = openReader()
  const locked: (() => void)[] = []
  const row = async (...asked: Parameters<Db['row']>) => {
    const read = await reader.row(...asked)
    await new Promise<void>((resolve) => locked.push(resolve))
    return read
  }
  const readSnapshot = createSnapshotReader({ ...reader, row: row as Db['row'] })
  const answers: ReturnType<typeof readSnapshot>[] = []
  for (const [n, account_id] of ['a', 'b'].entries()) {
    answers.push(readSnapshot({ account_id }))
    await eventually(`read ${n + 1} is in flight`, () => locked.length > n)
  }
  answers.push(readSnapshot({ account_id: 'c' }), readSnapshot({ account_id: 'd' }))
  for (let turns = 0; turns < 50; turns++) await turn()
  assert.deepEqual(reads, [['a'], ['b']])
  locked[0]?.()
  await eventually('the third read is in flight', () => locked.length === 3)
  assert.deepEqual(reads, [['a'], ['b'], ['c', 'd']])
  for (const release of locked) release()
  assert.equal((await Promise.all(answers)).length, 4)
})

test('a failed snapshot read does not stop later ones', async () => {
  const { reader } = openReader()
  let fails = true
  const row = (...asked: Parameters<Db['row']>) => {
    if (!fails) return reader.row(...asked)
    fails = false
    return Promise.reject(new Error('away'))
  }
  const readSnapshot = createSnapshotReader({ ...reader, row: row as Db['row'] })
  await assert.rejects(readSnapshot(), { message: 'away' })
  assert.equal((await readSnapshot()).now, 7)
})
