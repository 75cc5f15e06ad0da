import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { type Database, isUnavailable, openDatabase, statement } from '../../src/core/db/db.ts'
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
    // PostgreSQL ends all connections when it notices that one of its processes was killed.
    const witness = await database.session()
    const crashed = assert.rejects(witness.row(statement(null, 'select pg_sleep(60)')), isUnavailable)
    process.kill(pid, 'SIGKILL')
    await crashed
    for (const lost of [session, witness]) lost.release(new Error('lost'))
    return xid
  })
}

/** Commits transactions until one has this id. False if the database has passed it. */
function commitUnder(xid: string): Promise<boolean> {
  return inNewDatabase(async (database) => {
    const isUp = () => database.reader.row(statement(null, 'select 1')).then(Boolean, () => false)
    await eventually('the database is up', isUp)
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
    return eventually('the outcome of the transaction can be read', read)
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
