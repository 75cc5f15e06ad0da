/**
 * A production installation is backed up under load, loses its data directory, and is restored: to a moment between two
 * known writes, and to the end of its archive. Real processes: servers, PostgreSQL with its archiver, and the commands.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { ensureKeyFiles } from '../../src/core/keys/key-files.ts'
import { startDurableCluster, type TestCluster } from '../support/cluster.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { makeSshKey } from '../support/fixtures/ssh-keys.ts'
import { connectTo, type TestServer } from '../support/server.ts'
import { makeSharedDirectory, startRestored } from './backups/restored-cluster.ts'
import { startLoad } from './upgrade/load.ts'
import { runBourse, type ServerVariables, startReplica } from './upgrade/production.ts'
import { repository } from './upgrade/program-trees.ts'

type RestoredRow = Record<string, unknown>

const programFile = join(repository, 'packages/cli/bin/bourse.mjs')

test('a lost database is restored to a moment and to the end of its archive', async () => {
  await using stack = new AsyncDisposableStack()
  const location = await makeSharedDirectory(stack)
  const home = await makeSharedDirectory(stack)
  const archive = `'${process.execPath}' '${programFile}' backup archive-wal '${location}' "%p" "%f"`
  const settings = { archive_mode: 'on', archive_command: archive, track_commit_timestamp: 'on' }
  const cluster = await startDurableCluster(settings)
  const { target } = cluster
  const keys = await ensureKeyFiles(join(home, 'keys'), 'operator')
  const variables = variablesOf(target, home, keys)
  const bourse = async (words: readonly string[], more: ServerVariables = {}) => {
    const ended = await runBourse(repository, [...words, '--json'], { ...variables, ...more })
    assert.equal(ended.code, 0, `${words.join(' ')}: ${ended.err}${ended.out}`)
    return JSON.parse(ended.out)
  }
  const { token: platform_token } = await bourse(['tokens', 'create', '--platform'])

  const lost = await lose(cluster, { variables, platform_token, location, home, bourse })

  const moment = ['restore', location, '--to', lost.moment, '--data-directory', join(home, 'moment')]
  const restored = await bourse(moment)
  assert.equal(restored.backup, lost.backup)
  assert.ok(restored.first_lost_commit_at > lost.moment, JSON.stringify(restored))
  assert.ok(restored.last_commit_at <= lost.moment, JSON.stringify(restored))
  assert.deepEqual([restored.timeline, restored.history], [2, 2])
  const before = await startRestored(stack, { cluster: join(home, 'moment'), database: 'bourse', scratch: home })
  assert.deepEqual(await readLedger(before), lost.ledgerAtMoment)
  assert.ok(lost.ledgerAtMoment.length > 0 && lost.ledger.length > lost.ledgerAtMoment.length)
  await requireLostFuture(before, lost, variables)

  await bourse(['restore', location, '--to', 'latest', '--data-directory', join(home, 'latest')])
  const latest = await startRestored(stack, { cluster: join(home, 'latest'), database: 'bourse', scratch: home })
  assert.deepEqual(await readLedger(latest), lost.ledger)
})

type Loss = {
  readonly backup: string
  readonly moment: string
  readonly ledgerAtMoment: RestoredRow[]
  readonly ledger: RestoredRow[]
  /** A token that was made before the moment and one from after it, each with the newest cursor of then. */
  readonly kept: Door
  readonly lost: Door
  /** The token of the account of both. */
  readonly reader: string
  readonly platform_token: string
}

type Door = { readonly token: string; readonly cursor: string }

type Losing = {
  readonly variables: ServerVariables
  readonly platform_token: string
  readonly location: string
  readonly home: string
  readonly bourse: (words: readonly string[]) => Promise<any>
}

