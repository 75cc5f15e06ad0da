import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { startDurableCluster, type TestCluster } from '../../../test/support/cluster.ts'
import { asAdministrator, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { migrationFiles } from '../../../test/support/migration-files.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { startBundledPostgres } from '../postgres/bundled-postgres.ts'
import {
  checkSettings,
  describeProblem,
  evaluateSettings,
  readSettings,
  type SettingsContext,
} from './database-settings.ts'
import type { DatabaseTarget } from './database-target.ts'
import { openDatabase } from './db.ts'

const schema = `
  create table events (position bigint, stored_on date) partition by range (stored_on);
  create table events_2026_01_01 partition of events for values from ('2026-01-01') to ('2026-01-02');
  create table ledger_entries (id int, amount_micros bigint);
  create table orders (id int);
  grant select, insert on events, ledger_entries to bourse_app;
  grant select, insert, update, delete on orders to bourse_app;`

let cluster: TestCluster
let database: TestDatabase
const migrations = migrationFiles({ '0001_schema.sql': schema })
beforeAll(async () => {
  cluster = await startDurableCluster()
  database = await createTestDatabase({ cluster: cluster.target, migrations })
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const administer = (text: string) => asAdministrator(cluster.target, (client) => client.query(text))
const inDatabase = async (text: string) => {
  const { target } = database
  await using open = openDatabase(target)
  await open.asOwner((db) => db.run({ name: undefined, text }))
}

async function findingsFor(target: DatabaseTarget, context?: SettingsContext) {
  await using open = openDatabase(target)
  return evaluateSettings(await readSettings(open.reader), context)
}

const clockOf = (rows: Awaited<ReturnType<typeof readSettings>>) =>
  Number(rows.find(({ name }) => name === 'clock')?.value)
const named = (problems: readonly { setting: string; value: string }[]) =>
  Object.fromEntries(problems.map(({ setting, value }) => [setting, value]))

test('the bundled PostgreSQL, used as the run-time role, is safe', async () => {
  await using open = openDatabase(database.target)
  const rows = await readSettings(open.reader)
  const context = { local_seconds: clockOf(rows), connections_needed: 290 }
  assert.deepEqual(evaluateSettings(rows, context), { refusals: [], warnings: [] })
})

const perRole = [
  ['synchronous_commit', 'off'],
  ['zero_damaged_pages', 'on'],
  ['ignore_checksum_failure', 'on'],
  ['session_replication_role', 'replica'],
  ['default_transaction_isolation', 'repeatable read'],
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_read_only', 'on'],
] as const

for (const [setting, value] of perRole) {
  test(`${setting} = ${value} is refused if only the role or the database has it`, async () => {
    const { target } = database
    for (const [set, reset] of [
      [`alter role bourse set ${setting} = '${value}'`, `alter role bourse reset ${setting}`],
      [
        `alter database ${target.database} set ${setting} = '${value}'`,
        `alter database ${target.database} reset ${setting}`,
      ],
    ] as const) {
      await administer(set)
      try {
        assert.deepEqual(named((await findingsFor(target)).refusals), { [setting]: value }, set)
      } finally {
        // Connected to another database, because connections to this one may be read-only by now.
        await asAdministrator({ ...cluster.target }, (client) => client.query(`begin read write; ${reset}; commit`))
      }
    }
    assert.deepEqual((await findingsFor(target)).refusals, [])
  })
}

test('settings of the whole server, and a standby, are refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-standby-'))
  const wrong = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    data_sync_retry: 'on',
    zero_damaged_pages: 'on',
    ignore_checksum_failure: 'on',
    ignore_invalid_pages: 'on',
    session_replication_role: 'replica',
    default_transaction_isolation: 'repeatable read',
    default_transaction_read_only: 'on',
  }
  const start = (settings: Record<string, string>) =>
    startBundledPostgres({ data_directory: directory, log: () => {}, settings })
  try {
    const primary = await start({ fsync: 'off' })
    await asAdministrator(primary.target, (client) => client.query('create role bourse_app'))
    await primary.stop()
    writeFileSync(join(primary.directory, 'standby.signal'), '')
    await using standby = await start(wrong)
    const { refusals } = await findingsFor(standby.target)
    assert.deepEqual(named(refusals), { pg_is_in_recovery: 'true', ...wrong })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('a database with another encoding is refused', async () => {
  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    await administer(`create database other encoding '${encoding}' template template0`)
    assert.deepEqual(named((await findingsFor({ ...cluster.target, database: 'other' })).refusals), {
      server_encoding: encoding,
    })
    await administer('drop database other with (force)')
  }
})

test('a run-time role that can change events or the ledger is refused', async () => {
  const cases = [
    ['alter role bourse_app superuser', 'alter role bourse_app nosuperuser', 'role superuser', 'true'],
    ['alter table orders owner to bourse_app', 'alter table orders owner to bourse', 'role owns tables', 'orders'],
    [
      'grant update on events to bourse_app',
      'revoke update on events from bourse_app',
      'role may rewrite tables',
      'events',
    ],
    [
      'grant delete on events_2026_01_01 to bourse_app',
      'revoke delete on events_2026_01_01 from bourse_app',
      'role may rewrite tables',
      'events_2026_01_01',
    ],
    [
      'grant truncate on ledger_entries to public',
      'revoke truncate on ledger_entries from public',
      'role may rewrite tables',
      'ledger_entries',
    ],
    [
      'grant update (amount_micros) on ledger_entries to bourse_app',
      'revoke update (amount_micros) on ledger_entries from bourse_app',
      'role may rewrite tables',
      'ledger_entries',
    ],
  ] as const
  for (const [set, reset, setting, value] of cases) {
    await inDatabase(set)
    const found = named((await findingsFor(database.target)).refusals)
    assert.equal(found[setting], value, set)
    if (setting !== 'role superuser') assert.equal(Object.keys(found).length, 1, set)
    await inDatabase(reset)
  }
  assert.deepEqual((await findingsFor(database.target)).refusals, [])
})

test('a new connection with an unsafe setting is refused, and the message names the setting', async () => {
  await administer('alter role bourse set synchronous_commit = off')
  try {
    await using open = openDatabase(database.target, { verify: async (db) => void (await checkSettings(db)) })
    await assert.rejects(
      open.session(),
      (error) =>
        isStartProblem(error, 'unsafe_database') &&
        error.message.includes('synchronous_commit is "off" and must be on, remote_apply,') &&
        error.message.includes('a crash would lose it'),
    )
  } finally {
    await administer('alter role bourse reset synchronous_commit')
  }
})

test('an older PostgreSQL is refused, and a local commit if there are synchronous standbys', async () => {
  await using open = openDatabase(database.target)
  const rows = await readSettings(open.reader)
  const refused = (changes: Record<string, string | null>) =>
    Object.keys(
      named(evaluateSettings(rows.map((row) => ({ ...row, value: changes[row.name] ?? row.value }))).refusals),
    )
  assert.deepEqual(refused({ server_version_num: '160009' }), ['server_version_num'])
  assert.deepEqual(refused({ server_version_num: '170000' }), [])
  assert.deepEqual(refused({ synchronous_commit: 'local' }), [])
  assert.deepEqual(refused({ synchronous_commit: 'local', synchronous_standby_names: 'standby' }), [
    'synchronous_commit',
  ])
})

test('an unreadable setting is refused', async () => {
  const { refusals } = evaluateSettings([])
  assert.ok(refusals.every(({ value }) => value === 'unknown'))
  assert.equal(refusals.length, 16)
  assert.equal(
    describeProblem(refusals.find(({ setting }) => setting === 'fsync') ?? assert.fail()),
    'fsync is "unknown" and must be on: a power failure would lose acknowledged rows.',
  )
})

test('missing checksums, a deviating clock and few connections cause warnings only', async () => {
  await using open = openDatabase(database.target)
  const rows = (await readSettings(open.reader)).map((row) =>
    row.name === 'data_checksums' ? { ...row, value: 'off' } : row,
  )
  const clock = clockOf(rows)
  const context = { local_seconds: clock - 60, connections_needed: 301 }
  const { refusals, warnings } = evaluateSettings(rows, context)
  assert.deepEqual(refusals, [])
  assert.deepEqual(named(warnings), {
    data_checksums: 'off',
    clock: '-60 s ahead of the database',
    connections: '297',
  })
  assert.deepEqual(evaluateSettings(rows, { local_seconds: clock + 5 }).warnings.length, 1)
})
