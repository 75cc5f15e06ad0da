/** A backup and a restore that are killed: what they leave says so, is not used, and is in nobody's way. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { claimText } from '../../src/core/backup/backup-record.rules.ts'
import { wallMilliseconds } from '../../src/core/base/clock.ts'
import { type DatabaseTarget, parseDatabaseUrl } from '../../src/core/db/database-target.ts'
import { makeSharedDirectory } from './backups/restored-cluster.ts'
import { installProduction, runBourse, type ServerVariables } from './upgrade/production.ts'
import { repository } from './upgrade/program-trees.ts'

/** So many bytes of the database pass. A copy of an empty one has fifty times as many. */
const passedBytes = 2_000_000

/** A way to the database that stops after some bytes, as a connection that hangs. Returns its port. */
async function openHangingWay(stack: AsyncDisposableStack, { host }: Pick<DatabaseTarget, 'host'>): Promise<number> {
  let passed = 0
  const server = createServer((near) => {
    const far = connect(join(host, '.s.PGSQL.5432'))
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far)
    far.on('data', (bytes: Buffer) => {
      passed += bytes.length
      if (passed > passedBytes) far.pause()
      else near.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Starts a command that will be killed. */
function begin(stack: AsyncDisposableStack, words: readonly string[], variables: ServerVariables): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const program = join(repository, 'packages/cli/bin/bourse.mjs')
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' })
  stack.defer(() => void child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null, 'it ended before it was killed')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Programs of a PostgreSQL that writes its pid to the file `started`, and never becomes ready. */
async function makeSleepingPrograms(places: string): Promise<string> {
  const bin = join(places, 'bin')
  await mkdir(bin)
  const script = `#!/bin/sh
[ "$1" = --version ] && echo "postgres (PostgreSQL) 18.4" && exit
echo $$ > "$2/postmaster.pid"
echo $$ > "${places}/started"
exec sleep 600
`
  await writeFile(join(bin, 'postgres'), script, { mode: 0o755 })
  await writeFile(join(places, 'started'), '')
  await chmod(join(places, 'started'), 0o666)
  return bin
}

test('a killed backup is no backup, and a killed restore leaves no data directory', async () => {
  await using stack = new AsyncDisposableStack()
  const { variables, cluster } = await installProduction(stack)
  const location = await makeSharedDirectory(stack)
  const places = await makeSharedDirectory(stack)
  const bourse = async (words: readonly string[], code = 0) => {
    const ended = await runBourse(repository, [...words, '--json'], variables)
    assert.equal(ended.code, code, `${words.join(' ')}: ${ended.err}${ended.out}`)
    return code === 0 ? JSON.parse(ended.out) : ended.err + ended.out
  }
  await bourse(['tokens', 'create', '--platform'])

  const port = await openHangingWay(stack, cluster.target)
  const { user, database } = parseDatabaseUrl(variables.BOURSE_DATABASE_URL ?? '')
  const slow = { ...variables, BOURSE_DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}` }
  const creating = begin(stack, ['backup', 'create', location], slow)
  await eventually('the copy is being written', async () => {
    const files = await readdir(location, { recursive: true })
    return files.some((name) => name.includes('base.tar.zst'))
  })
  await kill(creating)
  await eventually('the server keeps no log for the killed copy', async () => {
    const client = new pg.Client({ ...cluster.target, database: 'postgres' })
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_replication_slots').finally(() => client.end())
    return rowCount === 0
  })
  const { data: unusable } = await bourse(['backup', 'list', location])
  assert.deepEqual([unusable.length, unusable[0].state], [1, 'unusable'])
  assert.match(unusable[0].problem, /no backup\.json: it was interrupted/)
  const { id } = await bourse(['backup', 'create', location])
  const prune = async () => (await bourse(['backup', 'prune', location, '--keep', '1'])).backups
  assert.deepEqual(await prune(), [], 'it may still run')
  await writeFile(join(location, unusable[0].id, 'claim'), claimText(wallMilliseconds() - 3_600_000))
  assert.deepEqual(await prune(), [unusable[0].id])
  assert.deepEqual(await readdir(location), [id])

  // PostgreSQL of the restore that is killed never starts to replay.
  const bin = await makeSleepingPrograms(places)
  const place = join(places, 'new')
  const words = ['restore', location, '--to', 'latest', '--data-directory', place]
  const startRestoring = async () => {
    await writeFile(join(places, 'started'), '')
    const restoring = begin(stack, [...words, '--postgres-bin', bin], variables)
    const pid = await eventually('PostgreSQL starts', async () => {
      const text = await readFile(join(places, 'started'), 'utf8')
      return /^[1-9]\d*\n$/.test(text) && Number(text)
    })
    return { restoring, pid }
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { restoring, pid } = await startRestoring()
    const ended = once(restoring, 'exit')
    restoring.kill(signal)
    await ended
    assert.ok(!existsSync(`${place}.restoring`), `${signal} leaves nothing`)
    await eventually('PostgreSQL ends too', async () => !existsSync(`/proc/${pid}`))
  }
  const { restoring, pid } = await startRestoring()
  await kill(restoring)
  process.kill(pid, 'SIGKILL')
  assert.ok(!existsSync(place), 'nothing is where a data directory is expected')
  assert.match(await bourse(words, 1), /new\.restoring exists: another restore runs, or one was interrupted/)
  await rm(`${place}.restoring`, { recursive: true })
  assert.equal((await bourse(words)).backup, id)
  assert.ok(existsSync(join(place, 'PG_VERSION')))
})
