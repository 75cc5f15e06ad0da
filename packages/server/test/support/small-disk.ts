/**
 * A PostgreSQL whose database lies on a file system of some megabytes, which a test can fill. The file system is
 * mounted in a namespace of the PostgreSQL process, which needs no privileges where users may make namespaces.
 */
import { spawnSync } from 'node:child_process'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { fastDirectory } from '../../../../test/fast-directory.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { locatePostgres, makeRunnable } from '../../src/core/postgres/postgres-binaries.ts'
import { makeCluster } from '../../src/core/postgres/postgres-cluster.ts'
import { choosePlace, removeSocket, settleSocket, systemDirectory } from '../../src/core/postgres/postgres-place.ts'
import { launchPostmaster, stopPostmaster } from '../../src/core/postgres/postmaster.ts'
import { somebody } from './postgres-server.ts'

/** A database on a small disk. */
export type SmallDisk = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** Takes the last free page of the disk. The log of the database is on another disk. */
  fill(): Promise<void>
  /** Gives back what was taken. */
  free(): Promise<void>
}

const mount = 'mount -t tmpfs -o size="$1",mode=700 small "$2"'
// PostgreSQL refuses to run as root, which the user is inside of the first namespace.
const asUser = 'exec unshare --user --map-user=1000 --map-group=1000'

/** Why there can be no small disk here, or false. */
export const noSmallDisk =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', `${asUser} true`], { ...somebody })
    .status !== 0
    ? 'users cannot make namespaces here'
    : false

const usual = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', max_connections: '50' }
const quiet = () => {}
const diskFull = '53100'

/** Starts one. `more`: settings of PostgreSQL. */
export async function startSmallDisk(megabytes: number, more: Record<string, string> = {}): Promise<SmallDisk> {
  const settings = { ...usual, ...more }
  const data_directory = await mkdtemp(join(fastDirectory(), 'bourse-small-'))
  const place = await settleSocket(await choosePlace({ data_directory, system_directory: systemDirectory, log: quiet }))
  const binaries = await makeRunnable(await locatePostgres(), { ...place, log: quiet })
  await makeCluster(binaries.initdb, { place, settings, log: quiet, meanwhile: undefined })
  const disk = join(place.socket_directory, 'disk')
  const program = join(place.socket_directory, 'postgres')
  await mkdir(disk)
  if (place.user) await chown(disk, place.user.uid, place.user.gid)
  const inside = `${mount} && shift 2 && ${asUser} ${binaries.postgres} "$@"`
  const words = `unshare --user --map-root-user --mount sh -c '${inside}' sh ${megabytes}M ${disk} "$@"`
  await writeFile(program, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 })
  const target = { host: place.socket_directory, port: 5432, user: 'bourse', database: 'small', ssl: false as const }
  const options = { binaries: { ...binaries, postgres: program }, place, settings, log: quiet }
  const postmaster = await launchPostmaster(options, { ...target, database: 'postgres' })
  await run(target, 'postgres', `create tablespace small location '${disk}'`)
  await run(target, 'postgres', 'create database small tablespace small')
  return {
    target,
    fill: async () => {
      // An unlogged table writes no log, which would go to the other disk.
      await run(target, 'small', 'create unlogged table filler (text text)')
      await fill(target)
    },
    free: () => run(target, 'small', 'drop table filler'),
    [Symbol.asyncDispose]: async () => {
      await stopPostmaster(postmaster)
      await removeSocket(place)
      await rm(place.data_directory, { recursive: true, force: true })
      await rm(place.cluster, { recursive: true, force: true })
    },
  }
}

/** Inserts pages until there is none left: many at a time first, then one by one. */
async function fill(target: DatabaseTarget): Promise<void> {
  await fillBy(target, 128)
  await fillBy(target, 1)
}

async function fillBy(target: DatabaseTarget, pages: number): Promise<void> {
  const insert = `insert into filler select repeat('-', 1900) from generate_series(1, ${4 * pages})`
  const isFull = await run(target, 'small', insert).then(() => false, isDiskFull)
  if (!isFull) await fillBy(target, pages)
}

function isDiskFull(error: { code?: string }): true {
  if (error.code === diskFull) return true
  throw error
}

async function run({ host, port, user }: DatabaseTarget, database: string, text: string): Promise<void> {
  const client = new pg.Client({ host, port, user, database })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
