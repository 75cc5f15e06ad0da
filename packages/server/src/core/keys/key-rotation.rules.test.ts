import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../base/random.ts'
import { storedResponseSeconds } from '../base/stored-responses.ts'
import { makeKeys } from './key-files.ts'
import {
  changeProblem,
  pendingUntil,
  rotateCursorRoots,
  rotateMasterKeys,
  rotateSigningKeys,
} from './key-rotation.rules.ts'
import { createCursorKeys, encryptingKey, type KeyFiles, loadKeys } from './keys.ts'

const random = createSeededRandom('rotation')
const files = makeKeys('operator', random)
const day = 86_400

test('a rotation signs with the published next key, and replaced keys can sign for longer than replays are', () => {
  const { signing: first } = files
  const second = rotateSigningKeys(first, { now: 100, random })
  assert.deepEqual([second.current, second.rotated_at], [first.next, 100])
  assert.deepEqual(
    second.keys.map(({ kid }) => kid),
    [first.current, first.next, second.next],
  )
  const kept = storedResponseSeconds + day
  const third = rotateSigningKeys(second, { now: 100 + kept, random })
  const canSign = (file: KeyFiles['signing']) => file.keys.map(({ d }) => d !== undefined)
  assert.deepEqual(canSign(third), [true, true, true, true])
  assert.ok(second.keys.some(({ kid }) => kid === third.current))
  const fourth = rotateSigningKeys(third, { now: 101 + kept, random })
  assert.deepEqual(canSign(fourth), [false, true, true, true, true])
  assert.deepEqual(
    fourth.keys.map(({ replaced_at }) => replaced_at),
    [undefined, 100 + kept, 101 + kept, undefined, undefined],
  )
  loadKeys({ ...files, signing: fourth })
})

test('a new master key encrypts from its moment on, and decrypts before', () => {
  const master = rotateMasterKeys(files.master, { from: 500, random })
  assert.deepEqual([encryptingKey(master, 499), encryptingKey(master, 500)], [1, 2])
  let now = 499
  const keys = loadKeys({ ...files, master }, () => now).master
  const numbers = () => [keys.current.key_id, keys.coming.map(({ key_id }) => key_id)]
  assert.deepEqual(numbers(), [1, [2]])
  assert.ok(keys.find(2))
  now = 500
  assert.deepEqual(numbers(), [2, []])
  const again = rotateMasterKeys(master, { from: 900, random })
  assert.deepEqual([encryptingKey(again, 899), encryptingKey(again, 900)], [2, 3])
  assert.deepEqual([pendingUntil(again.keys, 899), pendingUntil(again.keys, 900)], [900, undefined])
  assert.equal(pendingUntil(files.master.keys, 0), undefined)
})

test('a new cursor root is used from its moment on, above the keys of the database, which go on', () => {
  const cursor = rotateCursorRoots(files.cursor, { from: 500, random, newest_key_id: 7 })
  const [, root] = cursor.roots
  assert.ok((root?.first_key_id ?? 0) > 8)
  const begins = root?.first_key_id as number
  const { cursor_roots } = loadKeys({ ...files, cursor })
  let now = 499
  const rows = [7, begins].map((key_id) => ({ key_id, ended: false, history: 1 }))
  const keys = createCursorKeys(cursor_roots, rows, () => now)
  assert.equal(keys.current.key_id, 7)
  now = 500
  assert.equal(keys.current.key_id, begins)
  const before = createCursorKeys(loadKeys(files).cursor_roots, rows.slice(0, 1))
  assert.deepEqual(keys.find(7)?.secret.reveal(), before.find(7)?.secret.reveal())
  const later = rotateCursorRoots(cursor, { from: 900, random, newest_key_id: begins })
  assert.ok((later.roots[2]?.first_key_id ?? 0) > begins)
})

test('a file whose next key cannot sign is not rotated: no server could use it', () => {
  const [current, next] = files.signing.keys
  const { d: _, ...half } = next as NonNullable<typeof next>
  for (const keys of [[current], [current, half]]) {
    const spoilt = { ...files.signing, keys } as KeyFiles['signing']
    assert.throws(() => rotateSigningKeys(spoilt, { now: 1, random }), /next signing key .* has no private half/)
  }
})

test('numbers of keys end at 16 bits', () => {
  const last = { ...files.master, keys: files.master.keys.map((key) => ({ ...key, key_id: 65_535 })) }
  assert.throws(() => rotateMasterKeys(last, { from: 1, random }), /no number left/)
  assert.throws(() => rotateCursorRoots(files.cursor, { from: 1, random, newest_key_id: 65_530 }), /no number left/)
})

test('a running server takes what rotations make, and nothing that lacks or exchanges a key in use', () => {
  const other = makeKeys('operator', random)
  const rotated: KeyFiles = {
    signing: rotateSigningKeys(files.signing, { now: 10, random }),
    master: rotateMasterKeys(files.master, { from: 20, random }),
    cursor: rotateCursorRoots(files.cursor, { from: 20, random, newest_key_id: 0 }),
  }
  assert.equal(changeProblem(files, rotated, 10), undefined)
  // A key that neither signs nor encrypts may be taken out.
  const without = { ...rotated, signing: { ...rotated.signing, keys: rotated.signing.keys.slice(1) } }
  assert.equal(changeProblem(rotated, without, 30), undefined)
  const shorter = { ...rotated, master: { ...rotated.master, keys: rotated.master.keys.slice(1), current: 2 } }
  assert.equal(changeProblem(rotated, shorter, 30), undefined)
  // A copy from before the last rotation has the key that signs, as its next one; an older copy lacks it.
  const again = { ...rotated, signing: rotateSigningKeys(rotated.signing, { now: 20, random }) }
  assert.equal(changeProblem(rotated, { ...rotated, signing: files.signing }, 10), undefined)
  assert.match(changeProblem(again, { ...again, signing: files.signing }, 20)?.message ?? '', /lacks the signing key/)
  const exchanged = other.signing.keys.map((key) => ({ ...key, kid: files.signing.current }))
  const cases: [KeyFiles, RegExp][] = [
    [{ ...files, signing: other.signing }, /lacks the signing key .*, which signs now/],
    [{ ...files, signing: { ...files.signing, keys: exchanged } }, /is another key there/],
    [{ ...files, master: other.master }, /fingerprint_key is another one/],
    [{ ...files, master: { ...other.master, fingerprint_key: files.master.fingerprint_key } }, /key 1 is another key/],
    [
      { ...rotated, master: { ...rotated.master, keys: rotated.master.keys.slice(1), current: 2 } },
      /lacks master key 1/,
    ],
    [{ ...files, cursor: other.cursor }, /root from cursor key 0 on/],
  ]
  for (const [next, message] of cases) assert.match(changeProblem(files, next, 10)?.message ?? '', message)
})
