/**
 * The PostgreSQL that tests run on. The runner starts one for all test files, which are processes of their own, and names
 * it in BOURSE_TEST_CLUSTER; a file that is run by hand makes its own and stops it at the end.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startBundledPostgres } from '../../src/core/bundled-postgres.ts'
import type { DatabaseTarget } from '../../src/core/database-target.ts'

export type TestCluster = AsyncDisposable & {
  readonly target: DatabaseTarget
  /** For BOURSE_TEST_CLUSTER. */
  readonly socket_directory: string
}

export const clusterVariable = 'BOURSE_TEST_CLUSTER'

const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A cluster that forgets everything at a power cut, for tests whose crashes are simulated. */
export function startTestCluster(): Promise<TestCluster> {
  return startCluster({ ...unsafeSettings, max_connections: '300' })
}

/** A cluster with the settings of production, for tests that kill processes or judge settings. */
export function startDurableCluster(): Promise<TestCluster> {
  return startCluster({ max_connections: '300' })
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
  const cluster = await startTestCluster()
  // Inside a running test `after` would belong to that test alone, so the end of the process stops it too.
  after(() => cluster[Symbol.asyncDispose]())
  return cluster.target
}

async function startCluster(settings: Record<string, string>): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-test-'))
  const postgres = await startBundledPostgres({ data_directory: directory, log: () => {}, settings })
  return {
    target: postgres.target,
    socket_directory: postgres.target.host,
    [Symbol.asyncDispose]: async () => {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
