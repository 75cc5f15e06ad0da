/**
 * The PostgreSQL that tests run on. The runner starts one for all test files, which are processes of their own, and
 * names it in BOURSE_TEST_CLUSTER; a file that is run by hand makes its own, which ends with its process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, statfs } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { startBundledPostgres } from '../../src/core/postgres/bundled-postgres.ts'

export type TestCluster = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** For BOURSE_TEST_CLUSTER. */
  readonly socket_directory: string
  /** Of the postmaster that runs now. One that dies is started again. */
  pid(): number
}

export const clusterVariable = 'BOURSE_TEST_CLUSTER'

const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
/** Databases of tests are small: workers and compiled code for their queries only cost time. */
const smallSettings = { max_parallel_workers_per_gather: '0', jit: 'off' }

/** A cluster that forgets everything at a power cut, for tests whose crashes are simulated. */
export async function startTestCluster(): Promise<TestCluster> {
  return startCluster({ ...unsafeSettings, ...smallSettings, max_connections: '300' }, await fastDirectory())
}

/** A cluster with the settings of production, for tests that kill processes or check settings. */
export function startDurableCluster(settings: Record<string, string> = {}): Promise<TestCluster> {
  return startCluster({ max_connections: '300', ...settings }, tmpdir())
}

let shared: Promise<DatabaseTarget> | undefined

/** The run's cluster, or this file's own. */
export function testCluster(): Promise<DatabaseTarget> {
  shared ??= findOrStart()
  return shared
}

async function findOrStart(): Promise<DatabaseTarget> {
  const host = process.env[clusterVariable]
  if (host) return { host, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
  // It holds no handle open, and the end of this process stops it: `after` would end it with the test that asked first.
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
 * Stops the cluster and removes its files when this process is gone, even by SIGKILL: its end closes the pipe. What
 * `bourse start` leaves running for the next start to adopt, nobody would adopt here.
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

/** Memory where there is plenty: making 300 files took 3 ms there and up to 300 on a disk with many deleted ones. */
async function fastDirectory(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > 3e9 ? '/dev/shm' : tmpdir()
}
