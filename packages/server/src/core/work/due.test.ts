import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openDatabase, statement } from '../db/db.ts'
import { isLate } from './auditor.ts'
import { emptyDueChanges, readNextDue, scheduleDue, sendDueChanges, sendStepEnd, unscheduleDue } from './due.ts'

const database = await createTestDatabase()
const open = openDatabase(database.target)
const kinds = ['sort']
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('without due rows there is no next time, and future and past rows give their wait', async () => {
  assert.equal(await readNextDue(open.reader, kinds), undefined)
  const planned = emptyDueChanges()
  scheduleDue(planned, 'sort', 'ahead', 2 ** 40)
  await Promise.all(sendDueChanges(open.reader, planned))
  const ahead = await readNextDue(open.reader, kinds)
  assert.ok(ahead !== undefined && ahead > 0)
  const due = emptyDueChanges()
  scheduleDue(due, 'sort', 'past', 0)
  await Promise.all(sendDueChanges(open.reader, due))
  // It is due in the current second.
  assert.ok(((await readNextDue(open.reader, kinds)) ?? 1000) < 1000)
  const gone = emptyDueChanges()
  for (const key of ['ahead', 'past']) unscheduleDue(gone, 'sort', key)
  await Promise.all(sendDueChanges(open.reader, gone))
  assert.equal(await readNextDue(open.reader, kinds), undefined)
})

const readClock = statement<{ now: number }>('test.read_clock', 'select bourse_now() as now')
const readRow = statement<{ due_at: number; is_late: boolean }>(
  'test.read_due',
  `select due_at, ${isLate('d', '$2::bigint')} as is_late from due d where key = $1`,
)

test('no row is scheduled before the clock, and a row that is due now is not late for any deadline', async () => {
  const { reader } = open
  const shown = (await reader.row(readClock))?.now ?? 0
  const changes = emptyDueChanges()
  scheduleDue(changes, 'sort', 'missed', 5)
  scheduleDue(changes, 'sort', 'ended', 2 ** 40)
  await Promise.all(sendDueChanges(reader, changes))
  const due_row = { kind: 'sort', key: 'ended', due_at: 2 ** 40, wakes: 1, attempt: 0 }
  await sendStepEnd(reader, { due_row, next_at: 5, attempt: 0, last_error: null })
  for (const key of ['missed', 'ended']) {
    const row = await reader.row(readRow, [key, 5])
    assert.ok(row && row.due_at >= shown, key)
    assert.equal(row.is_late, false, key)
  }
  await sendStepEnd(reader, { due_row, next_at: 2 ** 40, attempt: 0, last_error: null })
  assert.equal((await reader.row(readRow, ['ended', 5]))?.is_late, true)
  assert.equal((await reader.row(readRow, ['ended', 2 ** 40]))?.is_late, false)
  await sendStepEnd(reader, { due_row, next_at: 2 ** 40, attempt: 1, last_error: 'It failed.' })
  assert.equal((await reader.row(readRow, ['ended', 5]))?.is_late, false)
})

async function dueAt(key: string): Promise<number | undefined> {
  return (await open.reader.row(readRow, [key, 0]))?.due_at
}

test('the earlier of two schedules of a key holds, within one command and across two', async () => {
  const [sooner, later] = [2 ** 39, 2 ** 40]
  for (const [first, second] of [
    [sooner, later],
    [later, sooner],
  ] as const) {
    const together = emptyDueChanges()
    for (const at of [first, second]) scheduleDue(together, 'sort', `together ${first}`, at)
    await Promise.all(sendDueChanges(open.reader, together))
    for (const at of [first, second]) {
      const apart = emptyDueChanges()
      scheduleDue(apart, 'sort', `apart ${first}`, at)
      await Promise.all(sendDueChanges(open.reader, apart))
    }
    assert.equal(await dueAt(`together ${first}`), sooner)
    assert.equal(await dueAt(`apart ${first}`), sooner)
  }
})

test('a wake-up during a step is kept, whatever next time the step gives', async () => {
  for (const next_at of [undefined, 2 ** 40]) {
    const key = `woken ${next_at}`
    for (const at of [2 ** 38, 2 ** 39]) {
      const changes = emptyDueChanges()
      scheduleDue(changes, 'sort', key, at)
      await Promise.all(sendDueChanges(open.reader, changes))
    }
    const before = { kind: 'sort', key, due_at: 2 ** 38, wakes: 1, attempt: 0 }
    await sendStepEnd(open.reader, { due_row: before, next_at, attempt: 0, last_error: null })
    assert.equal(await dueAt(key), 2 ** 38)
    await sendStepEnd(open.reader, { due_row: { ...before, wakes: 2 }, next_at, attempt: 0, last_error: null })
    assert.equal(await dueAt(key), next_at)
  }
})
