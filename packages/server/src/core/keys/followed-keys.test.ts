import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { openLog, silentLog } from '../base/log.ts'
import { createSeededRandom } from '../base/random.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { followKeys } from './followed-keys.ts'
import { ensureKeyFiles, makeKeys, readKeyContents, replaceKeyFile } from './key-files.ts'
import { rotateMasterKeys, rotateSigningKeys } from './key-rotation.rules.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-followed-keys-'))
atEnd(() => rmSync(directory, { recursive: true }))
const random = createSeededRandom('followed')
let made = 0

async function newFiles() {
  const paths = await ensureKeyFiles(join(directory, `${made++}`), 'operator')
  return { paths, files: await readKeyContents(paths, { production: true }) }
}

test('keys that were kept are those of the files after a rotation', async () => {
  const { paths, files } = await newFiles()
  const clock = { now: 1_000_000 }
  const followed = await followKeys(paths, { log: silentLog(), now: () => clock.now })
  atEnd(followed.stop)
  const { signing, master } = followed.keys
  await replaceKeyFile(paths.signing, rotateSigningKeys(files.signing, { now: 1000, random }))
  await replaceKeyFile(paths.master, rotateMasterKeys(files.master, { from: 2000, random }))
  await followed.look()
  assert.equal(signing.current.kid, files.signing.next)
  assert.ok(signing.find(files.signing.current))
  assert.deepEqual([master.current.key_id, master.coming.length, master.all.length], [1, 1, 2])
  clock.now = 2_000_000
  assert.deepEqual([master.current.key_id, master.coming.length], [2, 0])
  assert.equal(followed.problem(), undefined)
})

test('files that cannot be used are reported once, without a key, and the former ones stay in use', async () => {
  const { paths, files } = await newFiles()
  const other = makeKeys('operator', random)
  const lines: string[] = []
  const log = openLog('error', { write: (line) => void lines.push(line) })
  const followed = await followKeys(paths, { log })
  atEnd(followed.stop)
  const cases: [write: () => Promise<void> | void, setting: string, reason: RegExp][] = [
    [() => replaceKeyFile(paths.signing, other.signing), 'BOURSE_SIGNING_KEYS_FILE', /lacks the signing key/],
    [() => replaceKeyFile(paths.signing, { ...files.signing, keys: [] }), 'keys', /missing or invalid fields/],
    [() => writeFileSync(paths.signing, '{'), 'keys', /is not JSON/],
    [() => rmSync(paths.signing), 'BOURSE_SIGNING_KEYS_FILE', /does not exist/],
    [() => writeFileSync(paths.signing, 'x'.repeat(2 ** 20 + 1), { mode: 0o600 }), 'keys', /longer than/],
  ]
  for (const [write, setting, reason] of cases) {
    await write()
    const before = lines.length
    for (let look = 0; look < 3; look++) await followed.look()
    assert.equal(lines.length, before + 1, String(reason))
    assert.match(lines.at(-1) ?? '', reason)
    assert.match(lines.at(-1) ?? '', /The new key files are not taken\. .*The former one stays in use/)
    assert.equal(followed.problem()?.setting, setting)
    assert.equal(followed.keys.signing.current.kid, files.signing.current)
  }
  const secrets = [...files.signing.keys, ...other.signing.keys].map(({ d }) => d as string)
  for (const secret of secrets) assert.ok(!lines.join().includes(secret))
  await replaceKeyFile(paths.signing, rotateSigningKeys(files.signing, { now: 1, random }))
  await followed.look()
  assert.deepEqual([followed.problem(), followed.keys.signing.current.kid], [undefined, files.signing.next])
})

test('a start without files is refused as before', async () => {
  const { paths } = await newFiles()
  rmSync(paths.cursor)
  await assert.rejects(followKeys(paths, { log: silentLog() }), (error) => isStartProblem(error, 'keys_missing'))
})
