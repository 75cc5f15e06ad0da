/**
 * A primary and a standby from the bundled programs. Each pair is a copy of one stopped cluster, so it starts in a
 * fraction of a second. A test kills the primary and promotes the standby.
 */
import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { eventually } from '../../../../../test/eventually.ts'
import { fastDirectory } from '../../../../../test/fast-directory.ts'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'
import { locatePostgres, makeRunnable } from '../../../src/core/postgres/postgres-binaries.ts'
import { makeCluster } from '../../../src/core/postgres/postgres-cluster.ts'
import {
  choosePlace,
  removeSocket,
  type SettledPlace,
  settleSocket,
  systemDirectory,
} from '../../../src/core/postgres/postgres-place.ts'
import { isRunning, launchPostmaster, type Postmaster, stopPostmaster } from '../../../src/core/postgres/postmaster.ts'

/** A stopped cluster that is copied for each pair. */
export type ClusterTemplate = AsyncDisposable & { readonly database: string; readonly cluster: string }

/** A pair of servers. Requests go to the primary first. */
export type DatabasePair = AsyncDisposable & {
  /** Both addresses, as a URL with two hosts gives them. */
  readonly target: DatabaseTarget
  /** Resolves once the standby has everything that is committed now. */
  catchUp(): Promise<void>
  /** Stops the replication: what is committed from now on is lost with the primary. */
  cut(): Promise<void>
  /** Kills the primary with all its processes. */
  killPrimary(): void
  promote(): Promise<void>
  /** Starts the killed primary again, which accepts writes as before. */
  startReplaced(): Promise<void>
  /** Stops the promoted standby, and starts it again. */
  stopSuccessor(): Promise<void>
  startSuccessor(): Promise<void>
  /** Replaces the killed primary by the template, as a restore without recovery does. */
  restore(): Promise<void>
}

type PairNode = { readonly place: SettledPlace; readonly target: DatabaseTarget; postmaster: Postmaster | undefined }

/** Settings of PostgreSQL beside those of all pairs. */
type MoreSettings = Readonly<Record<string, string>>

const run = promisify(execFile)
const quiet = () => {}
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '100',
  shared_buffers: '32MB',
  max_parallel_workers_per_gather: '0',
  wal_receiver_status_interval: '1s',
  // A standby that starts before its primary tries again soon.
  wal_retrieve_retry_interval: '50ms',
}

/** Creates a cluster, lets `fill` write to its database, and stops it. */
export async function makeTemplate(
  database: string,
  fill: (target: DatabaseTarget) => Promise<void>,
  more: MoreSettings = {},
): Promise<ClusterTemplate> {
  const node = await makeNode(database)
  const { initdb } = await makeRunnable(await locatePostgres(), { ...node.place, log: quiet })
  await makeCluster(initdb, { place: node.place, settings, log: quiet, meanwhile: undefined })
  await start(node, more)
  await fill(node.target)
  await stop(node)
  return {
    database,
    cluster: node.place.cluster,
    [Symbol.asyncDispose]: () => remove(node),
  }
}

/** Starts a pair. With `synchronous`, commits wait for the standby. `more`: what every start of both sets. */
export async function startPair(
  { database, cluster }: ClusterTemplate,
  { synchronous, more = {} }: { synchronous: boolean; more?: MoreSettings },
): Promise<DatabasePair> {
  const [first, second] = await Promise.all([makeNode(database), makeNode(database)])
  await Promise.all([first, second].map(({ place }) => run('cp', ['-a', cluster, place.cluster])))
  const names = synchronous ? { synchronous_standby_names: 'second' } : {}
  await followPrimary(second, first)
  await Promise.all([start(first, { ...more, ...names }), start(second, more)])
  const { host, port } = second.target
  return {
    target: { ...first.target, others: [{ host, port }] },
    catchUp: async () => {
      const [{ end }] = await ask<{ end: string }>(first, 'select pg_current_wal_flush_lsn()::text as end')
      const hasAll = async () => {
        const text = `select pg_last_wal_replay_lsn() >= '${end}'::pg_lsn as done`
        return (await ask<{ done: boolean }>(second, text))[0].done
      }
      await eventually('the standby has everything', hasAll)
    },
    cut: async () => {
      await ask(second, "alter system set primary_conninfo = ''")
      await ask(second, 'select pg_reload_conf()')
      const isCut = async () =>
        (await ask<{ pid: number }>(second, 'select pid from pg_stat_wal_receiver')).length === 0
      await eventually('the replication ends', isCut)
    },
    killPrimary: () => void process.kill(-(first.postmaster as Postmaster).pid, 'SIGKILL'),
    promote: async () => void (await ask(second, 'select pg_promote(true, 30)')),
    startReplaced: async () => {
      await eventually('the killed primary is gone', () => !isRunning(first.postmaster as Postmaster))
      await start(first, more)
    },
    stopSuccessor: () => stop(second),
    startSuccessor: () => start(second, more),
    restore: async () => {
      await stop(second)
      await eventually('the killed primary is gone', () => !isRunning(first.postmaster as Postmaster))
      await rm(first.place.cluster, { recursive: true })
      await run('cp', ['-a', cluster, first.place.cluster])
      await start(first, more)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([first, second].map(stop))
      await Promise.all([first, second].map(remove))
    },
  }
}

async function makeNode(database: string): Promise<PairNode> {
  const data_directory = await mkdtemp(join(fastDirectory(), 'bourse-pair-'))
  const place = await settleSocket(await choosePlace({ data_directory, system_directory: systemDirectory, log: quiet }))
  const target = { host: place.socket_directory, port: 5432, user: 'bourse', database, ssl: false as const }
  return { place, target, postmaster: undefined }
}

async function followPrimary({ place }: PairNode, { target }: PairNode): Promise<void> {
  const { cluster, user } = place
  const signal = join(cluster, 'standby.signal')
  const more = join(cluster, 'postgresql.auto.conf')
  const primary = `host=${target.host} port=${target.port} user=${target.user} application_name=second`
  await writeFile(signal, '')
  await writeFile(more, `primary_conninfo = '${primary}'\n`)
  if (user) await Promise.all([signal, more].map((file) => chown(file, user.uid, user.gid)))
}

async function start(node: PairNode, more: MoreSettings): Promise<void> {
  const binaries = await makeRunnable(await locatePostgres(), { ...node.place, log: quiet })
  const options = { binaries, place: node.place, settings: { ...settings, ...more }, log: quiet }
  node.postmaster = await launchPostmaster(options, node.target)
}

async function stop(node: PairNode): Promise<void> {
  if (node.postmaster) await stopPostmaster(node.postmaster)
  node.postmaster = undefined
}

async function remove({ place }: PairNode): Promise<void> {
  await removeSocket(place)
  await rm(place.data_directory, { recursive: true, force: true })
  await rm(place.cluster, { recursive: true, force: true })
}

async function ask<R extends object>({ target }: PairNode, text: string): Promise<[R, ...R[]]> {
  const { host, port, user, database } = target
  const client = new pg.Client({ host, port, user, database })
  await client.connect()
  try {
    return (await client.query(text)).rows as [R, ...R[]]
  } finally {
    await client.end()
  }
}
