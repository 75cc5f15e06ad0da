/** Backups that cannot be made, and restores that cannot be right: each is a clear error, and nothing is half done. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { openBackupStore } from '../../src/core/backup/open-store.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { hide } from '../../src/core/base/secret.ts'
import { isStartProblem } from '../../src/core/base/start-problem.ts'
import { createBucketClient } from '../../src/core/blobs/object-store.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { openDatabase } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { ensureInstallation } from '../../src/core/work/installation.ts'
import { createBackup } from '../../src/start/backup-create.ts'
import { archiveLogFile, fetchLogFile, pruneBackups, summarizeBackups } from '../../src/start/backup-upkeep.ts'
import { verifyBackup } from '../../src/start/backup-verify.ts'
import { restoreBackup } from '../../src/start/restore.ts'
import { startTestCluster } from '../support/cluster.ts'
import { asAdministrator } from '../support/database.ts'
import { startTestObjectStore } from '../support/object-store.ts'
import { makeSharedDirectory } from './backups/restored-cluster.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const migrations = join(import.meta.dirname, '../../../../migrations')
const quiet = () => {}
const newest = { id: undefined, postgres_bin: undefined }

const source = await openSource()
const { target, pgData, variables } = source
const location = await makeSharedDirectory(stack)
const places = await makeSharedDirectory(stack)
const backup = await createBackup(variables, { location, keys_directory: undefined }, quiet)
/** A second after the end of the backup, with a commit on either side. */
const moment = await commitAround()
await archiveAll(location)

/** A database with an installation, and the data directory of its server. */
async function openSource() {
  const cluster = stack.use(await startTestCluster())
  await migrate(cluster.target, { directory: migrations, log: quiet })
  await using database = openDatabase(cluster.target, { record_history: async () => {} })
  await ensureInstallation(database, { mode: 'production', random: createCryptoRandom() })
  const [row] = await run<{ path: string }>(cluster.target, "select current_setting('data_directory') as path")
  return { target: cluster.target, pgData: row?.path ?? '', variables: { BOURSE_DATABASE_URL: urlOf(cluster.target) } }
}

function urlOf({ user, database, host }: DatabaseTarget, name = user): string {
  return `postgres://${name}@/${database}?host=${host}`
}

async function run<R extends object>(at: DatabaseTarget, text: string): Promise<R[]> {
  return asAdministrator(at, async (client) => (await client.query<R>(text)).rows)
}

/** Works in the database of the installation. */
async function inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...target, ssl: false })
  await client.connect()
  return work(client).finally(() => client.end())
}

