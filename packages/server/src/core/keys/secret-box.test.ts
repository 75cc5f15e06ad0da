import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { test } from 'vitest'
import { createCryptoRandom, createSeededRandom } from '../base/random.ts'
import { makeKeys } from './key-files.ts'
import { loadKeys, type MasterKeys } from './keys.ts'
import { openSecret, sealSecret } from './secret-box.ts'

const random = createCryptoRandom()
const { master } = loadKeys(makeKeys('operator', createSeededRandom('box')))
const other = loadKeys(makeKeys('operator', createSeededRandom('other'))).master
const belongs_to = ['acme', 'inst_a']
const marker = Buffer.from('#cloud-config marker-5577')

test('an encrypted secret of any content can be decrypted', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.string({ unit: 'binary' })), (bytes, ids) => {
      const text = Buffer.from(bytes)
      assert.deepEqual(
        openSecret(master, sealSecret(master, text, { belongs_to: ids, random }), { belongs_to: ids }),
        text,
      )
    }),
  )
})

test('encryption adds 31 bytes to 65,536 bytes of user data', () => {
  const text = random.bytes(65_536)
  const sealed = sealSecret(master, text, { belongs_to, random })
  assert.equal(sealed.length, 65_536 + 31)
  assert.deepEqual(openSecret(master, sealed, { belongs_to }), text)
})

test('each encryption of a secret gives different bytes, which contain no part of it', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const sealed = sealSecret(master, marker, { belongs_to, random })
    assert.ok(!sealed.includes('marker'))
    seen.add(sealed.toString('hex', 3, 15))
  }
  assert.equal(seen.size, 1000)
})

test('a secret can be decrypted only for the ids that it belongs to', () => {
  const sealed = sealSecret(master, marker, { belongs_to, random })
  const places = [
    ['acme', 'inst_b'],
    ['other', 'inst_a'],
    ['inst_a', 'acme'],
    ['acmeinst_a'],
    ['acme', 'inst_a', ''],
    [],
  ]
  for (const place of places) assert.throws(() => openSecret(master, sealed, { belongs_to: place }))
})

test('no bit of an encrypted secret can be changed or removed', () => {
  const sealed = sealSecret(master, marker, { belongs_to, random })
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.throws(() => openSecret(master, changed, { belongs_to }))
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => openSecret(master, sealed.subarray(0, length), { belongs_to }))
  }
  assert.throws(() => openSecret(master, Buffer.concat([sealed, Buffer.alloc(1)]), { belongs_to }))
})

test('old master keys decrypt their secrets, and the current one encrypts', () => {
  const sealed = sealSecret(master, marker, { belongs_to, random })
  const newer = { key_id: 2, secret: other.current.secret }
  const rotated: MasterKeys = {
    current: newer,
    all: [newer, ...master.all],
    coming: [],
    find: (id) => (id === 2 ? newer : master.find(id)),
  }
  assert.deepEqual(openSecret(rotated, sealed, { belongs_to }), marker)
  const again = sealSecret(rotated, marker, { belongs_to, random })
  assert.equal(again.readUInt16BE(1), 2)
  assert.throws(() => openSecret(master, again, { belongs_to }), /Master key 2/)
  assert.throws(() => openSecret(other, sealed, { belongs_to }))
})

test('errors contain nothing of the contents', () => {
  const sealed = sealSecret(master, marker, { belongs_to, random })
  sealed[40] = (sealed[40] as number) ^ 1
  assert.throws(
    () => openSecret(master, sealed, { belongs_to }),
    (error) => !/marker|acme/.test(inspect(error)),
  )
})
