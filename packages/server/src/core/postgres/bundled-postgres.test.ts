import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../../test/eventually.ts'
import { failed, started, startServer } from '../../../test/support/postgres-server.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { type BundledPostgres, startBundledPostgres } from './bundled-postgres.ts'
import { processIdentity } from './process-identity.ts'

// All tests of the file share one data directory, as one installation over time. Each test leaves it stopped.
const root = mkdtempSync(join(tmpdir(), 'bourse-life-'))
// The unprivileged user can reach this directory. postgres-place.test.ts covers the other case.
chmodSync(root, 0o755)
const data_directory = join(root, 'data')
mkdirSync(data_directory, { mode: 0o700 })
afterAll(() => rmSync(root, { recursive: true, force: true }))

const messages: string[] = []
const start = (settings: Record<string, string> = { fsync: 'off' }) => {
  messages.length = 0
  return startBundledPostgres({ data_directory, log: (message) => messages.push(message), settings })
}

async function ask(host: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ host, port: 5432, user: 'bourse', database: 'bourse' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number) => processIdentity(pid) !== undefined
const untilReplaced = (postgres: BundledPostgres, old: number) =>
  eventually(`another PostgreSQL runs instead of process ${old}`, () => postgres.pid !== old && postgres.pid)

test('the first start creates a database that only its user can reach', async () => {
  await using postgres = await start({})
  assert.equal(postgres.adopted, false)
  const socket = statSync(postgres.target.host)
  assert.equal(socket.mode & 0o777, 0o700)
  assert.equal(socket.uid, statSync(postgres.directory).uid)
  const settings = await ask(
    postgres.target.host,
    `select current_setting('listen_addresses') listen, current_setting('TimeZone') zone, datcollate collate,
       current_setting('server_encoding') encoding, current_setting('fsync') fsync,
       current_setting('data_checksums') checksums, current_setting('server_version_num')::int / 10000 as version
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual(settings, [
    { listen: '', zone: 'UTC', collate: 'C', encoding: 'UTF8', fsync: 'on', checksums: 'on', version: 18 },
  ])
  await ask(postgres.target.host, 'create table kept (id int); insert into kept values (7)')
})

test('data survive a stop, and a stop leaves no process and no socket', async () => {
  await using postgres = await start()
  assert.deepEqual(await ask(postgres.target.host, 'select id from kept'), [{ id: 7 }])
  await Promise.all([postgres.stop(), postgres.stop()])
  assert.equal(isAlive(postgres.pid), false)
  assert.equal(existsSync(postgres.target.host), false)
  assert.deepEqual(messages, [])
})

test('a killed server leaves PostgreSQL running, and the next one adopts it', async () => {
  await using first = await startServer({ data_directory })
  const before = started(first)
  await ask(before.host, 'insert into kept values (8)')
  await first.kill()
  assert.ok(isAlive(before.pid))
  {
    await using second = await startServer({ data_directory })
    const now = started(second)
    assert.deepEqual([now.pid, now.adopted, now.host], [before.pid, true, before.host])
    assert.match(now.said.join(), new RegExp(`Adopted the PostgreSQL \\(pid ${now.pid}\\)`))
    assert.deepEqual(await ask(now.host, 'select id from kept order by id'), [{ id: 7 }, { id: 8 }])
  }
  assert.equal(isAlive(before.pid), false, 'an adopted one is stopped like an own one')
  assert.equal(existsSync(before.host), false)
})

test('a second server on a data directory in use is refused with the pid of the first', async () => {
  await using first = await startServer({ data_directory })
  await using second = await startServer({ data_directory })
  const { problem, message } = failed(second)
  assert.equal(problem, 'data_directory_held')
  assert.match(message, new RegExp(`\\(pid ${started(first).server}\\)`))
  assert.deepEqual(await ask(started(first).host, 'select 1 as one'), [{ one: 1 }])
})

test('PostgreSQL restarts on the same socket after it was killed during a statement', async () => {
  await using postgres = await start()
  for (const round of [1, 2]) {
    const old = postgres.pid
    const sleeper = ask(postgres.target.host, 'select pg_sleep(60)').catch((error: Error) => error)
    const asleep = "select 1 from pg_stat_activity where wait_event = 'PgSleep'"
    await eventually('the statement runs', async () => (await ask(postgres.target.host, asleep)).length === 1)
    process.kill(old, 'SIGKILL')
    assert.ok((await sleeper) instanceof Error, `round ${round}`)
    await untilReplaced(postgres, old)
    assert.equal((await ask(postgres.target.host, 'select id from kept')).length, 2)
  }
  assert.match(messages.join('\n'), /has ended\. Restarting it\.\nPostgreSQL is running again/)
})

test('an adopted PostgreSQL that is killed restarts too', async () => {
  await using first = await startServer({ data_directory })
  await first.kill()
  await using postgres = await start()
  assert.equal(postgres.adopted, true)
  const old = postgres.pid
  process.kill(old, 'SIGKILL')
  await untilReplaced(postgres, old)
  assert.equal((await ask(postgres.target.host, 'select id from kept')).length, 2)
})

test('the next start recovers after server and PostgreSQL were both killed', async () => {
  await using first = await startServer({ data_directory })
  const { pid, host } = started(first)
  await ask(host, 'insert into kept values (9)')
  const busy = ask(host, 'select pg_sleep(60)').catch(() => {})
  await first.kill()
  process.kill(pid, 'SIGKILL')
  await using postgres = await start()
  await busy
  assert.equal(postgres.adopted, false)
  assert.equal((await ask(postgres.target.host, 'select id from kept')).length, 3)
})

test('a pid file with the number of another program does not block the start', async () => {
  const file = join(data_directory, 'postgres', 'postmaster.pid')
  writeFileSync(
    file,
    [process.pid, join(data_directory, 'postgres'), 1, 5432, '/tmp', '', '1 1', 'ready', ''].join('\n'),
  )
  await using postgres = await start()
  assert.equal(postgres.adopted, false)
  assert.equal((await ask(postgres.target.host, 'select id from kept')).length, 3)
})

test('a running PostgreSQL without its socket is restarted', async () => {
  await using first = await startServer({ data_directory })
  const { pid, host } = started(first)
  await first.kill()
  rmSync(host, { recursive: true })
  await using postgres = await start()
  assert.equal(isAlive(pid), false)
  assert.match(messages.join('\n'), new RegExp(`\\(pid ${pid}\\) cannot be reached\\. Restarting it`))
  assert.equal((await ask(postgres.target.host, 'select id from kept')).length, 3)
})

test('a server that exits without a stop still stops PostgreSQL', async () => {
  await using server = await startServer({ data_directory, exit: true })
  const { pid } = started(server)
  await eventually(`PostgreSQL, process ${pid}, has ended`, () => !isAlive(pid))
})

test('an interrupt from the terminal reaches the server, and PostgreSQL serves until the server stops it', async () => {
  await using server = await startServer({ data_directory })
  const { pid, host } = started(server)
  process.kill(-(server.process.pid ?? 0), 'SIGINT')
  assert.deepEqual(await server.next(), { interrupted: true })
  assert.deepEqual(await ask(host, 'select 1 as one'), [{ one: 1 }])
  await server[Symbol.asyncDispose]()
  assert.equal(isAlive(pid), false)
})

test('the remains of an interrupted first start are replaced', async () => {
  const directory = join(root, 'broken-off')
  mkdirSync(join(directory, 'postgres.new', 'base'), { recursive: true, mode: 0o700 })
  await using postgres = await startBundledPostgres({
    data_directory: directory,
    log: () => {},
    settings: { fsync: 'off' },
  })
  assert.deepEqual(await ask(postgres.target.host, 'select 1 as one'), [{ one: 1 }])
  assert.equal(existsSync(join(directory, 'postgres.new')), false)
})

test('a long log is renamed at the start', async () => {
  writeFileSync(join(data_directory, 'postgres.log'), 'x'.repeat(1_000_001))
  await using _postgres = await start()
  const line = readFileSync(join(data_directory, 'postgres.log'), 'utf8').slice(0, 100)
  assert.match(line, /^\d{4}-.* starting PostgreSQL 18/)
  assert.equal(statSync(join(data_directory, 'postgres.log.old')).size, 1_000_001)
})

test('data of another version of PostgreSQL are refused and unchanged', async () => {
  const directory = join(root, 'old-version')
  mkdirSync(join(directory, 'postgres'), { recursive: true })
  writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '17\n')
  await assert.rejects(
    startBundledPostgres({ data_directory: directory, log: () => {} }),
    (error) =>
      isStartProblem(error, 'wrong_postgres_version') &&
      /PostgreSQL 17, and this program bundles 18/.test(error.message),
  )
})

test('the error of a failed start names the reason and the log', async () => {
  await assert.rejects(
    start({ shared_buffers: 'plenty' }),
    (error) =>
      isStartProblem(error, 'postgres_failed') &&
      error.message.includes('invalid value for parameter "shared_buffers": "plenty"') &&
      error.message.includes(join(data_directory, 'postgres.log')),
  )
})