async function commitAround(): Promise<string> {
  await run(target, 'create table if not exists marks (at timestamptz)')
  const [row] = await run<{ at: string }>(
    target,
    `insert into marks values (clock_timestamp())
     returning to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  await run(target, 'insert into marks values (clock_timestamp())')
  return row?.at ?? ''
}

/** Hands over all complete segments, as archive_command does. Returns their names. */
async function archiveAll(to: string, settings: Record<string, string> = {}): Promise<string[]> {
  const [row] = await run<{ file: string }>(target, 'select pg_walfile_name(pg_switch_wal()) as file')
  const names = (await readdir(join(pgData, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const complete = names.filter((name) => name <= (row?.file ?? '')).sort()
  for (const name of complete) {
    await archiveLogFile(settings, { location: to, path: join(pgData, 'pg_wal', name), name })
  }
  return complete
}

const restore = (at: string, more: Partial<Parameters<typeof restoreBackup>[1]> = {}) => {
  const usual = { id: undefined, to: 'latest', timeline: undefined, postgres_bin: undefined, revoke_tokens: false }
  return restoreBackup({}, { location: at, data_directory: join(places, 'new'), ...usual, ...more }, quiet)
}

/** Fails unless the work is refused with a code and a message, and leaves nothing. */
async function refuses(work: Promise<unknown>, code: Parameters<typeof isStartProblem>[1], message: RegExp) {
  await assert.rejects(work, (error: Error) => {
    assert.ok(isStartProblem(error, code), String(error.stack))
    assert.match(error.message, message)
    return true
  })
  assert.deepEqual(await readdir(places), [], 'a refused restore leaves nothing')
}

/** A copy of the location, for a test that changes it. */
async function copyLocation(): Promise<string> {
  const copy = await makeSharedDirectory(stack)
  await cp(location, copy, { recursive: true })
  return copy
}

async function changeRecord(at: string, change: (record: Record<string, any>) => void): Promise<void> {
  const path = join(at, backup.id, 'backup.json')
  const record = JSON.parse(await readFile(path, 'utf8'))
  change(record)
  await writeFile(path, JSON.stringify(record))
}

test('a directory with files, and a time outside of the archive, are refused', async () => {
  const used = await makeSharedDirectory(stack)
  await writeFile(join(used, 'precious'), 'x')
  await refuses(restore(location, { data_directory: used }), 'restore_refused', /is not empty\. A restore never/)
  assert.deepEqual(await readdir(used), ['precious'])
  await refuses(restore(location, { data_directory: '/nowhere/x/new' }), 'restore_refused', /\/nowhere\/x does not/)
  const early = new Date(Date.parse(backup.started_at) - 3_600_000).toISOString()
  await refuses(restore(location, { to: early }), 'restore_refused', /the oldest backup ended at .* no earlier time/)
  await refuses(restore(location, { to: early, id: backup.id }), 'restore_refused', /choose an earlier backup/)
  const message = /The log of the archive ends with the commit of 20.*, before 2999-01-01T00:00:00Z/
  await refuses(restore(location, { to: '2999-01-01T00:00:00Z' }), 'restore_failed', message)
  await refuses(restore(location, { timeline: 7 }), 'restore_refused', /no history of timeline 7/)
})

test('a backup that was cut short or changed is not used', async () => {
  const broken = await copyLocation()
  const base = join(broken, backup.id, 'base.tar.zst')
  const bytes = await readFile(base)
  await writeFile(base, bytes.subarray(0, bytes.length - 1000))
  await refuses(restore(broken, { id: backup.id }), 'backup_damaged', /base\.tar\.zst has \d+ bytes instead of/)
  await refuses(restore(broken), 'restore_refused', /there is no complete backup/)
  const named = { location: broken, id: backup.id, postgres_bin: undefined }
  await refuses(verifyBackup({}, named, quiet), 'backup_damaged', /base\.tar\.zst has/)
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  await writeFile(base, flipped)
  await refuses(restore(broken), 'backup_damaged', /base\.tar\.zst (cannot be unpacked|is not the file)/)
  await rename(join(broken, backup.id, 'backup.json'), join(broken, 'aside'))
  await refuses(restore(broken, { id: backup.id }), 'backup_damaged', /it has no backup\.json: it was interrupted/)
  const [listed] = await summarizeBackups({}, broken)
  assert.deepEqual([listed?.id, listed?.state], [backup.id, 'unusable'])
  await writeFile(join(broken, backup.id, 'backup.json'), '{"object": "backup", "for')
  await refuses(restore(broken, { id: backup.id }), 'backup_damaged', /cut short or damaged/)
  await refuses(restore(broken, { id: '20200101T000000Z' }), 'restore_refused', /There is no backup 20200101T000000Z/)
})

test('a backup of a newer program, and programs of another PostgreSQL, are refused', async () => {
  const other = await copyLocation()
  await changeRecord(other, (record) => {
    record.database.serves = 999
  })
  await refuses(restore(other), 'restore_refused', /serves programs of schema 999 and newer/)
  await changeRecord(other, (record) => {
    record.format = 2
  })
  await refuses(restore(other, { id: backup.id }), 'backup_damaged', /format 2, and this program reads format 1/)
  await changeRecord(other, (record) => {
    record.format = 1
    record.database.serves = 1
    record.database.postgres_major = 9
  })
  await refuses(restore(other), 'postgres_missing', /of PostgreSQL 9\. There is none in .*Install PostgreSQL 9 /)
  const bin = await makeSharedDirectory(stack)
  await writeFile(join(bin, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 15.7"\n', { mode: 0o755 })
  const message = /is of PostgreSQL 9, and .* has PostgreSQL 15/
  await refuses(restore(other, { postgres_bin: bin }), 'wrong_postgres_version', message)
})

test('a missing segment is named, and a time before it can be restored', async () => {
  const gap = await copyLocation()
  await run(target, 'insert into marks values (clock_timestamp())')
  const names = await archiveAll(gap)
  const [name = ''] = names.slice(-1)
  await run(target, 'insert into marks values (clock_timestamp())')
  await archiveAll(gap)
  const file = join(gap, 'wal', backup.database.system_identifier, `${name}.zst`)
  await rm(file)
  await refuses(restore(gap), 'restore_failed', new RegExp(`lacks the segment ${name} of system \\d+, and has later`))
  await refuses(restore(gap, { to: '2999-01-01T00:00:00Z' }), 'restore_failed', new RegExp(`lacks the segment ${name}`))
  await writeFile(file, zstdCompressSync(Buffer.alloc(16 * 2 ** 20)))
  await refuses(restore(gap), 'backup_store_failed', new RegExp(`${name}\\.zst: it is no segment`))
  await rm(file)
  const data_directory = join(await makeSharedDirectory(stack), 'new')
  const report = await restore(gap, { to: moment, data_directory })
  assert.ok(report.first_lost_commit_at !== null && report.first_lost_commit_at > moment, JSON.stringify(report))
})

test('the archive takes a file once, and refuses another one of its name and one of another system', async () => {
  const archive = await makeSharedDirectory(stack)
  const [name = ''] = await archiveAll(archive)
  const path = join(pgData, 'pg_wal', name)
  await archiveLogFile({}, { location: archive, path, name })
  // Another cluster with the identifier of the first one: a restored copy.
  const copy = await makeSharedDirectory(stack)
  await mkdir(join(copy, 'global'))
  await mkdir(join(copy, 'pg_wal'))
  await copyFile(join(pgData, 'global/pg_control'), join(copy, 'global/pg_control'))
  const changed = await readFile(path)
  changed.writeUInt8(changed.readUInt8(9000) ^ 1, 9000)
  await writeFile(join(copy, 'pg_wal', name), changed)
  const again = () => archiveLogFile({}, { location: archive, path: join(copy, 'pg_wal', name), name })
  await refuses(again(), 'archive_refused', /has another file 0.* of this system\. A second cluster archives to it/)
  changed.writeBigUInt64LE(12n, 24)
  await writeFile(join(copy, 'pg_wal', name), changed)
  await refuses(again(), 'archive_refused', /it is of the system 12, and the cluster is the system \d+/)
  await refuses(
    archiveLogFile({}, { location: archive, path, name: '../x' }),
    'archive_refused',
    /is no name of a file/,
  )
  await refuses(
    archiveLogFile({}, { location: archive, path: '/x/y/z', name }),
    'archive_refused',
    /pg_wal of a cluster/,
  )

  const fetched = join(copy, 'pg_wal/RECOVERYXLOG')
  assert.equal(await fetchLogFile({}, { location: archive, path: fetched, name }), true)
  assert.ok((await readFile(fetched)).equals(await readFile(path)))
  assert.equal(await fetchLogFile({}, { location: archive, path: fetched, name: '0000000F.history' }), false)
})

test('without the right to replicate, or an entry of pg_hba.conf, nothing is written', async () => {
  await run(target, 'create role plain login in role bourse_app')
  const empty = await makeSharedDirectory(stack)
  const create = (url: string) =>
    createBackup({ BOURSE_DATABASE_URL: url }, { location: empty, keys_directory: undefined }, quiet)
  const lacks = /permission denied.*`alter role plain replication`.*pg_hba/s
  await refuses(create(urlOf(target, 'plain')), 'backup_refused', lacks)
  const hba = join(pgData, 'pg_hba.conf')
  const text = await readFile(hba, 'utf8')
  await writeFile(hba, text.replaceAll(/^.*replication.*$/gm, ''))
  await run(target, 'select pg_reload_conf()')
  try {
    await refuses(create(urlOf(target)), 'backup_refused', /no pg_hba\.conf entry.*`host replication bourse ADDRESS/s)
  } finally {
    await writeFile(hba, text)
    await run(target, 'select pg_reload_conf()')
  }
  assert.deepEqual(await readdir(empty), [])
})

