import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { checkEnd, checkParts, checkSeal, isSealDue, type Seal, type SealContent, signSeal } from './seals.rules.ts'

const pair = generateKeyPairSync('ed25519')
const key = { kid: 'one', private_key: pair.privateKey }
const findKey = (kid: string) => (kid === 'one' ? pair.publicKey : undefined)

function content(number: number, changes: Partial<SealContent> = {}): SealContent {
  const parts = [{ month: '2026-11', entries: 2, digest: 'aa' }]
  return { number, chain: 'chain', sealed_at: number * 3600, until: String(number * 10), parts, ...changes }
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
  assert.equal(kindOf(unknown, first), undefined)
  assert.deepEqual(
    checkEnd(unknown, findKey, undefined).map(({ kind }) => kind),
    ['unknown_key'],
  )
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
  const kinds = (expected: { number: number; digest: string } | undefined, last: Seal | undefined = first) =>
    checkEnd(last, findKey, expected).map(({ kind }) => kind)
  assert.deepEqual(kinds(undefined), [])
  assert.deepEqual(kinds({ number: 1, digest: first.digest }), [])
  assert.deepEqual(kinds({ number: 2, digest: second.digest }), ['missing_end'])
  assert.deepEqual(checkEnd(undefined, findKey, { number: 1, digest: first.digest })[0]?.kind, 'missing_end')
})
