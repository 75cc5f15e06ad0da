import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { type Database, openDatabase, statement } from './db.ts'
import { type FoundServer, findServer, listHistories } from './history.store.ts'
import { compareServers, createHistory, type KnownServer, readCommonPosition } from './history.ts'
import type { Db } from './statement.ts'

const known: KnownServer = { system_identifier: '7', timeline: 3, started_at: 100, flushed: 50, number: 2 }

test('a server is compared by cluster, timeline, start and log', () => {
  const cases: [string, Partial<KnownServer>, ReturnType<typeof compareServers>][] = [
    ['the same server', { flushed: 60 }, 'same'],
    ['an answer that arrives late', { flushed: 40 }, 'same'],
    ['another cluster', { system_identifier: '8', timeline: 1 }, 'changed'],
    ['a promotion', { timeline: 4, started_at: 100 }, 'changed'],
    ['a history that another process has recorded', { number: 3 }, 'changed'],
    ['a primary that was replaced', { timeline: 2, started_at: 900 }, 'older'],
    ['a restart', { started_at: 200, flushed: 50 }, 'restarted'],
    ['a restart with less in its log', { started_at: 200, flushed: 49 }, 'behind'],
    ['a restart with fewer histories', { started_at: 200, number: 1 }, 'behind'],
    ['an answer from before the restart', { started_at: 50, flushed: 40 }, 'restarted'],
  ]
  for (const [what, change, expected] of cases) {
    assert.equal(compareServers(known, { ...known, ...change }), expected, what)
  }
  assert.equal(compareServers(undefined, known), 'same')
})

test('what is remembered is replaced when a newer history is observed, and only then', async () => {
  await using database = await createTestDatabase()
  await using open = openDatabase(database.target, { record_history: async () => {} })
  const { history } = open
  const numbers = history.remember(() => new Set<number>())
  await open.reader.row(statement(null, 'select 1 as one'))
  const before = numbers.current
  before.add(1)
  history.observe({ history: 1 })
  history.observe({ history: 0 })
  assert.equal(numbers.current, before)
  const epoch = history.epoch()
  history.observe({ history: 2 })
  assert.equal(numbers.current.size, 0)
  assert.equal(before.size, 1)
  assert.ok(history.epoch() > epoch)
})

test('a promotion is recorded once, with the positions of all accounts', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  const recorded: number[] = []
  const open = () => {
    const opened = openDatabase(database.target, { record_history: async (_db, number) => void recorded.push(number) })
    atEnd(() => opened[Symbol.asyncDispose]())
    return opened
  }
  const first = open()
  const selectOne = statement(null, 'select 1 as one')
  await first.reader.row(selectOne)
  assert.deepEqual(recorded, [], 'the first history has nothing before it')
  await first.reader.run(
    statement(null, "insert into event_counters (account_id, position) values ('acme', 12), ('other', 3)"),
  )
  // The servers that connect from now on find another timeline than the recorded one, as after a promotion.
  const owner = openDatabase(database.target)
  atEnd(() => owner[Symbol.asyncDispose]())
  await owner.asOwner((db) => db.run(statement(null, 'update histories set timeline = timeline + 1')))
  const later = Array.from({ length: 4 }, open)
  await Promise.all(later.flatMap((one) => [one.reader.row(selectOne), useSession(one)]))
  assert.deepEqual(recorded, [2])
  const [history] = await listHistories(first.reader)
  assert.equal(history?.reason, 'promotion')
  assert.equal(await readCommonPosition(first.reader, 'acme', 1), 12)
  assert.equal(await readCommonPosition(first.reader, 'unknown', 1), 0)
  assert.equal(await readCommonPosition(first.reader, 'acme', 2), undefined)
})

test('connections for transactions, for reads and of the owner learn the history', async () => {
  await using database = await createTestDatabase()
  const selectOne = statement<{ one: number }>(null, 'select 1 as one')
  const uses: ((opened: Database) => Promise<unknown>)[] = [
    (opened) => useSession(opened),
    (opened) => opened.reader.row(selectOne),
    (opened) => opened.readerOf('acme').row(selectOne),
    (opened) => opened.asOwner((db) => db.row(selectOne)),
  ]
  for (const use of uses) {
    await using opened = openDatabase(database.target, { record_history: async () => {} })
    assert.equal(opened.history.number(), 0)
    await use(opened)
    assert.equal(opened.history.number(), 1)
  }
})