const small = await makeSharedDirectory(stack)
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]).status === 0
stack.defer(() => void (isMounted && spawnSync('umount', ['-l', small])))

test('a full disk is named, and nothing of the backup stays', leftOut(!isMounted && 'needs root'), async () => {
  const creating = createBackup(variables, { location: small, keys_directory: undefined }, quiet)
  await refuses(creating, 'backup_store_failed', /cannot be used: the disk is full/)
  assert.deepEqual(await readdir(small), [])
})

test('two backups that begin in the same second have an id each', async () => {
  const shared = await makeSharedDirectory(stack)
  const create = () => createBackup(variables, { location: shared, keys_directory: undefined }, quiet)
  const made = await Promise.all([create(), create()])
  const listed = await summarizeBackups({}, shared)
  assert.deepEqual(
    listed.map(({ id, state }) => [id, state]),
    made.map(({ id }) => [id, 'complete']).sort(),
  )
  assert.deepEqual((await readdir(join(shared, made[0].id))).sort(), [
    'backup.json',
    'backup_manifest.zst',
    'base.tar.zst',
    'images.jsonl',
  ])
})

test('a backup whose files are removed while it is made is not reported as complete', async () => {
  const shared = await makeSharedDirectory(stack)
  await inDatabase(async (client) => {
    await client.query('begin')
    // The list of images is read last.
    await client.query('lock table images')
    const creating = createBackup(variables, { location: shared, keys_directory: undefined }, quiet)
    const refusing = refuses(creating, 'backup_damaged', /its file base\.tar\.zst is missing\. Something removed/)
    const [id = ''] = await eventually('the copy is written', async () => {
      const files = await readdir(shared, { recursive: true })
      return files.some((name) => name.endsWith('backup_manifest.zst')) && readdir(shared)
    })
    await rm(join(shared, id, 'base.tar.zst'))
    await client.query('commit')
    await refusing
  })
  assert.deepEqual(await readdir(shared), [])
})

