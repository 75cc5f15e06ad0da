import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { isLate } from './auditor.ts'
import { openDatabase, statement } from './db.ts'
import { dueWishes, readNextDue, sendDue, sendStepEnd, wishClear, wishDue } from './due.ts'

const database = await createTestDatabase()
const open = openDatabase(database.target)
after(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('where nothing is planned there is no time to wait for, so that an idle loop keeps to its poll', async () => {
  assert.equal(await readNextDue(open.reader), undefined)
  const planned = dueWishes()
  wishDue(planned, 'sort', 'ahead', 2 ** 40)
  await Promise.all(sendDue(open.reader, planned))
  const ahead = await readNextDue(open.reader)
  assert.ok(ahead !== undefined && ahead > 0)
  const due = dueWishes()
  wishDue(due, 'sort', 'past', 0)
  await Promise.all(sendDue(open.reader, due))
  // It is due in the second that is running.
  assert.ok(((await readNextDue(open.reader)) ?? 1000) < 1000)
  const gone = dueWishes()
  for (const key of ['ahead', 'past']) wishClear(gone, 'sort', key)
  await Promise.all(sendDue(open.reader, gone))
  assert.equal(await readNextDue(open.reader), undefined)
})

const readClock = statement<{ now: number }>('test.read_clock', 'select bourse_now() as now')
const readRow = statement<{ due_at: number; is_late: boolean }>(
  'test.read_due',
  `select due_at, ${isLate('d', '$2::bigint')} as is_late from due d where key = $1`,
)

test('nothing is planned behind the clock, and what is due now is not late whatever its deadline was', async () => {
  const { reader } = open
  const shown = (await reader.row(readClock))?.now ?? 0
  const wishes = dueWishes()
  wishDue(wishes, 'sort', 'missed', 5)
  wishDue(wishes, 'sort', 'ended', 2 ** 40)
  await Promise.all(sendDue(reader, wishes))
  const seen = { kind: 'sort', key: 'ended', due_at: 2 ** 40, wakes: 1, attempt: 0 }
  await sendStepEnd(reader, { seen, next_at: 5, attempt: 0, last_error: null })
  for (const key of ['missed', 'ended']) {
    const row = await reader.row(readRow, [key, 5])
    assert.ok(row && row.due_at >= shown, key)
    assert.equal(row.is_late, false, key)
  }
  await sendStepEnd(reader, { seen, next_at: 2 ** 40, attempt: 0, last_error: null })
  assert.equal((await reader.row(readRow, ['ended', 5]))?.is_late, true)
  assert.equal((await reader.row(readRow, ['ended', 2 ** 40]))?.is_late, false)
  await sendStepEnd(reader, { seen, next_at: 2 ** 40, attempt: 1, last_error: 'It failed.' })
  assert.equal((await reader.row(readRow, ['ended', 5]))?.is_late, false)
})
