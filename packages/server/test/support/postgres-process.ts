/**
 * A process with only the database part of a server, for tests that kill it. It locks a data directory, starts or
 * adopts PostgreSQL, prints one line of JSON, and stops when its input ends.
 */

import { isStartProblem } from '../../src/core/base/start-problem.ts'
import { startBundledPostgres } from '../../src/core/postgres/bundled-postgres.ts'
import { lockDataDirectory } from '../../src/core/postgres/data-directory.ts'

type PostgresOrder = { data_directory: string; package_directory?: string; system_directory?: string; exit?: boolean }

const order = JSON.parse(process.argv[2] ?? '') as PostgresOrder
const output: string[] = []

async function serve(): Promise<void> {
  process.on('SIGINT', () => console.log(JSON.stringify({ interrupted: true })))
  await using lock = await lockDataDirectory(order.data_directory)
  await using postgres = await startBundledPostgres({
    ...order,
    data_directory: lock.path,
    log: (message) => output.push(message),
    settings: { fsync: 'off' },
  })
  const { pid, adopted, directory, target } = postgres
  console.log(JSON.stringify({ server: process.pid, pid, adopted, directory, host: target.host, said: output }))
  if (order.exit) process.exit()
  await new Promise<void>((resolve) => {
    process.stdin.on('end', resolve).resume()
  })
}

try {
  await serve()
} catch (error) {
  if (!isStartProblem(error)) throw error
  console.log(JSON.stringify({ problem: error.code, message: error.message, said: output }))
}