test('positions that were seen before and are missing now are recorded as lost', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  await using open = openDatabase(database.target, { record_history: async () => {} })
  await open.reader.run(
    statement(null, "insert into event_counters (account_id, position) values ('acme', 12), ('calm', 3)"),
  )
  const seen = [
    { account_id: 'acme', position: 15 },
    { account_id: 'calm', position: 3 },
    { account_id: 'new', position: 2 },
  ]
  open.history.remember(
    () => 'logs',
    () => seen,
  )
  await open.recordLoss('A cursor is ahead of the log.')
  const lost = await eventually('the history with the lost positions is recorded', async () => {
    const [history] = await listHistories(open.reader)
    assert.ok(history && history.lost.length > 0, JSON.stringify(history))
    return history
  })
  assert.equal(lost.reason, 'evidence')
  assert.equal(lost.evidence, 'A cursor is ahead of the log.')
  assert.deepEqual(lost.lost, [
    { account_id: 'acme', from: 13, to: 15 },
    { account_id: 'new', from: 1, to: 2 },
  ])
})

test('the connection to a replaced primary is refused', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  await using open = openDatabase(database.target)
  const { reader } = open
  const history = createHistory({ record: async () => {}, reader: () => reader })
  await reader.run(statement(null, 'select 1'))
  await useSession(open, async (session) => history.learn(session, () => {}))
  const found = await findServer(reader)
  const older = { ...reader, row: async () => ({ ...found, timeline: found.timeline - 1 }) } as unknown as Db
  await assert.rejects(
    history.learn(older, () => {}),
    { code: '57P01' },
  )
  const standby = { ...reader, row: async () => ({ ...found, in_recovery: true }) } as unknown as Db
  await assert.rejects(
    history.learn(standby, () => {}),
    { code: '25006' },
  )
})

test('of several programs that see an older copy of the database, the first one records it', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  await using open = openDatabase(database.target)
  const { reader } = open
  const histories = [1, 2].map(() => createHistory({ record: async () => {}, reader: () => reader }))
  const learnAll = async (change: Partial<FoundServer>) => {
    for (const history of histories) {
      await useSession(open, (session) => history.learn(withServer(session, change), () => {}))
    }
  }
  await learnAll({})
  await open.asOwner((db) => db.run(statement(null, 'update histories set recorded_at = recorded_at - 100')))
  const { recorded_at, flushed } = await findServer(reader)
  await learnAll({ started_at: (recorded_at + 1) * 1_000_000, flushed: flushed + 1_000_000_000 })
  // The server was started again, and its log is shorter than it was.
  await learnAll({ started_at: (recorded_at + 50) * 1_000_000, flushed })
  assert.deepEqual(
    (await listHistories(reader)).map(({ reason }) => reason),
    ['evidence'],
  )
})

test('positions that were read after a restore are not lost, though a connection learned of it late', async () => {
  const database = await createTestDatabase()
  atEnd(() => database[Symbol.asyncDispose]())
  await using open = openDatabase(database.target)
  const { reader } = open
  const found = await findServer(reader)
  const history = createHistory({ record: async () => {}, reader: () => reader })
  const drops: string[] = []
  let remembered = 'before the restore'
  history.remember(
    () => 'logs',
    () => {
      drops.push(remembered)
      return []
    },
  )
  const answers = (one: object): Db => ({ ...reader, row: async () => one as never })
  await history.learn(answers({ ...found, is_recorded: true }), () => {})
  const later = { ...found, is_recorded: true, started_at: found.started_at + 1 }
  const slow = Promise.withResolvers<object>()
  const learning = history.learn({ ...reader, row: async () => (await slow.promise) as never }, () => {})
  await history.learn(answers(later), () => {})
  remembered = 'since then'
  slow.resolve(later)
  await learning
  assert.deepEqual(drops, ['before the restore'])
})

/** A connection whose server says something else of itself. */
function withServer(db: Db, change: Partial<FoundServer>): Db {
  const row: Db['row'] = async (statement, params) => {
    const found = await db.row(statement, params)
    return found && 'started_at' in (found as object) ? { ...found, ...change } : found
  }
  return { ...db, row }
}

async function useSession(database: Database, work: (db: Db) => Promise<unknown> = async () => {}): Promise<void> {
  const session = await database.session()
  try {
    await work(session)
  } finally {
    session.release()
  }
}
