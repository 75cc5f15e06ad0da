import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openDatabase, statement } from '../db/db.ts'
import { coreFigures, readFigures } from './figures.ts'

const selectOne = statement(null, 'select 1 as one')

test('a failover that lost nothing is not shown as a loss', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  const open = () => {
    const opened = openDatabase(database.target, { record_history: async () => {} })
    atEnd(() => opened[Symbol.asyncDispose]())
    return opened
  }
  const owner = openDatabase(database.target)
  atEnd(() => owner[Symbol.asyncDispose]())
  const asOwner = (text: string) => owner.asOwner((db) => db.run(statement(null, text)))
  const times = async () => {
    const figures = await readFigures(owner, coreFigures([]))
    const figure = (name: string) => figures.find(({ family }) => family === name)?.value
    return {
      histories: figure('bourse_histories'),
      last: figure('bourse_history_last_timestamp_seconds'),
      lost: figure('bourse_history_last_loss_timestamp_seconds'),
    }
  }
  const began = async (number: number) =>
    owner.asOwner(async (db) => {
      const select = statement<{ at: number }>(null, 'select recorded_at as at from histories where number = $1')
      return (await db.row(select, [number]))?.at
    })
  /** Histories begin far apart, and none so long ago that its positions are deleted. */
  const setBack = (number: number) =>
    asOwner(`update histories set recorded_at = recorded_at - ${1_000 * (10 - number)} where number = ${number}`)
  /** A server that connects from now on finds another timeline than the recorded one, as after a promotion. */
  const promote = async (number: number) => {
    await asOwner('update histories set timeline = timeline + 1')
    const server = open()
    await server.reader.row(selectOne)
    await setBack(number)
    return server
  }
  const first = open()
  await first.reader.run(statement(null, "insert into event_counters (account_id, position) values ('acme', 12)"))
  assert.deepEqual(await times(), { histories: 1, last: 0, lost: 0 })

  const second = await promote(2)
  assert.deepEqual(await times(), { histories: 2, last: await began(2), lost: 0 })

  // A server that had read a later event learns that it is missing.
  second.history.remember(
    () => 'logs',
    () => [{ account_id: 'acme', position: 15 }],
  )
  await promote(3)
  second.history.observe({ history: 3 })
  await eventually('the loss is shown', async () => {
    assert.deepEqual(await times(), { histories: 3, last: await began(3), lost: await began(3) })
    return true
  })

  const last = await promote(4)
  assert.deepEqual(await times(), { histories: 4, last: await began(4), lost: await began(3) })

  await last.recordLoss('A cursor is ahead of the log.')
  await setBack(5)
  assert.deepEqual(await times(), { histories: 5, last: await began(5), lost: await began(5) })
})
