import { clusterVariable, startTestCluster } from '../../packages/server/test/support/cluster.ts'

/** Starts the PostgreSQL of a run before its tests, and stops it after them. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  return async () => cluster[Symbol.asyncDispose]()
}
