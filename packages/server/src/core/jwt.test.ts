import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ApiTokenClaims, createTokenVerifier, signApiToken, verifyApiToken, verifyToken } from './jwt.ts'
import { makeKeys, rotateSigningKeys } from './key-files.ts'
import { loadKeys } from './keys.ts'
import { createSeededRandom } from './random.ts'

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

test('a token that was signed is valid and gives its claims', async () => {
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

test('times are held to within 60 seconds', async () => {
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
  for (const [shift, is_valid] of valid) {
    const verified = await verifyApiToken(token, { ...rules, now: now + shift })
    assert.equal(verified !== undefined, is_valid, `${shift} s`)
  }
})

test('where the clock may be reset, a token never fails for being made ahead of it', async () => {
  const token = await signApiToken(keys, { ...claims, iat: now + 10 ** 9, exp: now + 10 ** 9 + 5 })
  assert.equal(await verifyApiToken(token, rules), undefined)
  assert.ok(await verifyApiToken(token, { ...rules, is_early_allowed: true }))
})

test('keys rotate without a pause, and replays sign the old bytes again', async () => {
  const random = createSeededRandom('rotation')
  const first = makeKeys('operator', random)
  const second = { ...first, signing: rotateSigningKeys(first.signing, random) }
  const third = { ...second, signing: rotateSigningKeys(second.signing, random) }
  const [a, b, c] = [first, second, third].map((files) => loadKeys(files).signing)
  assert.ok(a && b && c)
  const old = await signApiToken(a, claims)
  const middle = await signApiToken(b, claims)
  // A replica that still holds the file of before takes the first tokens of the next key.
  assert.ok(await verifyApiToken(middle, { ...rules, keys: a }))
  for (const later of [b, c]) assert.ok(await verifyApiToken(old, { ...rules, keys: later }))
  assert.equal(await signApiToken(b, claims, a.current.kid), old)
  await assert.rejects(signApiToken(c, claims, a.current.kid))
  assert.notEqual(middle, old)
})

test('the verifier answers at once for a token that it knows, until the token expires', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(keys, { ...claims, exp: now + 10 })
  assert.ok(verifier.verify(token, now) instanceof Promise)
  assert.ok(await verifier.verify(token, now))
  const again = verifier.verify(Buffer.from(token).toString(), now + 69)
  assert.equal((again as { sub: string }).sub, claims.sub)
  assert.equal(verifier.verify(token, now + 70), undefined)
  assert.throws(() => Object.assign(again as object, { acct: 'other' }), TypeError)
})

test('the verifier never remembers a token that failed', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(otherKeys, claims)
  for (let i = 0; i < 3; i++) {
    const answer = verifier.verify(token, now)
    assert.ok(answer instanceof Promise)
    assert.equal(await answer, undefined)
  }
  const good = await signApiToken(keys, claims)
  await verifier.verify(good, now)
  for (let at = 0; at < good.length; at++) {
    const letter = good[at] === 'A' ? 'B' : 'A'
    assert.equal(await verifier.verify(good.slice(0, at) + letter + good.slice(at + 1), now), undefined)
  }
})

test('requests that come together with a new token are verified once', async () => {
  const verifier = createTokenVerifier({ keys, issuer, audience })
  const token = await signApiToken(keys, { ...claims, jti: 'together' })
  const answers = Array.from({ length: 50 }, () => verifier.verify(token, now))
  assert.equal(new Set(answers).size, 1)
  for (const answer of answers) assert.ok(await answer)
})

test('no single character of a token can be changed, left out or put in', async () => {
  const token = await signApiToken(keys, claims)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0'
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length), fc.nat(2), fc.constantFrom('', ...alphabet), async (at, cut, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + cut)
      fc.pre(changed !== token)
      assert.equal(await verifyApiToken(changed, rules), undefined, changed)
    }),
    { numRuns: 1000 },
  )
})

test('no text makes the reading throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), async (parts) => {
      assert.equal(await verifyApiToken(parts.join('.'), rules), undefined)
      const encoded = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
      assert.equal(await verifyApiToken(`${encoded}.${'A'.repeat(86)}`, rules), undefined)
    }),
  )
})

test('another kind of token has its own typ, key and longest life', async () => {
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
  const signed = (changes: object) => signText(agentHeader, { ...agentClaims, ...changes }, host.private_key)
  assert.deepEqual(await verifyToken(signed({}), agent), agentClaims)
  assert.equal(await verifyToken(signed({ exp: now + 301 }), agent), undefined)
  assert.equal(await verifyToken(signed({ exp: undefined }), agent), undefined)
  assert.equal(await verifyToken(signed({ iss: 'host_b' }), agent), undefined)
  assert.equal(await verifyToken(signText(agentHeader, agentClaims, keys.current.private_key), agent), undefined)
  assert.equal(await verifyToken(await signApiToken(keys, claims), agent), undefined)
  assert.equal(await verifyApiToken(signed({}), rules), undefined)
})

