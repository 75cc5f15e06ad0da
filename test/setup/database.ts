import { clusterVariable, startTestCluster } from '../../packages/server/test/support/cluster.ts'
import { asAdministrator } from '../../packages/server/test/support/database.ts'
import { measureMachine } from '../machine-factor.ts'

/** Starts the PostgreSQL of a run before its tests, and stops it after them. Measures how fast both are together. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  await asAdministrator(cluster.target, (client) => measureMachine(() => client.query('select 1')))
  return async () => cluster[Symbol.asyncDispose]()
}