/** Backs a cluster up under load, goes on, archives the rest of its log, and removes it with its data directory. */
async function lose(cluster: TestCluster, given: Losing): Promise<Loss> {
  const { variables, platform_token, location, home, bourse } = given
  const { target } = cluster
  const replica = await startReplica(repository, variables)
  const server = connectTo({ url: replica.url, platform_token })
  const account = await server.account()
  const load = await startLoad(server)
  await load.more(10)
  const backup = await bourse(['backup', 'create', location, '--keys', join(home, 'keys')])
  await load.more(10)

  await grantCredit(server, account.id, '11.000000')
  const kept = await makeDoor(server, account.token)
  const moment = await ask<{ moment: string }>(
    target,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment`,
  )
  await grantCredit(server, account.id, '22.000000')
  const lost = await makeDoor(server, account.token)
  await load.more(10)
  await load.stop()
  assert.deepEqual(load.failures, [])
  await load[Symbol.asyncDispose]()
  assert.equal(await replica.stop(), 0)

  const { moment: at = '' } = moment[0] ?? {}
  const ledgerAtMoment = await readLedger(target, `where pg_xact_commit_timestamp(xmin) <= '${at}'::timestamptz`)
  const ledger = await readLedger(target)
  const ended = await ask<{ file: string }>(target, 'select pg_walfile_name(pg_switch_wal()) as file')
  await eventually('the rest of the log is archived', async () => {
    const [row] = await ask<{ last: string }>(target, 'select last_archived_wal as last from pg_stat_archiver')
    return (row?.last ?? '') >= (ended[0]?.file ?? '')
  })
  const { data } = (await bourse(['backup', 'verify', location])) as { data: { status: string }[] }
  assert.deepEqual(
    data.filter(({ status }) => status === 'violation'),
    [],
  )
  const [recorded] = await ask<{ count: string }>(target, 'select count(verified_at) as count from backups')
  assert.equal(recorded?.count, '1')
  const [directory] = await ask<{ path: string }>(target, "select current_setting('data_directory') as path")
  await cluster[Symbol.asyncDispose]()
  await rm(directory?.path ?? '', { recursive: true, force: true })
  assert.ok(directory && !existsSync(directory.path))
  return { backup: backup.id, moment: at, ledgerAtMoment, ledger, kept, lost, reader: account.token, platform_token }
}

/** A new token of an account, and the newest cursor of its events. */
async function makeDoor(server: TestServer, token: string): Promise<Door> {
  const made = await server.call('create_token', { token, body: { name: `door-${doors}` } })
  await makeSshKey(server, { token }, `door-${doors++}`)
  const { data } = await server.call('list_events', { token, query: { limit: 100 } })
  assert.ok(data.length > 0)
  return { token: made.token, cursor: data.at(-1).cursor }
}

let doors = 0

/** On the restored database cursors of the lost future are 410, its tokens 401. What was before is as before. */
async function requireLostFuture(target: DatabaseTarget, loss: Loss, usual: ServerVariables): Promise<void> {
  const { kept, lost, reader, platform_token } = loss
  const variables = { ...usual, BOURSE_DATABASE_URL: urlOf(target) }
  await using replica = await startReplica(repository, variables)
  const server = connectTo({ url: replica.url, platform_token })
  const read = async (cursor: string) => {
    const response = await server.request('GET', `/preview/v2/events?starting_after=${cursor}`, { token: reader })
    return response.status
  }
  assert.equal(await read(kept.cursor), 200)
  assert.equal(await read(lost.cursor), 410)
  assert.equal((await server.request('GET', '/preview/v2/account', { token: kept.token })).status, 200)
  assert.equal((await server.request('GET', '/preview/v2/account', { token: lost.token })).status, 401)
  const doctor = await runBourse(repository, ['doctor', '--now', '--json'], variables)
  assert.equal(doctor.code, 0, doctor.err)
  const { data } = JSON.parse(doctor.out) as { data: { name: string; status: string; message: string }[] }
  assert.match(data.find(({ name }) => name === 'history')?.message ?? '', /history 2 began/)
  assert.equal(data.find(({ name }) => name === 'backup')?.status, 'ok')
}

async function readLedger(target: DatabaseTarget, condition = ''): Promise<RestoredRow[]> {
  return ask<RestoredRow>(target, `select * from ledger ${condition} order by id`)
}

async function ask<R extends object>({ host, port, user, database }: DatabaseTarget, text: string): Promise<R[]> {
  const client = new pg.Client({ host, port, user, database })
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end()
  }
}

function urlOf({ user, database, host }: DatabaseTarget): string {
  return `postgres://${user}@/${database}?host=${host}`
}

function variablesOf(
  target: DatabaseTarget,
  home: string,
  { signing, master, cursor }: { signing: string; master: string; cursor: string },
): ServerVariables {
  return {
    BOURSE_DATABASE_URL: urlOf(target),
    BOURSE_PUBLIC_URL: 'https://market.example',
    BOURSE_SIGNING_KEYS_FILE: signing,
    BOURSE_MASTER_KEY_FILE: master,
    BOURSE_CURSOR_KEYS_FILE: cursor,
    BOURSE_PORT: '0',
    BOURSE_METRICS_PORT: '0',
    BOURSE_WORKERS: '1',
    BOURSE_DATA_DIR: join(home, 'data'),
  }
}
