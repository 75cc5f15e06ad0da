import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createClient } from '../../sdk/src/client.ts'
import { AuthenticationError, NotFoundError } from '../../sdk/src/errors.ts'
import { ensureKeyFiles } from '../../server/src/core/key-files.ts'
import { startDurableCluster } from '../../server/test/support/cluster.ts'
import { createEmptyDatabase } from '../../server/test/support/database.ts'
import { bourse, newDirectory } from './sandbox-process.ts'

const cluster = await startDurableCluster()
const database = await createEmptyDatabase({ cluster: cluster.target })
let server: ChildProcess | undefined
after(async () => {
  if (server && server.exitCode === null) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await database[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const keys = await ensureKeyFiles(newDirectory(), 'operator')
const settings = {
  BOURSE_DATABASE_URL: `postgres://${database.target.user}@/${database.target.database}?host=${database.target.host}`,
  BOURSE_PUBLIC_URL: 'https://market.example',
  BOURSE_SIGNING_KEYS_FILE: keys.signing,
  BOURSE_MASTER_KEY_FILE: keys.master,
  BOURSE_CURSOR_KEYS_FILE: keys.cursor,
  BOURSE_HOST: '127.0.0.1',
  BOURSE_PORT: '0',
  BOURSE_METRICS_PORT: '0',
  BOURSE_DATA_DIR: newDirectory(),
}

/** Starts `bourse serve`; gives its address. */
function serve(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/bourse.mjs'), 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  server = child
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (part) => {
      said += part
      const url = /Serving at (\S+)\.\n/.exec(said)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)))
  })
}

test('without its settings production does not start, and names the first that is missing', async () => {
  for (const name of ['BOURSE_DATABASE_URL', 'BOURSE_PUBLIC_URL', 'BOURSE_SIGNING_KEYS_FILE']) {
    const { code, out, err } = await bourse(['serve'], { ...settings, [name]: '' })
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, new RegExp(`Set ${name}`))
  }
})

test('keys that a sandbox made are refused', async () => {
  const { signing } = await ensureKeyFiles(newDirectory(), 'sandbox')
  const { code, err } = await bourse(['serve'], { ...settings, BOURSE_SIGNING_KEYS_FILE: signing })
  assert.equal(code, 1)
  assert.match(err, /made by a sandbox/)
})

test('the first platform token is made beside the database, once, and opens the server', async () => {
  const made = await bourse(['tokens', 'create', '--platform', '--json'], settings)
  assert.equal(made.code, 0, made.err)
  const { token, account } = JSON.parse(made.out)
  assert.equal(account, 'bourse')
  const again = await bourse(['tokens', 'create', '--platform'], settings)
  assert.deepEqual([again.code, again.out], [1, ''])
  assert.match(again.err, /has an admin token already/)

  const baseUrl = await serve()
  const client = createClient({ baseUrl, token })
  const me = await client.account.get()
  assert.deepEqual([me.is_platform, me.server.mode], [true, 'production'])
  await assert.rejects(client.clock.get(), NotFoundError)
  await assert.rejects(createClient({ baseUrl, token: 'not.a.token' }).account.get(), AuthenticationError)
  const connection = { BOURSE_BASE_URL: baseUrl, BOURSE_API_TOKEN: token }
  const examined = await bourse(['doctor', '-o', 'json'], { ...settings, ...connection })
  assert.equal(examined.code, 0, examined.out)
})

test('SIGTERM ends it well', async () => {
  assert.ok(server)
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  assert.equal(code, 0)
})
