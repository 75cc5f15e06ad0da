/** `bourse install production`: what it writes, and that it writes nothing where something is wrong. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { certificate, key, renewedKey } from '../../server/test/support/certificates.ts'
import { createEmptyDatabase, createTestDatabase } from '../../server/test/support/database.ts'
import { noRoot } from '../../server/test/support/postgres-server.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const database = await createEmptyDatabase()
afterAll(() => database[Symbol.asyncDispose]())
const urlOf = ({ user, database: name, host }: typeof database.target) => `postgres://${user}@/${name}?host=${host}`
const url = urlOf(database.target)
// A data directory that is set would be a setting too.
const bourse = runnerFor({ BOURSE_DATA_DIR: '' })

const files = newDirectory()
const [cert, secret] = [join(files, 'tls.crt'), join(files, 'tls.key')] as const
writeFileSync(cert, certificate)
writeFileSync(secret, key, { mode: 0o600 })
const usual: Readonly<Record<string, string>> = {
  '--database-url': url,
  '--public-url': 'https://market.example:8443',
  '--tls-cert': cert,
  '--tls-key': secret,
  '--host': '0.0.0.0',
  '--port': '8443',
  '--replicas': '2',
  '--image-store': join(files, 'images'),
}

function install(directory: string, changed: Readonly<Record<string, string | undefined>> = {}, run = bourse) {
  const options = Object.entries({ ...usual, ...changed })
  const words = options.flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  return run('install', 'production', directory, ...words, '--json')
}

/** A place that does not exist yet. */
const newPlace = () => join(newDirectory(), 'etc')

