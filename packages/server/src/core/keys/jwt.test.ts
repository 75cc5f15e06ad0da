import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { hostileTokens, signText } from '../../../test/support/hostile-tokens.ts'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom } from '../base/random.ts'
import { type ApiTokenClaims, createTokenVerifier, signApiToken, verifyApiToken, verifyToken } from './jwt.ts'
import { makeKeys } from './key-files.ts'
import { rotateSigningKeys } from './key-rotation.rules.ts'
import { loadKeys } from './keys.ts'

const now = 1_790_000_000
const issuer = 'https://bourse.example'
const audience = 'https://bourse.example'
const keys = loadKeys(makeKeys('operator', createSeededRandom('tokens'))).signing
const otherKeys = loadKeys(makeKeys('operator', createSeededRandom('others'))).signing
const claims: ApiTokenClaims = {
  iss: issuer,
  aud: audience,
  sub: 'tokn_P23J5k-9vwCzUSRrorfK',
  acct: 'acme',
  wksp: 'wksp_P23J5k-JpSLKIcWYVI7j',
  iat: now,
  jti: 'aLq0dDcpH1aYx2',
  exp: now + 7_776_000,
}
const header = { alg: 'EdDSA', typ: 'bourse-api+jwt', kid: keys.current.kid }

const rules = { keys, issuer, audience, now }

test('a signed token is valid and gives its claims', async () => {
  const token = await signApiToken(keys, claims)
  assert.match(token, /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/)
  assert.deepEqual(await verifyApiToken(token, rules), claims)
  const [first] = token.split('.')
  const fields = JSON.parse(Buffer.from(first as string, 'base64url').toString())
  assert.deepEqual(fields, { alg: 'EdDSA', typ: 'bourse-api+jwt', kid: keys.current.kid })
})

test('a token without expiry gives claims without exp', async () => {
  const { exp: _, ...endless } = claims
  const verified = await verifyApiToken(await signApiToken(keys, endless), { ...rules, now: now + 10 ** 9 })
  assert.deepEqual(verified, endless)
  assert.ok(!('exp' in (verified as object)))
})

test('the same key and claims give the same token, whatever the order of the claims', async () => {
  const { iss, ...rest } = claims
  assert.equal(await signApiToken(keys, { ...rest, iss }), await signApiToken(keys, claims))
  assert.equal(await signApiToken(keys, claims, keys.current.kid), await signApiToken(keys, claims))
})

test('times are checked with a tolerance of 60 seconds', async () => {
  const token = await signApiToken(keys, { ...claims, iat: now, exp: now + 100 })
  const valid: [number, boolean][] = [
    [-61, false],
    [-60, true],
    [0, true],
    [100, true],
    [159, true],
    [160, false],
    [10 ** 9, false],
  ]
  for (const [shift, isValid] of valid) {
    const verified = await verifyApiToken(token, { ...rules, now: now + shift })
    assert.equal(verified !== undefined, isValid, `${shift} s`)
  }
})

test('if the clock may be reset, a token with a future iat is valid', async () => {
  const token = await signApiToken(keys, { ...claims, iat: now + 10 ** 9, exp: now + 10 ** 9 + 5 })
  assert.equal(await verifyApiToken(token, rules), undefined)
  assert.ok(await verifyApiToken(token, { ...rules, is_early_allowed: true }))
})

test('keys rotate without an interruption, and replays sign the same bytes again', async () => {
  const random = createSeededRandom('rotation')
  const first = makeKeys('operator', random)
  const second = { ...first, signing: rotateSigningKeys(first.signing, { now: 0, random }) }
  const third = { ...second, signing: rotateSigningKeys(second.signing, { now: 9 * 86_400, random }) }
  const [a, b, c] = [first, second, third].map((files) => loadKeys(files).signing)
  assert.ok(a && b && c)
  const old = await signApiToken(a, claims)
  const middle = await signApiToken(b, claims)
  // A replica with the former file accepts the first tokens of the next key.
  assert.ok(await verifyApiToken(middle, { ...rules, keys: a }))
  for (const later of [b, c]) assert.ok(await verifyApiToken(old, { ...rules, keys: later }))
  assert.equal(await signApiToken(b, claims, a.current.kid), old)
  await assert.rejects(signApiToken(c, claims, a.current.kid))
  assert.notEqual(middle, old)
})

test('the verifier answers synchronously for a cached token, until the token expires', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(keys, { ...claims, exp: now + 10 })
  assert.ok(verifier.verify(token, now) instanceof Promise)
  assert.ok(await verifier.verify(token, now))
  const again = verifier.verify(Buffer.from(token).toString(), now + 69)
  assert.equal((again as { sub: string }).sub, claims.sub)
  assert.equal(verifier.verify(token, now + 70), undefined)
  assert.throws(() => Object.assign(again as object, { acct: 'other' }), TypeError)
})

