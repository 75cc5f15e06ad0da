import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { processIdentity } from '../../src/core/postgres/process-identity.ts'
import { asAdministrator } from './database.ts'

const script = `
  const { startTestCluster } = await import(process.argv[1])
  console.log((await startTestCluster()).socket_directory)
  setInterval(() => {}, 1000)`

test('a test run that is killed leaves no PostgreSQL and no files behind', async () => {
  const module = join(import.meta.dirname, 'cluster.ts')
  const run = spawn(process.execPath, ['--input-type=module', '-e', script, module], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const host = String((await once(run.stdout, 'data'))[0]).trim()
  const target = { host, port: 5432, user: 'bourse', database: 'bourse' }
  const { pid, directory } = await asAdministrator(target, async (client) => {
    const { rows } = await client.query<{ directory: string; pid: number }>(
      `select current_setting('data_directory') as directory,
         split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`,
    )
    return rows[0] ?? assert.fail()
  })
  assert.ok(processIdentity(pid))
  run.kill('SIGKILL')
  await once(run, 'exit')
  await eventually('PostgreSQL has ended and its files are removed', () => {
    assert.deepEqual([processIdentity(pid), existsSync(directory), existsSync(host)], [undefined, false, false])
    return true
  })
})
