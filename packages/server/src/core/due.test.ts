import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { openDatabase } from './db.ts'
import { dueWishes, readNextDue, sendDue, wishClear, wishDue } from './due.ts'

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
