import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import {
  checkEnd,
  checkParts,
  checkRemembered,
  checkSeal,
  isSealDue,
  type Seal,
  type SealContent,
  type SealKey,
  signSeal,
  withVouchedKeys,
} from './seals.rules.ts'

const pair = generateKeyPairSync('ed25519')
const key = { kid: 'one', private_key: pair.privateKey }
const findKey = (kid: string) => (kid === 'one' ? pair.publicKey : undefined)

function content(number: number, changes: Partial<SealContent> = {}): SealContent {
  const parts = [{ month: '2026-11', entries: 2, digest: 'aa' }]
  const at = { sealed_at: number * 3600, until: String(number * 10) }
  return { number, chain: 'chain', ...at, parts, known_keys: null, ...changes }
}

const first = signSeal(content(1), undefined, key)
const second = signSeal(content(2), first.digest, key)
const kindOf = (seal: Seal, before: Seal | undefined) => checkSeal(seal, before, findKey)?.kind

test('a seal is due once an hour has ended since the last one', () => {
  assert.ok(isSealDue(undefined, 0))
  assert.equal(isSealDue({ sealed_at: 3_601 }, 7_199), false)
  assert.ok(isSealDue({ sealed_at: 3_601 }, 7_200))
})

test('an untouched chain has no problem', () => {
  assert.equal(kindOf(first, undefined), undefined)
  assert.equal(kindOf(second, first), undefined)
})

test('every change of a seal is found', () => {
  const changes: Partial<Seal>[] = [
    { sealed_at: 5 },
    { until: '21' },
    { parts: [{ month: '2026-11', entries: 1, digest: 'aa' }] },
    { parts: [{ month: '2026-11', entries: 2, digest: 'bb' }] },
    { parts: [] },
    { digest: first.digest },
  ]
  for (const change of changes) assert.equal(kindOf({ ...second, ...change }, first), 'changed_seal')
  assert.equal(kindOf({ ...second, signature: first.signature }, first), 'bad_signature')
})

test('a seal that was made again with another key is found', () => {
  const other = generateKeyPairSync('ed25519')
  const forged = signSeal(content(2, { parts: [] }), first.digest, { kid: 'one', private_key: other.privateKey })
  assert.equal(kindOf(forged, first), 'bad_signature')
  const unknown = signSeal(content(2, { parts: [] }), first.digest, { kid: 'two', private_key: other.privateKey })
  assert.equal(kindOf(unknown, first), 'unknown_key')
})

/** A pair with its id, and its public half as seals name it. */
function makeKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const named: SealKey = { kid, x: publicKey.export({ format: 'jwk' }).x as string }
  return { kid, private_key: privateKey, named }
}

test('a key that no file has any more is vouched for by a seal of a later key', () => {
  const [two, three] = [makeKey('two'), makeKey('three')]
  const named = (number: number, previous: Seal | undefined, by: typeof two, known: readonly (typeof two)[]) =>
    signSeal(content(number, { known_keys: known.map((one) => one.named) }), previous?.digest, by)
  // Three knew two, and one knew three: both are proved by the file, which has only one.
  const old = named(1, undefined, two, [two])
  const middle = named(2, old, three, [two, three])
  const newest = signSeal(content(3, { known_keys: [three.named] }), middle.digest, key)
  const find = withVouchedKeys(findKey, [old, middle, newest])
  const chain = [undefined, old, middle, newest]
  const problems = (seals: typeof chain, by = find) =>
    seals.slice(1).map((seal, at) => checkSeal(seal as Seal, seals[at], by)?.kind)
  assert.deepEqual(problems(chain), [undefined, undefined, undefined])
  assert.deepEqual(problems(chain, findKey), ['unknown_key', 'unknown_key', undefined])
  // Who names a key without a key that is known vouches for nothing, not even for itself.
  const forger = makeKey('two')
  const forged = named(1, undefined, forger, [forger])
  assert.equal(withVouchedKeys(findKey, [forged])('two'), undefined)
  const claimed: Seal = { ...newest, known_keys: [three.named], signature: old.signature }
  assert.equal(withVouchedKeys(findKey, [claimed])('three'), undefined)
  const odd: Seal = { ...newest, known_keys: [{ kid: 'odd', x: 'odd' }] }
  assert.equal(withVouchedKeys(findKey, [odd])('odd'), undefined)
})