test('it makes keys and settings that only their owner can read, and says what comes next', async () => {
  const directory = newPlace()
  const made = await install(directory)
  assert.equal(made.code, 0, made.err)
  const file = join(directory, 'bourse.env')
  const keys = join(directory, 'keys')
  assert.deepEqual(JSON.parse(made.out), { object: 'installation', settings: file, keys })
  assert.match(made.err, /No commit waits for a standby/)
  assert.match(made.err, new RegExp(`bourse tokens create --platform --person .* --env-file ${file}`))
  assert.match(made.err, new RegExp(`bourse serve --env-file ${file}`))
  assert.deepEqual(readdirSync(directory).toSorted(), ['bourse.env', 'keys'])
  for (const path of [file, ...readdirSync(keys).map((name) => join(keys, name))]) {
    assert.equal(statSync(path).mode & 0o777, 0o600, path)
  }
  const text = readFileSync(file, 'utf8')
  assert.deepEqual(parseEnv(text), {
    BOURSE_DATABASE_URL: url,
    BOURSE_PUBLIC_URL: 'https://market.example:8443',
    BOURSE_SIGNING_KEYS_FILE: join(keys, 'signing-keys.json'),
    BOURSE_MASTER_KEY_FILE: join(keys, 'master-key.json'),
    BOURSE_CURSOR_KEYS_FILE: join(keys, 'cursor-keys.json'),
    BOURSE_HOST: '0.0.0.0',
    BOURSE_PORT: '8443',
    BOURSE_TLS_CERT_FILE: cert,
    BOURSE_TLS_KEY_FILE: secret,
    BOURSE_REPLICAS: '2',
    BOURSE_IMAGE_STORE: join(files, 'images'),
  })
  // What was not set is still explained.
  assert.match(text, /^#BOURSE_METRICS_PORT=9090$/m)

  const again = await install(directory, { '--port': '9443' })
  assert.deepEqual([again.code, again.out], [2, ''])
  assert.match(again.err, /bourse\.env sets BOURSE_DATABASE_URL already/)
  assert.equal(readFileSync(file, 'utf8'), text)
})

test('settings come from the environment where they are not given, and options come first', async () => {
  const directory = newPlace()
  const run = runnerFor({
    BOURSE_DATA_DIR: '',
    BOURSE_DATABASE_URL: url,
    BOURSE_PORT: '1',
    BOURSE_METRICS_PORT: '9191',
    OTHER: 'x',
  })
  const made = await install(directory, { '--database-url': undefined }, run)
  assert.equal(made.code, 0, made.err)
  const written = parseEnv(readFileSync(join(directory, 'bourse.env'), 'utf8'))
  assert.deepEqual(
    [written.BOURSE_DATABASE_URL, written.BOURSE_PORT, written.BOURSE_METRICS_PORT, written.OTHER],
    [url, '8443', '9191', undefined],
  )
})

test('where something is wrong it says what, and writes nothing', async () => {
  const strange = join(files, "it's.crt")
  writeFileSync(strange, certificate)
  const other = join(files, 'other.key')
  writeFileSync(other, renewedKey, { mode: 0o600 })
  const open = join(files, 'open.key')
  writeFileSync(open, key)
  chmodSync(open, 0o644)
  const cases: readonly (readonly [Readonly<Record<string, string | undefined>>, RegExp])[] = [
    [{ '--database-url': undefined }, /Set BOURSE_DATABASE_URL/],
    [{ '--database-url': 'mysql://x/y' }, /BOURSE_DATABASE_URL/],
    [{ '--database-url': 'postgres://owner@127.0.0.1:1/bourse' }, /cannot be opened/],
    [{ '--database-url': urlOf({ ...database.target, database: 'nowhere' }) }, /does not exist/],
    [{ '--public-url': 'market.example' }, /BOURSE_PUBLIC_URL must be an http or https URL/],
    [{ '--public-url': 'http://market.example' }, /BOURSE_PUBLIC_URL is an http URL/],
    [{ '--port': '65536' }, /BOURSE_PORT must be a whole number/],
    [{ '--replicas': 'two' }, /BOURSE_REPLICAS must be a whole number/],
    [{ '--image-store': undefined }, /BOURSE_IMAGE_STORE/],
    [{ '--tls-key': undefined }, /Set BOURSE_TLS_KEY_FILE too/],
    [{ '--tls-key': other }, /The key does not belong to the first certificate/],
    [{ '--tls-key': open }, /accessible to every user/],
    [{ '--tls-cert': join(files, 'none.crt') }, /none\.crt\. The file does not exist/],
    [{ '--tls-cert': secret }, /The file has no certificate in PEM/],
    [{ '--tls-cert': strange }, /BOURSE_TLS_CERT_FILE has a quote/],
  ]
  for (const [changed, expected] of cases) {
    const directory = newPlace()
    const { code, out, err } = await install(directory, changed)
    assert.ok(code === 1 || code === 2, `${code}: ${JSON.stringify(changed)}`)
    assert.deepEqual([out, existsSync(directory)], ['', false], JSON.stringify(changed))
    assert.match(err, expected)
  }
  const keyed = await install(newPlace(), {}, runnerFor({ BOURSE_MASTER_KEY_FILE: '/x' }))
  assert.match(keyed.err, /BOURSE_MASTER_KEY_FILE is set, and this command makes keys/)
})

test('keys are never replaced, nor is a directory used that cannot be written or is in use', async () => {
  const directory = newDirectory()
  mkdirSync(join(directory, 'keys'))
  writeFileSync(join(directory, 'keys/master-key.json'), 'of another installation')
  const refused = await install(directory)
  assert.equal(refused.code, 2)
  assert.match(refused.err, /keys is not empty/)
  assert.deepEqual(readdirSync(directory), ['keys'])
  assert.equal(readFileSync(join(directory, 'keys/master-key.json'), 'utf8'), 'of another installation')

  const file = join(newDirectory(), 'file')
  writeFileSync(file, '')
  const unwritable = await install(file)
  assert.notEqual(unwritable.code, 0)
  assert.match(unwritable.err, /cannot be (read|written): ENOTDIR/)

  const claimed = newDirectory()
  writeFileSync(join(claimed, 'bourse.env.new'), '')
  const running = await install(claimed)
  assert.equal(running.code, 2)
  assert.match(running.err, /another `bourse install production` may be running/)
  assert.deepEqual(readdirSync(claimed), ['bourse.env.new'])
})

test('a certificate of another name is noted, since a proxy may have the right one', async () => {
  const made = await install(newPlace(), { '--public-url': 'https://elsewhere.example' })
  assert.equal(made.code, 0, made.err)
  assert.match(made.err, /the certificate is not one of elsewhere\.example/)
  const plain = await install(newPlace(), { '--tls-cert': undefined, '--tls-key': undefined })
  assert.match(plain.err, /BOURSE_HOST=0\.0\.0\.0: the API is served without TLS to other machines/)
})

test('a database of another installation is refused, and one that was only migrated is not', async () => {
  await using migrated = await createTestDatabase()
  const fresh = await install(newPlace(), { '--database-url': urlOf(migrated.target) })
  assert.equal(fresh.code, 0, fresh.err)
  const client = new pg.Client(migrated.target)
  await client.connect()
  await client.query("insert into accounts (id, name, trust_level, created_at) values ('acme', 'Acme', 'basic', 1)")
  await client.end()
  const directory = newPlace()
  const used = await install(directory, { '--database-url': urlOf(migrated.target) })
  assert.equal(used.code, 1)
  assert.match(used.err, /belongs to an installation already/)
  assert.equal(existsSync(directory), false)
})

test('what a package has prepared keeps its owner and mode', leftOut(noRoot), async () => {
  const directory = newDirectory()
  const file = join(directory, 'bourse.env')
  const keys = join(directory, 'keys')
  writeFileSync(file, '# Settings.\n#BOURSE_PORT=8080\n')
  chmodSync(file, 0o640)
  mkdirSync(keys, { mode: 0o700 })
  chownSync(keys, 65_534, 65_534)
  const made = await install(directory)
  assert.equal(made.code, 0, made.err)
  assert.match(readFileSync(file, 'utf8'), /^# Settings\.\nBOURSE_PORT=8443\nBOURSE_DATABASE_URL=/)
  assert.deepEqual([statSync(file).uid, statSync(file).mode & 0o777], [0, 0o640])
  for (const name of readdirSync(keys)) assert.equal(statSync(join(keys, name)).uid, 65_534, name)
})
