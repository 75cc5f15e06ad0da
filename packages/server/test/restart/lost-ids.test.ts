import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { afterAll, test } from 'vitest'
import { waitFor } from '../../src/core/base/wait.ts'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { readOutcome } from '../../src/core/db/outcome.ts'
import { startDurableCluster } from '../support/cluster.ts'
import { createTestDatabase } from '../support/database.ts'

const cluster = await startDurableCluster()
afterAll(() => cluster[Symbol.asyncDispose]())
const { target } = await createTestDatabase({ cluster: cluster.target })

const whoAmI = statement<{ xid: string; pid: number }>(
  null,
  'select pg_current_xact_id()::text as xid, pg_backend_pid() as pid',
)
const makeCounter = statement<never>(
  null,
  "insert into event_counters (account_id, position) values ('acme', 0) on conflict do nothing",
)
const attempts = 20

async function inNewDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(target)
  try {
    return await work(database)
  } finally {
    await database[Symbol.asyncDispose]()
  }
}

/** Begins a transaction, and crashes the database while it is open. Returns its id. */
function loseTransaction(): Promise<string> {
  return inNewDatabase(async (database) => {
    const session = await database.session()
    await session.command('begin')
    const { xid, pid } = (await session.row(whoAmI)) as { xid: string; pid: number }
    process.kill(pid, 'SIGKILL')
    const isBack = () => database.reader.row(statement(null, 'select 1')).then(Boolean, () => false)
    assert.equal(await waitFor(async () => !(await isBack()), { at_most_milliseconds: 10_000 }), true)
    session.release(new Error('lost'))
    return xid
  })
}

/** Commits transactions until one has this id. False if the database has passed it. */
function commitUnder(xid: string): Promise<boolean> {
  return inNewDatabase(async (database) => {
    const up = () => database.reader.row(statement(null, 'select 1')).then(Boolean, () => false)
    assert.ok(await waitFor(up, { at_most_milliseconds: 20_000 }))
    for (;;) {
      const session = await database.session()
      await session.command('begin')
      await session.run(makeCounter)
      const { xid: own } = (await session.row(whoAmI)) as { xid: string }
      await session.command('commit')
      session.release()
      if (BigInt(own) >= BigInt(xid)) return own === xid
    }
  })
}

test('a crashed database reuses a transaction id, and the lost transaction does not count as committed', async () => {
  let xid = await loseTransaction()
  const early = await inNewDatabase(async ({ reader }) => {
    const read = () => readOutcome(reader, { xid, mark: undefined }).catch(() => undefined)
    return waitFor(read, { at_most_milliseconds: 20_000 })
  })
  assert.equal(early, 'aborted')
  for (let n = 1; !(await commitUnder(xid)); n++) {
    assert.ok(n < attempts, 'the database reused no id')
    xid = await loseTransaction()
  }
  await inNewDatabase(async ({ reader }) => {
    const mark = { account_id: 'acme', id: 'evt_lost' as Id<'event'> }
    assert.equal(await readOutcome(reader, { xid, mark }), 'aborted')
    assert.equal(await readOutcome(reader, { xid, mark: undefined }), 'unknown')
  })
})

test('without a crash the status of the database is sufficient', async () => {
  await inNewDatabase(async (database) => {
    const session = await database.session()
    await session.command('begin')
    const { xid } = (await session.row(whoAmI)) as { xid: string }
    const open = { xid, mark: undefined }
    assert.equal(await readOutcome(database.reader, open), 'open')
    await session.command('rollback')
    session.release()
    assert.equal(await readOutcome(database.reader, open), 'aborted')
  })
})