test('the verifier never caches an invalid token', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(otherKeys, claims)
  for (let i = 0; i < 3; i++) {
    const response = verifier.verify(token, now)
    assert.ok(response instanceof Promise)
    assert.equal(await response, undefined)
  }
  const good = await signApiToken(keys, claims)
  await verifier.verify(good, now)
  for (let at = 0; at < good.length; at++) {
    const letter = good[at] === 'A' ? 'B' : 'A'
    assert.equal(await verifier.verify(good.slice(0, at) + letter + good.slice(at + 1), now), undefined)
  }
})

test('concurrent requests with a new token are verified once', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(keys, { ...claims, jti: 'together' })
  const responses = Array.from({ length: 50 }, () => verifier.verify(token, now))
  assert.equal(new Set(responses).size, 1)
  for (const response of responses) assert.ok(await response)
})

test('no single character of a token can be changed, removed or inserted', async () => {
  const token = await signApiToken(keys, claims)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0'
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length), fc.nat(2), fc.constantFrom('', ...alphabet), async (at, cut, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + cut)
      fc.pre(changed !== token)
      assert.equal(await verifyApiToken(changed, rules), undefined, changed)
    }),
    { numRuns: sized(1000) },
  )
})

test('no text makes the parser throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), async (parts) => {
      assert.equal(await verifyApiToken(parts.join('.'), rules), undefined)
      const encoded = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
      assert.equal(await verifyApiToken(`${encoded}.${'A'.repeat(86)}`, rules), undefined)
    }),
  )
})

test('another kind of token has its own typ, key and maximum lifetime', async () => {
  const host = otherKeys.current
  const agent = {
    typ: 'bourse-agent+jwt',
    audience,
    now,
    life_seconds_max: 300,
    hasClaims: (raw: { iss?: unknown; sub?: unknown }) => raw.iss === 'host_a' && raw.sub === 'host_a',
    findKey: () => host.public_key,
  }
  const agentClaims = { iss: 'host_a', aud: audience, sub: 'host_a', iat: now, exp: now + 300, jti: 'x' }
  const agentHeader = { alg: 'EdDSA', typ: 'bourse-agent+jwt' }
  const signed = (changes: object) =>
    signText(agentHeader, { ...agentClaims, ...changes }, host.private_key as KeyObject)
  assert.deepEqual(await verifyToken(signed({}), agent), agentClaims)
  assert.equal(await verifyToken(signed({ exp: now + 301 }), agent), undefined)
  assert.equal(await verifyToken(signed({ exp: undefined }), agent), undefined)
  assert.equal(await verifyToken(signed({ iss: 'host_b' }), agent), undefined)
  assert.equal(
    await verifyToken(signText(agentHeader, agentClaims, keys.current.private_key as KeyObject), agent),
    undefined,
  )
  assert.equal(await verifyToken(await signApiToken(keys, claims), agent), undefined)
  assert.equal(await verifyApiToken(signed({}), rules), undefined)
})

const wrong_kid = makeKeys('operator', createSeededRandom('tokens')).signing.next
const hostile = hostileTokens({ keys, others: otherKeys, wrong_kid, claims, now })

test('the token from which the hostile ones are derived is valid, also with spaces in its JSON', async () => {
  const key = keys.current.private_key as KeyObject
  for (const body of [claims, JSON.stringify(claims, null, 2), { ...claims, later: 'claim' }]) {
    assert.ok(await verifyApiToken(signText(header, body, key), rules))
  }
})

test('there are at least 45 different hostile tokens', () => {
  assert.ok(hostile.length >= 45)
  assert.equal(new Set(hostile.map(([, token]) => token)).size, hostile.length)
})

for (const [what, token] of hostile) {
  test(`hostile token refused: ${what}`, async () => {
    assert.equal(await verifyApiToken(token, rules), undefined)
    assert.equal(await createTokenVerifier({ keys, issuer, audience }).verify(token, now), undefined)
  })
}

test('a cached token is refused once its key is gone', async () => {
  let isThere = true
  const live = { ...keys, find: (kid: string) => (isThere ? keys.find(kid) : undefined) }
  const verifier = createTokenVerifier({ keys: live, issuer, audience })
  const token = await signApiToken(keys, claims)
  assert.ok(await verifier.verify(token, now))
  isThere = false
  assert.equal(await verifier.verify(token, now), undefined)
})
