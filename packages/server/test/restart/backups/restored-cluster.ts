/** Clusters of the tests of backups: restored ones, started as an operator does, and directories that they may use. */
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../../src/core/db/database-target.ts'
import { locatePostgres, makeRunnable } from '../../../src/core/postgres/postgres-binaries.ts'
import { makeSocketDirectory, type PostgresUser, unprivilegedUser } from '../../../src/core/postgres/postgres-place.ts'
import { launchPostmaster, stopPostmaster } from '../../../src/core/postgres/postmaster.ts'

/** The user of PostgreSQL where the tests run as root. */
export async function postgresUser(): Promise<PostgresUser | undefined> {
  return process.getuid?.() === 0 ? unprivilegedUser(undefined) : undefined
}

/** Makes a directory that the user of PostgreSQL can write. It is removed with the stack. */
export async function makeSharedDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-backups-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const user = await postgresUser()
  if (user) await chown(directory, user.uid, user.gid)
  await chmod(directory, 0o755)
  return directory
}

/** Starts a data directory with the settings that it has. */
export async function startRestored(
  stack: AsyncDisposableStack,
  { cluster, database, scratch }: { cluster: string; database: string; scratch: string },
): Promise<DatabaseTarget> {
  const user = await postgresUser()
  const copies = join(scratch, 'programs')
  const binaries = await makeRunnable(await locatePostgres(), { user, copies, log: () => {} })
  const socket_directory = await makeSocketDirectory(undefined, user)
  stack.defer(() => rm(socket_directory, { recursive: true, force: true }))
  const log_file = join(scratch, `postgres-${process.pid}.log`)
  const place = { data_directory: scratch, user, cluster, copies, log_file, socket_directory }
  const target: DatabaseTarget = { host: socket_directory, port: 5432, user: 'bourse', database, ssl: false }
  const postmaster = await launchPostmaster({ binaries, place, settings: {}, log: () => {} }, target)
  stack.defer(() => stopPostmaster(postmaster))
  return target
}
