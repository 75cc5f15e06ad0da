import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { type KeyObject, sign, verify } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, test } from 'vitest'
import { createSeededRandom } from '../base/random.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { claimKeyFile, ensureKeyFiles, keyPaths, makeKeys, readKeyFiles, replaceKeyFile } from './key-files.ts'
import { type CursorRoot, createCursorKeys, type KeyFiles, loadKeys } from './keys.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bourse-keys-'))
})
afterAll(() => rm(directory, { recursive: true }))

const random = createSeededRandom('keys')

test('missing key files are created once, readable by their owner only, and then unchanged', async () => {
  const home = join(directory, 'once', 'keys')
  const paths = await ensureKeyFiles(home)
  for (const path of Object.values(paths)) assert.equal((await stat(path)).mode & 0o777, 0o600)
  const first = await Promise.all(Object.values(paths).map((path) => readFile(path, 'utf8')))
  await rm(paths.master)
  await ensureKeyFiles(home)
  const again = await Promise.all(Object.values(paths).map((path) => readFile(path, 'utf8')))
  assert.deepEqual([again[0], again[2]], [first[0], first[2]])
  assert.notEqual(again[1], first[1])
  assert.equal((await readdir(home)).length, 3)
})

test('concurrent starts that create key files use the same keys', async () => {
  const home = join(directory, 'race')
  await Promise.all(Array.from({ length: 8 }, () => ensureKeyFiles(home)))
  assert.equal((await readdir(home)).length, 3)
  await readKeyFiles(keyPaths(home), { production: false })
})

test('keys from files sign and verify', async () => {
  const { signing } = await readKeyFiles(await ensureKeyFiles(join(directory, 'sign')), { production: false })
  const signature = sign(null, Buffer.from('text'), signing.current.private_key as KeyObject)
  assert.ok(verify(null, Buffer.from('text'), signing.current.public_key, signature))
  assert.equal(signing.find(signing.current.kid), signing.current)
  assert.equal(signing.find('../../etc/passwd'), undefined)
  assert.equal(signing.find('__proto__'), undefined)
})

test('no printed form of keys contains any part of one', async () => {
  const files = makeKeys('operator', random)
  const keys = loadKeys(files)
  const cursors = createCursorKeys(keys.cursor_roots, [{ key_id: 0, ended: false, history: 1 }])
  const prints = [inspect([keys, cursors], { depth: 20, showHidden: true }), JSON.stringify([keys, cursors])]
  const secrets = [files.master.fingerprint_key, files.master.keys[0]?.secret, files.cursor.roots[0]?.secret]
  for (const secret of [...secrets, files.signing.keys[0]?.d]) {
    const bytes = Buffer.from(secret as string, 'base64url')
    for (const print of prints) {
      assert.ok(!print.includes(secret as string))
      assert.ok(!print.includes(bytes.toString('hex')))
      assert.ok(!print.includes(inspect(bytes).slice(8, 30)))
    }
  }
})

test('production refuses files that a sandbox created, and accepts those of an operator', async () => {
  const sandbox = await ensureKeyFiles(join(directory, 'sandbox'))
  await assert.rejects(readKeyFiles(sandbox, { production: true }), (error) => isStartProblem(error, 'keys_unsafe'))
  const operator = await ensureKeyFiles(join(directory, 'operator'), 'operator')
  await readKeyFiles(operator, { production: true })
})

test('missing files and missing settings stop the start, and the error names them', async () => {
  const paths = await ensureKeyFiles(join(directory, 'missing'), 'operator')
  await assert.rejects(readKeyFiles({ ...paths, master: '' }, { production: true }), /BOURSE_MASTER_KEY_FILE/)
  await rm(paths.cursor)
  await assert.rejects(readKeyFiles(paths, { production: true }), (error) => {
    return isStartProblem(error, 'keys_missing') && error.message.includes(paths.cursor)
  })
})

test('a key file that is no regular file is refused instead of waited for', async () => {
  const paths = await ensureKeyFiles(join(directory, 'pipe'), 'operator')
  await rm(paths.master)
  execFileSync('mkfifo', ['-m', '600', paths.master])
  await assert.rejects(readKeyFiles(paths, { production: true }), (error) => isStartProblem(error, 'keys_invalid'))
})

test('a key file is changed by one program at a time', async () => {
  const { master } = await ensureKeyFiles(join(directory, 'claimed'), 'operator')
  {
    await using _claim = await claimKeyFile(master)
    await assert.rejects(claimKeyFile(master), (error) => {
      return isStartProblem(error, 'keys_claimed') && error.message.includes(`${master}.lock`)
    })
  }
  await (await claimKeyFile(master))[Symbol.asyncDispose]()
  await assert.rejects(claimKeyFile(join(directory, 'absent/master-key.json')), (error) => {
    return isStartProblem(error, 'keys_missing')
  })
})