test('a complete backup stays where the database cannot record it', async () => {
  const shared = await makeSharedDirectory(stack)
  const notes: string[] = []
  await inDatabase((client) => client.query('alter table backups rename to backups_away'))
  try {
    const options = { location: shared, keys_directory: undefined }
    const { id } = await createBackup(variables, options, (line) => void notes.push(line))
    assert.match(notes.join(), /is complete, and not recorded in the database .*: relation "backups" does not exist/)
    assert.deepEqual(
      (await summarizeBackups({}, shared)).map((one) => [one.id, one.state]),
      [[id, 'complete']],
    )
  } finally {
    await inDatabase((client) => client.query('alter table backups_away rename to backups'))
  }
})

test('settings of an earlier recovery do not end a restore, and any name of a directory will do', async () => {
  const other = await makeSharedDirectory(stack)
  await run(target, "alter system set recovery_target = 'immediate'")
  try {
    await createBackup(variables, { location: other, keys_directory: undefined }, quiet)
  } finally {
    await run(target, 'alter system reset recovery_target')
  }
  const at = await commitAround()
  await archiveAll(other)
  const home = await makeSharedDirectory(stack)
  const latest = await restore(other, { data_directory: join(home, `a "100%" $HOME 'b'`) })
  assert.ok((latest.last_commit_at ?? '') > at, JSON.stringify(latest))
  const then = await restore(other, { to: at, data_directory: join(home, 'then') })
  assert.ok((then.first_lost_commit_at ?? '') > at, JSON.stringify(then))
})

