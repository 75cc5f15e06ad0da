/**
 * The PostgreSQL of the tests. The runner starts one for all test files, which run in separate processes, and
 * passes it in BOURSE_TEST_CLUSTER. A file that is run by hand starts its own, which ends with its process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastDirectory } from '../../../../test/fast-directory.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { startBundledPostgres } from '../../src/core/postgres/bundled-postgres.ts'

export type TestCluster = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** The value of BOURSE_TEST_CLUSTER. */
  readonly socket_directory: string
  /** The pid of the current postmaster, which is restarted if it dies. */
  pid(): number
}

export const clusterVariable = 'BOURSE_TEST_CLUSTER'

const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
/** Databases of tests are small: parallel workers and compiled queries only cost time. */
const smallSettings = { max_parallel_workers_per_gather: '0', jit: 'off' }

/** Starts a cluster that loses its data at a power failure, for tests that simulate crashes. */
export async function startTestCluster(): Promise<TestCluster> {
  return startCluster({ ...unsafeSettings, ...smallSettings, max_connections: '300' }, fastDirectory())
}

/** Starts a cluster with production settings, for tests that kill processes or check settings. */
export function startDurableCluster(settings: Record<string, string> = {}): Promise<TestCluster> {
  return startCluster({ max_connections: '300', ...settings }, tmpdir())
}

let shared: Promise<DatabaseTarget> | undefined

/** The cluster of the test run, or the one of this file. */
export function testCluster(): Promise<DatabaseTarget> {
  shared ??= findOrStart()
  return shared
}

async function findOrStart(): Promise<DatabaseTarget> {
  const host = process.env[clusterVariable]
  if (host) return { host, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
  // The end of this process stops the cluster, and no handle stays open. A hook would stop it after the first file.
  return (await startTestCluster()).target
}

async function startCluster(settings: Record<string, string>, parent: string): Promise<TestCluster> {
  const directory = await mkdtemp(join(parent, 'bourse-test-'))
  const postgres = await startBundledPostgres({ data_directory: directory, log: () => {}, settings })
  const watchdog = afterOurDeath(directory, postgres.target.host)
  return {
    target: postgres.target,
    socket_directory: postgres.target.host,
    pid: () => postgres.pid,
    [Symbol.asyncDispose]: async () => {
      await postgres.stop()
      watchdog.ref()
      watchdog.stdin.end()
      await once(watchdog, 'exit')
    },
  }
}

/**
 * Stops the cluster and removes its files when this process ends, even by SIGKILL, because its end closes the pipe.
 * `bourse start` leaves PostgreSQL running for the next start to adopt. A test run has no next start.
 */
function afterOurDeath(directory: string, socket_directory: string) {
  const stop = 'cat; kill -INT "$(head -n 1 "$1/postgres/postmaster.pid")"'
  const remove = 'for try in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" "$2" && exit; sleep 0.1; done'
  const watchdog = spawn('/bin/sh', ['-c', `${stop}; ${remove}`, 'sh', directory, socket_directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  ;(watchdog.stdin as Socket).unref()
  return watchdog
}
