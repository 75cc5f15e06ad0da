import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../base/random.ts'
import { makeKeys } from './key-files.ts'
import { describeKeys, missingKeys } from './key-names.ts'
import { rotateSigningKeys } from './key-rotation.rules.ts'
import { loadKeys } from './keys.ts'

test('names of keys tell whether key files have them, and show no key', () => {
  const files = makeKeys('operator', createSeededRandom(1))
  const names = describeKeys(loadKeys(files))
  const others = describeKeys(loadKeys(makeKeys('operator', createSeededRandom(2))))
  assert.deepEqual(missingKeys(names, names), [])
  assert.equal(missingKeys(names, others).length, 4, 'two signing keys, a master key and a cursor root')
  const rotated = { ...files, signing: rotateSigningKeys(files.signing, { now: 0, random: createSeededRandom(3) }) }
  assert.deepEqual(missingKeys(names, describeKeys(loadKeys(rotated))), [], 'a key that was added does not matter')
  const text = JSON.stringify(names)
  for (const { secret } of [...files.master.keys, ...files.cursor.roots]) assert.ok(!text.includes(secret))
})