test('a key file that every user can read is refused', async () => {
  const paths = await ensureKeyFiles(join(directory, 'open'), 'operator')
  await chmod(paths.signing, 0o644)
  await assert.rejects(readKeyFiles(paths, { production: true }), (error) => isStartProblem(error, 'keys_unsafe'))
  await chmod(paths.signing, 0o440)
  await readKeyFiles(paths, { production: true })
})

test('invalid key files are refused, and the error contains nothing of their contents', async () => {
  const good = makeKeys('operator', random)
  const [pair, other] = good.signing.keys
  const spoilt: [keyof typeof good, unknown][] = [
    ['master', {}],
    ['master', { ...good.master, fingerprint_key: `${good.master.fingerprint_key}A` }],
    ['master', { ...good.master, current: 2 }],
    ['master', { ...good.master, keys: [...good.master.keys, ...good.master.keys] }],
    ['signing', { ...good.signing, current: 'unknown' }],
    ['signing', { ...good.signing, origin: 'somebody' }],
    ['signing', { ...good.signing, keys: [{ kid: pair?.kid, x: pair?.x }, other] }],
    ['signing', { ...good.signing, keys: [{ ...pair, d: other?.d }, other] }],
    ['signing', { ...good.signing, keys: [pair, pair] }],
    ['cursor', { ...good.cursor, roots: [] }],
    ['cursor', { ...good.cursor, roots: [{ first_key_id: 70_000, secret: good.cursor.roots[0]?.secret }] }],
    ['cursor', { ...good.cursor, roots: [...good.cursor.roots, ...good.cursor.roots] }],
  ]
  const secret = good.master.fingerprint_key
  for (const [name, content] of spoilt) {
    const paths = await ensureKeyFiles(join(directory, 'spoilt'), 'operator')
    for (const key of ['signing', 'master', 'cursor'] as const) await replaceKeyFile(paths[key], good[key])
    await replaceKeyFile(paths[name], content as KeyFiles[keyof KeyFiles])
    await assert.rejects(readKeyFiles(paths, { production: true }), (error) => {
      assert.ok(isStartProblem(error, 'keys_invalid'), inspect(error))
      return !inspect(error).includes(secret)
    })
  }
  const paths = keyPaths(join(directory, 'spoilt'))
  await writeFile(paths.master, `{"fingerprint_key":"${secret}`)
  await assert.rejects(readKeyFiles(paths, { production: true }), (error) => !inspect(error).includes(secret))
})

test('the same seed gives the same keys', () => {
  assert.deepEqual(makeKeys('sandbox', createSeededRandom(5)), makeKeys('sandbox', createSeededRandom(5)))
})

test('cursor keys are derived from their number, the newest active one is current, and ended ones are found', () => {
  const { cursor_roots } = loadKeys(makeKeys('operator', createSeededRandom(1)))
  const later = loadKeys(makeKeys('operator', createSeededRandom(2))).cursor_roots
  const roots = [...cursor_roots, { first_key_id: 3, secret: (later[0] as CursorRoot).secret }]
  const rows = [0, 1, 2, 3, 65_535].map((key_id) => ({
    key_id,
    ended: key_id < 2 || key_id === 65_535,
    history: 1,
  }))
  const keys = createCursorKeys(roots, rows)
  assert.equal(keys.current.key_id, 3)
  assert.equal(keys.find(0)?.ended, true)
  assert.equal(keys.find(4), undefined)
  const secrets = rows.map(({ key_id }) => keys.find(key_id)?.secret.reveal().toString('hex'))
  assert.equal(new Set(secrets).size, 5)
  const before = createCursorKeys(cursor_roots, rows)
  assert.deepEqual(before.find(2)?.secret.reveal(), keys.find(2)?.secret.reveal())
  assert.notDeepEqual(before.find(3)?.secret.reveal(), keys.find(3)?.secret.reveal())
})

test('the start fails without an active cursor key, or with a key id beyond 16 bits', () => {
  const { cursor_roots } = loadKeys(makeKeys('operator', random))
  assert.throws(() => createCursorKeys(cursor_roots, []))
  assert.throws(() => createCursorKeys(cursor_roots, [{ key_id: 1, ended: true, history: 1 }]))
  assert.throws(() => createCursorKeys(cursor_roots, [{ key_id: 65_536, ended: false, history: 1 }]))
})