type Part = string | Buffer | object

function encode(part: Part): string {
  const isText = typeof part === 'string' || Buffer.isBuffer(part)
  return Buffer.from(isText ? (part as string) : JSON.stringify(part)).toString('base64url')
}

// A token with a good signature over any header and any claims, as text, bytes or an object.
function signText(head: Part, body: Part, key: KeyObject | undefined = keys.current.private_key): string {
  const input = `${encode(head)}.${encode(body)}`
  return `${input}.${sign(null, Buffer.from(input), key as KeyObject).toString('base64url')}`
}

function without(name: string): object {
  return { ...claims, [name]: undefined }
}

function hmac(secret: string | Buffer): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function es256(alg: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const input = `${encode({ ...header, alg })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

// The same signature with the group order added to its second half: a lenient verifier takes it too.
function malleable(token: string): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const [head, body, signature] = token.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url')
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  for (let i = 32; i < 64; i++, s >>= 8n) bytes[i] = Number(s & 255n)
  return `${head}.${body}.${bytes.toString('base64url')}`
}

function spareBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) as string) + 1]
}

const good = signText(header, claims)
const [goodHeader, goodClaims, goodSignature] = good.split('.') as [string, string, string]
const publicJwk = otherKeys.current.public_key.export({ format: 'jwk' })
const byOther = (head: object) => signText({ ...header, ...head }, claims, otherKeys.current.private_key)
const unsigned = (alg: string, signature = '') => `${encode({ ...header, alg })}.${goodClaims}.${signature}`
const publicPem = keys.current.public_key.export({ format: 'pem', type: 'spki' })
const publicDer = keys.current.public_key.export({ format: 'der', type: 'spki' })
const publicRaw = Buffer.from(keys.current.public_key.export({ format: 'jwk' }).x as string, 'base64url')
const claimsText = JSON.stringify(claims)

const hostile: [string, string][] = [
  ['nothing', ''],
  ['a word', 'token'],
  ['two dots', '..'],
  ['none without a signature', unsigned('none')],
  ['None', unsigned('None')],
  ['NONE', unsigned('NONE')],
  ['nOnE', unsigned('nOnE')],
  ['none with a signature', unsigned('none', goodSignature)],
  ['none with a signature of zeros', unsigned('none', 'A'.repeat(86))],
  ['no signature', `${goodHeader}.${goodClaims}.`],
  ['no third part', `${goodHeader}.${goodClaims}`],
  ['a signature of zeros', `${goodHeader}.${goodClaims}.${'A'.repeat(86)}`],
  ['an HMAC keyed with the public key as PEM', hmac(publicPem)],
  ['an HMAC keyed with the public key as DER', hmac(publicDer)],
  ['an HMAC keyed with the public key as bytes', hmac(publicRaw)],
  ['another algorithm', es256('ES256')],
  ['a signature of another algorithm under our name for ours', es256('EdDSA')],
  ['RS256', signText({ ...header, alg: 'RS256' }, claims)],
  ['the algorithm in lower case', signText({ ...header, alg: 'eddsa' }, claims)],
  ['the algorithm in capitals', signText({ ...header, alg: 'EDDSA' }, claims)],
  ['the algorithm under its other name', signText({ ...header, alg: 'Ed25519' }, claims)],
  ['an algorithm with a space', signText({ ...header, alg: 'EdDSA ' }, claims)],
  ['a list of algorithms', signText({ ...header, alg: ['EdDSA'] }, claims)],
  ['no algorithm', signText({ ...header, alg: undefined }, claims)],
  ['another key under our kid', byOther({})],
  ['another key under its own kid', byOther({ kid: otherKeys.current.kid })],
  ['the wrong one of our own kids', signText({ ...header, kid: rotated().kid }, claims)],
  ['an embedded key', byOther({ jwk: publicJwk })],
  ['an embedded key without kid', byOther({ jwk: publicJwk, kid: undefined })],
  ['a key URL', byOther({ jku: 'https://evil.example/keys' })],
  ['a certificate URL', byOther({ x5u: 'https://evil.example/cert' })],
  ['a certificate', byOther({ x5c: ['MIIB'] })],
  [
    'our own good key embedded',
    signText({ ...header, jwk: keys.current.public_key.export({ format: 'jwk' }) }, claims),
  ],
  ['a kid that walks the file system', byOther({ kid: '../../../dev/null' })],
  ['a kid with SQL', byOther({ kid: "x' or '1'='1" })],
  ['a kid of 10 KiB', byOther({ kid: 'k'.repeat(10_240) })],
  ['a kid of 2 KiB', byOther({ kid: 'k'.repeat(2048) })],
  ['a kid named __proto__', signText(`{"alg":"EdDSA","typ":"bourse-api+jwt","kid":"__proto__"}`, claims)],
  ['a kid named constructor', byOther({ kid: 'constructor' })],
  ['a kid that is a number', signText({ ...header, kid: 1 }, claims)],
  ['a kid that is null', signText({ ...header, kid: null }, claims)],
  ['no kid', signText({ ...header, kid: undefined }, claims)],
  ['typ JWT', signText({ ...header, typ: 'JWT' }, claims)],
  ['typ in capitals', signText({ ...header, typ: 'BOURSE-API+JWT' }, claims)],
  ['typ as a media type', signText({ ...header, typ: 'application/bourse-api+jwt' }, claims)],
  ['the typ of an agent', signText({ ...header, typ: 'bourse-agent+jwt' }, claims)],
  ['a list of types', signText({ ...header, typ: ['bourse-api+jwt'] }, claims)],
  ['no typ', signText({ ...header, typ: undefined }, claims)],
  ['an unknown crit', signText({ ...header, crit: ['x'], x: 1 }, claims)],
  ['an empty crit', signText({ ...header, crit: [] }, claims)],
  ['an unencoded payload', signText({ ...header, b64: false, crit: ['b64'] }, claims)],
  ['zip', signText({ ...header, zip: 'DEF' }, claims)],
  ['an unknown header field', signText({ ...header, extra: true }, claims)],
  [
    'a doubled header field',
    signText(`{"alg":"none","alg":"EdDSA","typ":"${header.typ}","kid":"${header.kid}"}`, claims),
  ],
  [
    'a doubled kid by escapes',
    signText(`{"alg":"EdDSA","typ":"${header.typ}","kid":"x","ki\\u0064":"${header.kid}"}`, claims),
  ],
  ['a header that is a list', signText([header], claims)],
  ['a header that is no JSON', signText('{alg:EdDSA}', claims)],
  ['another issuer', signText(header, { ...claims, iss: 'https://evil.example' })],
  ['the issuer with a slash', signText(header, { ...claims, iss: `${issuer}/` })],
  ['another audience', signText(header, { ...claims, aud: 'https://evil.example' })],
  ['a list of audiences with a foreign one', signText(header, { ...claims, aud: [audience, 'https://evil.example'] })],
  ['an audience in capitals', signText(header, { ...claims, aud: audience.toUpperCase() })],
  ['an expired token', signText(header, { ...claims, exp: now - 60 })],
  ['a token from the future', signText(header, { ...claims, iat: now + 61 })],
  ['a token that is not valid yet', signText(header, { ...claims, nbf: now + 61 })],
  ['a start of validity as a string', signText(header, { ...claims, nbf: String(now) })],
  ['exp as a string', signText(header, { ...claims, exp: String(now + 100) })],
  ['exp as a fraction', signText(header, claimsText.replace(/"exp":\d+/, `"exp":${now + 100}.5`))],
  ['exp as a fraction of zero', signText(header, claimsText.replace(/"exp":\d+/, `"exp":${now + 100}.0`))],
  ['exp 1e400', signText(header, claimsText.replace(/"exp":\d+/, '"exp":1e400'))],
  ['exp of 30 digits', signText(header, claimsText.replace(/"exp":\d+/, `"exp":${'9'.repeat(30)}`))],
  ['exp null', signText(header, { ...claims, exp: null })],
  ['exp true', signText(header, { ...claims, exp: true })],
  ['exp negative', signText(header, { ...claims, exp: -1 })],
  ['exp zero', signText(header, { ...claims, exp: 0 })],
  ...['iss', 'aud', 'sub', 'acct', 'wksp', 'iat', 'jti'].flatMap((name): [string, string][] => [
    [`no ${name}`, signText(header, without(name))],
    [`${name} null`, signText(header, { ...claims, [name]: null })],
    [`${name} as an object`, signText(header, { ...claims, [name]: {} })],
    [`${name} as a list of one`, signText(header, { ...claims, [name]: [claims[name as 'iss']] })],
    [`${name} of the other type`, signText(header, { ...claims, [name]: name === 'iat' ? String(now) : 7 })],
  ]),
  ['a negative iat', signText(header, { ...claims, iat: -1 })],
  ['a jti of 65 characters', signText(header, { ...claims, jti: 'j'.repeat(65) })],
  ['an empty jti', signText(header, { ...claims, jti: '' })],
  ['the id of a user', signText(header, { ...claims, sub: 'usr_P23J5k-9vwCzUSRrorfK' })],
  ['an id with a line break', signText(header, { ...claims, sub: `${claims.sub}\n` })],
  ['an account with a slash', signText(header, { ...claims, acct: 'acme/../other' })],
  ['a doubled claim', signText(header, claimsText.replace('{', '{"sub":"tokn_other",'))],
  ['a doubled claim by escapes', signText(header, claimsText.replace('{', '{"su\\u0062":"tokn_other",'))],
  ['a claim named __proto__', signText(header, claimsText.replace('{', '{"__proto__":{"exp":9},'))],
  ['claims that are a list', signText(header, [claims])],
  ['claims that are null', signText(header, 'null')],
  ['claims that are no JSON', signText(header, `${claimsText},`)],
  ['claims with a byte order mark', signText(header, `\ufeff${claimsText}`)],
  ['claims that are not UTF-8', signText(header, Buffer.concat([Buffer.from(claimsText), Buffer.from([0xff])]))],
  [
    'claims nested a hundred deep',
    signText(header, claimsText.replace('{', `{"x":${'['.repeat(100)}${']'.repeat(100)},`)),
  ],
  ['no claims', signText(header, '')],
  ['a token within a token', signText(header, good)],
  ['a token within a token, declared', signText({ ...header, cty: 'JWT' }, good)],
  ['more than 4 KiB', signText(header, { ...claims, padding: 'x'.repeat(3000) })],
  ['a mebibyte', `${goodHeader}.${'A'.repeat(2 ** 20)}.${goodSignature}`],
  ['the flattened JSON form', JSON.stringify({ protected: goodHeader, payload: goodClaims, signature: goodSignature })],
  [
    'the general JSON form',
    JSON.stringify({ payload: goodClaims, signatures: [{ protected: goodHeader, signature: goodSignature }] }),
  ],
  ['four parts', `${good}.${goodSignature}`],
  ['an empty fourth part', `${good}.`],
  ['five parts, as when encrypted', `${goodHeader}.${goodClaims}.${goodSignature}.${goodSignature}.${goodSignature}`],
  ['a padded signature', `${good}==`],
  ['a padded header', `${goodHeader}=.${goodClaims}.${goodSignature}`],
  ['the other base64 alphabet', `${goodHeader}.${goodClaims}.${`+/${goodSignature.slice(2)}`}`],
  ['a space in front', ` ${good}`],
  ['a space behind', `${good} `],
  ['a line break behind', `${good}\n`],
  ['a space within', `${goodHeader}. ${goodClaims}.${goodSignature}`],
  ['the scheme in front', `Bearer ${good}`],
  ['two tokens', `${good},${good}`],
  ['a NUL behind', `${good}\0`],
  ['spare bits in the signature', `${goodHeader}.${goodClaims}.${spareBits(goodSignature)}`],
  ['the signature with the group order added', malleable(good)],
  ['half of the signature', `${goodHeader}.${goodClaims}.${goodSignature.slice(0, 43)}`],
  ['another header under the signature', `${encode({ ...header, x: 1 })}.${goodClaims}.${goodSignature}`],
  ['other claims under the signature', `${goodHeader}.${encode({ ...claims, acct: 'other' })}.${goodSignature}`],
  [
    'another workspace under the signature',
    `${goodHeader}.${encode({ ...claims, wksp: 'wksp_other' })}.${goodSignature}`,
  ],
  [
    'the signature of another token',
    `${goodHeader}.${goodClaims}.${signText(header, { ...claims, jti: 'x' }).split('.')[2]}`,
  ],
  ['header and claims exchanged', `${goodClaims}.${goodHeader}.${goodSignature}`],
]

function rotated(): { kid: string } {
  return { kid: makeKeys('operator', createSeededRandom('tokens')).signing.next }
}

test('the token that the hostile ones are made of is valid, also with spaces in its JSON', async () => {
  assert.ok(await verifyApiToken(good, rules))
  assert.ok(await verifyApiToken(signText(header, JSON.stringify(claims, null, 2)), rules))
  assert.ok(await verifyApiToken(signText(header, { ...claims, later: 'claim' }), rules))
})

test('there are at least 45 hostile tokens, each another one', () => {
  assert.ok(hostile.length >= 45)
  assert.equal(new Set(hostile.map(([, token]) => token)).size, hostile.length)
})

for (const [what, token] of hostile) {
  test(`hostile token refused: ${what}`, async () => {
    assert.equal(await verifyApiToken(token, rules), undefined)
    assert.equal(await createTokenVerifier({ keys, issuer, audience }).verify(token, now), undefined)
  })
}