test('a key of the file is not replaced by one of the same name, and the names of keys are under the signature', () => {
  const other = makeKey('one')
  const seal = signSeal(content(1, { known_keys: [other.named] }), undefined, key)
  assert.equal(withVouchedKeys(findKey, [seal])('one'), pair.publicKey)
  for (const known_keys of [null, [], [{ ...other.named, kid: 'two' }], [makeKey('one').named]]) {
    assert.equal(kindOf({ ...seal, known_keys }, undefined), 'changed_seal')
  }
})

test('a chain holds the digest of each seal before, so one that is replaced breaks the next', () => {
  const replaced = signSeal(content(1, { parts: [] }), undefined, key)
  assert.equal(kindOf(replaced, undefined), undefined)
  assert.equal(kindOf(second, replaced), 'changed_seal')
})

test('a missing seal, another chain and a seal that goes back are found', () => {
  assert.equal(kindOf(second, undefined), 'missing_seal')
  assert.equal(kindOf(signSeal(content(3), first.digest, key), first), 'missing_seal')
  assert.equal(kindOf(signSeal(content(2, { chain: 'other' }), first.digest, key), first), 'changed_seal')
  assert.equal(kindOf(signSeal(content(2, { until: '10' }), first.digest, key), first), 'changed_seal')
})

test('the entries under a seal are those that it covered', () => {
  const part = { month: '2026-11', entries: 2, digest: 'aa' }
  const kind = (found: Parameters<typeof checkParts>[1], isOld = false) => checkParts(first, found, isOld)?.kind
  assert.equal(kind([part]), undefined)
  assert.equal(kind([{ ...part, digest: 'bb' }]), 'changed_entries')
  assert.equal(kind([{ ...part, entries: 1, digest: 'bb' }], true), 'changed_entries')
  assert.equal(kind([]), 'changed_entries')
  assert.equal(kind([], true), undefined)
  assert.equal(kind([part, { ...part, month: '2026-12' }]), 'added_entries')
  assert.match(
    checkParts(
      first,
      [{ ...part, entries: 3 }].map((one) => ({ ...one, digest: 'b' })),
      false,
    )?.message ?? '',
    /covers 2 and there are 3/,
  )
})

test('an end that is missing is found by a seal that was kept elsewhere', () => {
  const kind = (expected: readonly { number: number }[], last: Seal | undefined = second) =>
    checkEnd(last, expected)?.kind
  assert.equal(kind([]), undefined)
  assert.equal(kind([{ number: 2 }, { number: 1 }]), undefined)
  assert.equal(kind([{ number: 1 }, { number: 3 }, { number: 2 }]), 'missing_end')
  assert.equal(checkEnd(undefined, [{ number: 1 }])?.kind, 'missing_end')
})

test('a server notices that the seal is gone or another that it has seen last', () => {
  const kind = (last: Seal | undefined, remembered: Seal | undefined, mayBeginAgain = false) =>
    checkRemembered(last, remembered, mayBeginAgain)?.kind
  assert.equal(kind(undefined, undefined), undefined)
  assert.equal(kind(first, undefined), undefined)
  assert.equal(kind(second, second), undefined)
  assert.equal(kind(second, first), undefined)
  assert.equal(kind(first, second), 'missing_end')
  assert.equal(kind(undefined, first), 'missing_end')
  assert.equal(kind(signSeal(content(2, { parts: [] }), first.digest, key), second), 'changed_seal')
  const other = signSeal(content(2, { chain: 'other' }), first.digest, key)
  assert.equal(kind(other, second), 'changed_seal')
  assert.equal(kind(signSeal(content(3, { chain: 'other' }), first.digest, key), second), 'changed_seal')
  // A sandbox that was reset has another chain or none. In the same chain nothing may be gone.
  assert.equal(kind(other, second, true), undefined)
  assert.equal(kind(undefined, second, true), undefined)
  assert.equal(kind(first, second, true), 'missing_end')
})