test('a copy with other contents than its record is found', async () => {
  const other = await copyLocation()
  await changeRecord(other, (record) => {
    record.contents.event_positions = '12'
    record.contents.ledger = [{ book: 'credit', rows: 1, amount_micros: '5' }]
  })
  const { checks } = await verifyBackup({}, { location: other, ...newest }, quiet)
  assert.deepEqual(
    checks.filter(({ status }) => status === 'violation').map(({ message }) => message),
    [
      'the ledger of credit has no row, and the backup had 1 rows with a sum of 5 micro-dollars',
      'the event logs have 0 events, and the backup had 12',
    ],
  )
})

test('a backup that ran over the end of a day is compared without the events of that day', async () => {
  const other = await makeSharedDirectory(stack)
  // The closing of a day writes its events anew.
  const closing = 'insert into closed_event_days select bourse_today() - 1 returning stored_on::text as day'
  const [closed] = await inDatabase(async (client) => (await client.query<{ day: string }>(closing)).rows)
  const made = await createBackup(variables, { location: other, keys_directory: undefined }, quiet)
  const path = join(other, made.id, 'backup.json')
  const record = JSON.parse(await readFile(path, 'utf8'))
  Object.assign(record.contents, closed, { event_positions: '12' })
  await writeFile(path, JSON.stringify(record))
  const { checks } = await verifyBackup({}, { location: other, ...newest }, quiet)
  assert.deepEqual(
    checks.filter(({ status }) => status === 'violation'),
    [],
  )
  assert.match(
    checks.find(({ name }) => name === 'contents')?.message ?? '',
    /cannot be compared over the end of a day/,
  )
})

test('backups and archive in a bucket are made, verified, restored and pruned', async () => {
  await using objects = await startTestObjectStore()
  const file = join(await makeSharedDirectory(stack), 'credentials.json')
  await writeFile(file, JSON.stringify(objects.credentials), { mode: 0o600 })
  const settings = { ...variables, BOURSE_S3_ENDPOINT: objects.endpoint, BOURSE_S3_CREDENTIALS_FILE: file }
  const credentials = hide(objects.credentials)
  const options = { kind: 'objects', endpoint: objects.endpoint, region: 'us-east-1', bucket: 'x', prefix: '' } as const
  await createBucketClient({ ...options, credentials }).send(new CreateBucketCommand({ Bucket: 'backups' }))
  const bucket = 's3://backups/of/bourse'
  const made = []
  for (let number = 0; number < 2; number += 1) {
    made.push(await createBackup(settings, { location: bucket, keys_directory: undefined }, quiet))
  }
  const [first, second] = made
  assert.ok(first && second && first.id < second.id)
  const names = await archiveAll(bucket, settings)
  assert.deepEqual(await archiveAll(bucket, settings).then((all) => all.slice(0, names.length)), names)
  const { checks } = await verifyBackup(settings, { location: bucket, ...newest }, quiet)
  assert.ok(checks.every(({ status }) => status !== 'violation'))
  const data_directory = join(await makeSharedDirectory(stack), 'new')
  const usual = { id: first.id, to: 'latest', timeline: undefined, postgres_bin: undefined, revoke_tokens: true }
  const report = await restoreBackup(settings, { location: bucket, data_directory, ...usual }, quiet)
  assert.equal(report.backup, first.id)
  assert.ok(existsSync(join(data_directory, 'PG_VERSION')) && !existsSync(join(data_directory, 'recovery.signal')))
  assert.deepEqual(await readdir(join(data_directory, '..')), [basename(data_directory)])
  // What an archiving that was killed leaves goes with the log beside it.
  const store = await openBackupStore(bucket, settings)
  const oldest = `wal/${first.database.system_identifier}/${names[0]}`
  await store.writeNew(`${oldest}.zst.0123456789ab.partial`, Buffer.from('cut short'))
  const pruned = await pruneBackups(settings, { location: bucket, keep: 1 })
  const archived = await store.list(dirname(oldest))
  assert.ok(archived.length > 0 && !archived.some(({ path }) => path.startsWith(oldest)), oldest)
  assert.deepEqual([pruned.backups, pruned.kept], [[first.id], 1])
  assert.ok(pruned.log_files > 0)
  const left = await summarizeBackups(settings, bucket)
  assert.deepEqual(
    left.map(({ id }) => id),
    [second.id],
  )
})
