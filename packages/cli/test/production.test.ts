import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually, limitSeconds } from '../../../test/eventually.ts'
import { createClient } from '../../sdk/src/client.ts'
import { AuthenticationError, NotFoundError } from '../../sdk/src/errors.ts'
import { ensureKeyFiles } from '../../server/src/core/keys/key-files.ts'
import { startDurableCluster } from '../../server/test/support/cluster.ts'
import { createEmptyDatabase } from '../../server/test/support/database.ts'
import { bourse, newDirectory } from './sandbox-process.ts'

const cluster = await startDurableCluster()
const database = await createEmptyDatabase({ cluster: cluster.target })
let server: ChildProcess | undefined
let platformToken = ''
let serverUrl = ''
let metricsUrl = ''
afterAll(async () => {
  if (server && server.exitCode === null) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await database[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const home = newDirectory()
/** Long enough to ask the server once more after it has said that it is not ready. */
const drainSeconds = limitSeconds(0.5)
const made = await bourse(['keys', 'create', join(home, 'keys')], {})
const keys = Object.fromEntries(made.out.split('\n').map((line) => line.split('='))) as Record<string, string>
const settings = {
  BOURSE_DATABASE_URL: `postgres://${database.target.user}@/${database.target.database}?host=${database.target.host}`,
  BOURSE_PUBLIC_URL: 'https://market.example',
  BOURSE_SIGNING_KEYS_FILE: keys.BOURSE_SIGNING_KEYS_FILE ?? '',
  BOURSE_MASTER_KEY_FILE: keys.BOURSE_MASTER_KEY_FILE ?? '',
  BOURSE_CURSOR_KEYS_FILE: keys.BOURSE_CURSOR_KEYS_FILE ?? '',
  BOURSE_PORT: '0',
  BOURSE_METRICS_PORT: '0',
  BOURSE_WORKERS: '1',
  BOURSE_DATA_DIR: newDirectory(),
  BOURSE_DRAIN_SECONDS: `${drainSeconds}`,
  BOURSE_REPLICA_NAME: 'first',
}

/** What the last server wrote to standard error. */
let log = () => ''

/** Starts `bourse serve`. Returns its address. */
function serve(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/bourse.mjs'), 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  server = child
  let said = ''
  log = () => said
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (part) => {
      said += part
      const [, url, metrics] = /Serving at (\S+)\. Metrics at (\S+)\."/.exec(said) ?? []
      metricsUrl = metrics ?? ''
      if (url) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`bourse serve exited with ${code}: ${said}`)))
  })
}

test('production does not start without its settings, and names the first missing one', async () => {
  for (const name of ['BOURSE_DATABASE_URL', 'BOURSE_PUBLIC_URL', 'BOURSE_SIGNING_KEYS_FILE']) {
    const { code, out, err } = await bourse(['serve'], { ...settings, [name]: '' })
    assert.deepEqual([code, out], [1, ''])
    const lines = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { level, replica, code: problem, msg } = lines.at(-1)
    assert.deepEqual([lines.length, level, replica], [1, 50, 'first'])
    assert.match(problem, /^[a-z_]+$/)
    assert.match(msg, new RegExp(`Set ${name}`))
  }
})

test('the doctor names the role that a server without it lacks', async () => {
  const { code, out } = await bourse(['doctor', '-o', 'json'], settings)
  assert.equal(code, 1)
  const checks: { name: string; status: string; message: string }[] = JSON.parse(out).data
  const [violated] = checks.filter(({ status }) => status === 'violation')
  assert.match(violated?.message ?? '', /^The role bourse_app, which the program runs as, does not exist/)
})

test('key files are readable by their owner only, and never overwritten', async () => {
  assert.equal(made.code, 0, made.err)
  for (const file of Object.values(keys).filter(Boolean)) assert.equal(statSync(file).mode & 0o777, 0o600, file)
  const before = readFileSync(settings.BOURSE_MASTER_KEY_FILE, 'utf8')
  const again = await bourse(['keys', 'create', join(home, 'keys')], {})
  assert.deepEqual([again.code, again.out], [2, ''])
  assert.match(again.err, /is not empty/)
  assert.equal(readFileSync(settings.BOURSE_MASTER_KEY_FILE, 'utf8'), before)
})

test('keys of a sandbox are refused', async () => {
  const { signing } = await ensureKeyFiles(newDirectory(), 'sandbox')
  const { code, err } = await bourse(['serve'], { ...settings, BOURSE_SIGNING_KEYS_FILE: signing })
  assert.equal(code, 1)
  assert.match(err, /created by a sandbox/)
})

test('the first person of the platform gets a link, another one, and nobody else does', async () => {
  // The unit of several servers may name their store of images where commands do not see it.
  const several = { ...settings, BOURSE_REPLICAS: '2' }
  const person = (email: string, ...rest: string[]) =>
    bourse(['tokens', 'create', '--platform', '--person', email, '--json', ...rest], several)
  const [first, second] = [await person('root@market.example'), await person('ROOT@market.example')]
  assert.equal(first.code, 0, first.err)
  assert.equal(second.code, 0, second.err)
  const { url, account } = JSON.parse(first.out)
  assert.equal(account, 'bourse')
  assert.match(url, new RegExp(`^${settings.BOURSE_PUBLIC_URL}/sign-in/`))
  assert.notEqual(JSON.parse(second.out).url, url)
  const other = await person('other@market.example')
  assert.deepEqual([other.code, other.out], [1, ''])
  assert.match(other.err, /already has an admin/)
  assert.equal((await person('nobody')).code, 2)
  const alone = await bourse(['tokens', 'create', '--person', 'root@market.example'], settings)
  assert.deepEqual([alone.code, alone.out], [2, ''])
})

test('no first token is created at a server of the database that was replaced', async () => {
  const client = new pg.Client(database.target)
  await client.connect()
  const { rows } = await client.query('select system_identifier::text from pg_control_system()')
  const BOURSE_DATA_DIR = newDirectory()
  writeFileSync(join(BOURSE_DATA_DIR, 'database-server.json'), JSON.stringify({ ...rows[0], timeline: 9 }))
  const { code, out, err } = await bourse(['tokens', 'create', '--platform'], { ...settings, BOURSE_DATA_DIR })
  // The record that the server has now would stop the next programs too.
  await client.query('delete from fences')
  await client.end()
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /was replaced: .*this program has used timeline 9/)
})

test('the first platform token is created directly in the database, once, and the server accepts it', async () => {
  const made = await bourse(['tokens', 'create', '--platform', '--json'], settings)
  assert.equal(made.code, 0, made.err)
  const { token, account } = JSON.parse(made.out)
  platformToken = token
  assert.equal(account, 'bourse')
  const again = await bourse(['tokens', 'create', '--platform'], settings)
  assert.deepEqual([again.code, again.out], [1, ''])
  assert.match(again.err, /already has an admin/)

  const baseUrl = await serve()
  serverUrl = baseUrl
  for (const url of [baseUrl, metricsUrl]) assert.match(url, /^http:\/\/127\.0\.0\.1:\d+/)
  assert.match(await (await fetch(metricsUrl)).text(), /^bourse_/m)
  const client = createClient({ baseUrl, token })
  const me = await client.account.get()
  assert.deepEqual([me.is_platform, me.server.mode], [true, 'production'])
  await assert.rejects(client.clock.get(), NotFoundError)
  await assert.rejects(createClient({ baseUrl, token: 'not.a.token' }).account.get(), AuthenticationError)
  const connection = { BOURSE_BASE_URL: baseUrl, BOURSE_API_TOKEN: token }
  const examined = await bourse(['doctor', '-o', 'json'], { ...settings, ...connection })
  assert.equal(examined.code, 0, examined.out)
  const protection = (out: string) =>
    JSON.parse(out).data.filter(({ name }: { name: string }) => name === 'protection') as { message: string }[]
  assert.match(protection(examined.out)[0]?.message ?? '', /^no setting gives up/)
  const open = { BOURSE_HOST: '0.0.0.0', BOURSE_INSECURE_METRICS_HOST: '0.0.0.0' }
  const noted = await bourse(['doctor', '-o', 'json'], { ...settings, ...open })
  assert.equal(protection(noted.out).length, 2)
})

test('an http public URL of another machine is refused', async () => {
  const { code, err } = await bourse(['serve'], { ...settings, BOURSE_PUBLIC_URL: 'http://market.example' })
  assert.equal(code, 1)
  assert.match(err, /BOURSE_INSECURE_PUBLIC_URL=1/)
})

test('after SIGTERM the server is not ready, serves for its drain time and then exits with 0', async () => {
  assert.ok(server)
  const isReady = async () => (await fetch(`${serverUrl}/readyz`)).status === 200
  assert.equal(await isReady(), true)
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await eventually('the server is no longer ready', async () => !(await isReady()))
  const { status, headers } = await fetch(`${serverUrl}/version`)
  assert.deepEqual([status, headers.get('connection')], [200, 'close'])
  assert.equal(server.exitCode, null)
  const [code] = await ended
  assert.equal(code, 0)
})

test('every line of the log is JSON and names its process, from the start to the stop', () => {
  const lines = log().trim().split('\n')
  for (const line of lines) {
    const { replica, pid, version } = JSON.parse(line)
    assert.deepEqual([replica, pid, typeof version], ['first', server?.pid, 'string'], line)
  }
  assert.match(log(), /"msg":"Serving at/)
  assert.match(log(), new RegExp(`"msg":"SIGTERM: stopping in ${drainSeconds} s`))
})

test('rotated keys sign from the next start on, and earlier tokens remain valid', async () => {
  const file = settings.BOURSE_SIGNING_KEYS_FILE
  chmodSync(file, 0o640)
  const rotated = await bourse(['keys', 'rotate'], settings)
  assert.equal(rotated.code, 0, rotated.err)
  assert.equal(statSync(file).mode & 0o777, 0o640)
  const baseUrl = await serve()
  const client = createClient({ baseUrl, token: platformToken })
  const { token } = await client.tokens.create({ name: 'after' })
  const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid
  assert.notEqual(kidOf(token as string), kidOf(platformToken))
  assert.equal((await createClient({ baseUrl, token }).account.get()).id, 'bourse')
  const early = await bourse(['keys', 'rotate'], settings)
  assert.deepEqual([early.code, /rotated less than 10 minutes ago/.test(early.err)], [2, true])
  assert.equal((await bourse(['keys', 'rotate', '--force'], settings)).code, 0)
  const earlier = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...earlier, rotated_at: earlier.rotated_at - 600 }))
  assert.equal((await bourse(['keys', 'rotate', file], {})).code, 0)
  assert.equal((await bourse(['keys', 'rotate', '/nonexistent'], {})).code, 1)
  assert.equal((await bourse(['keys', 'rotate'], {})).code, 2)
})
