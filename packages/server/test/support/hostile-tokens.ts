/** Tokens that must be refused. Each differs from a valid one in one way. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { ApiTokenClaims } from '../../src/core/keys/jwt.ts'
import type { SigningKeys } from '../../src/core/keys/keys.ts'

/** The parameters of hostile tokens: keys, the claims of a valid token, and the time of the check. */
export type Makings = {
  readonly keys: SigningKeys
  /** Keys of another installation. */
  readonly others: SigningKeys
  /** A key id of this installation other than that of the signing key. */
  readonly wrong_kid: string
  readonly claims: ApiTokenClaims
  readonly now: number
}

type TokenPart = string | Buffer | object
type Hostile = [what: string, token: string]

/** The parameters, with the parts that every group of tokens uses. */
type TokenParts = Makings & {
  readonly header: { alg: string; typ: string; kid: string }
  readonly good: string
  readonly goodHeader: string
  readonly goodClaims: string
  readonly goodSignature: string
  readonly claimsText: string
  signed(head: TokenPart, body: TokenPart): string
}

/** All hostile tokens, by the name of their defect. */
export function hostileTokens(makings: Makings): Hostile[] {
  const { keys, claims } = makings
  const key = keys.current.private_key as KeyObject
  const header = { alg: 'EdDSA', typ: 'bourse-api+jwt', kid: keys.current.kid }
  const signed = (head: TokenPart, body: TokenPart) => signText(head, body, key)
  const good = signed(header, claims)
  const [goodHeader, goodClaims, goodSignature] = good.split('.') as [string, string, string]
  const claimsText = JSON.stringify(claims)
  const m: TokenParts = { ...makings, header, signed, good, goodHeader, goodClaims, goodSignature, claimsText }
  return [algorithms, keysOfOthers, headers, wrongClaims, wrongPayloads, forms].flatMap((group) => group(m))
}

// A token with a valid signature over any header and any claims, as text, bytes or an object.
export function signText(head: TokenPart, body: TokenPart, key: KeyObject): string {
  const input = `${encode(head)}.${encode(body)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}

function algorithms(m: TokenParts): Hostile[] {
  const { keys, header, claims, goodHeader, goodClaims, goodSignature, signed } = m
  const publicPem = keys.current.public_key.export({ format: 'pem', type: 'spki' })
  const publicDer = keys.current.public_key.export({ format: 'der', type: 'spki' })
  const publicRaw = Buffer.from(keys.current.public_key.export({ format: 'jwk' }).x as string, 'base64url')
  return [
    ['nothing', ''],
    ['a word', 'token'],
    ['two dots', '..'],
    ['none without a signature', unsigned(m, 'none')],
    ['None', unsigned(m, 'None')],
    ['NONE', unsigned(m, 'NONE')],
    ['nOnE', unsigned(m, 'nOnE')],
    ['none with a signature', unsigned(m, 'none', goodSignature)],
    ['none with a signature of zeros', unsigned(m, 'none', 'A'.repeat(86))],
    ['no signature', `${goodHeader}.${goodClaims}.`],
    ['no third part', `${goodHeader}.${goodClaims}`],
    ['a signature of zeros', `${goodHeader}.${goodClaims}.${'A'.repeat(86)}`],
    ['an HMAC with the public key in PEM as its key', hmac(m, publicPem)],
    ['an HMAC with the public key in DER as its key', hmac(m, publicDer)],
    ['an HMAC with the raw public key as its key', hmac(m, publicRaw)],
    ['another algorithm', es256(m, 'ES256')],
    ['a signature of another algorithm with alg EdDSA', es256(m, 'EdDSA')],
    ['RS256', signed({ ...header, alg: 'RS256' }, claims)],
    ['the algorithm in lower case', signed({ ...header, alg: 'eddsa' }, claims)],
    ['the algorithm in capitals', signed({ ...header, alg: 'EDDSA' }, claims)],
    ['the algorithm under its other name', signed({ ...header, alg: 'Ed25519' }, claims)],
    ['an algorithm with a space', signed({ ...header, alg: 'EdDSA ' }, claims)],
    ['a list of algorithms', signed({ ...header, alg: ['EdDSA'] }, claims)],
    ['no algorithm', signed({ ...header, alg: undefined }, claims)],
  ]
}

function keysOfOthers(m: TokenParts): Hostile[] {
  const { keys, others, wrong_kid, header, claims, signed } = m
  const publicJwk = others.current.public_key.export({ format: 'jwk' })
  return [
    ['another key under our kid', byOther(m, {})],
    ['another key under its own kid', byOther(m, { kid: others.current.kid })],
    ['another kid of this installation', signed({ ...header, kid: wrong_kid }, claims)],
    ['an embedded key', byOther(m, { jwk: publicJwk })],
    ['an embedded key without kid', byOther(m, { jwk: publicJwk, kid: undefined })],
    ['a key URL', byOther(m, { jku: 'https://evil.example/keys' })],
    ['a certificate URL', byOther(m, { x5u: 'https://evil.example/cert' })],
    ['a certificate', byOther(m, { x5c: ['MIIB'] })],
    ['the valid key embedded', signed({ ...header, jwk: keys.current.public_key.export({ format: 'jwk' }) }, claims)],
    ['a kid with a file path', byOther(m, { kid: '../../../dev/null' })],
    ['a kid with SQL', byOther(m, { kid: "x' or '1'='1" })],
    ['a kid of 10 KiB', byOther(m, { kid: 'k'.repeat(10_240) })],
    ['a kid of 2 KiB', byOther(m, { kid: 'k'.repeat(2048) })],
    ['a kid named __proto__', signed(`{"alg":"EdDSA","typ":"bourse-api+jwt","kid":"__proto__"}`, claims)],
    ['a kid named constructor', byOther(m, { kid: 'constructor' })],
    ['a kid that is a number', signed({ ...header, kid: 1 }, claims)],
    ['a kid that is null', signed({ ...header, kid: null }, claims)],
    ['no kid', signed({ ...header, kid: undefined }, claims)],
  ]
}

function headers(m: TokenParts): Hostile[] {
  const { claims, header, signed } = m
  return [
    ['typ JWT', signed({ ...header, typ: 'JWT' }, claims)],
    ['typ in capitals', signed({ ...header, typ: 'BOURSE-API+JWT' }, claims)],
    ['typ as a media type', signed({ ...header, typ: 'application/bourse-api+jwt' }, claims)],
    ['the typ of an agent', signed({ ...header, typ: 'bourse-agent+jwt' }, claims)],
    ['a list of types', signed({ ...header, typ: ['bourse-api+jwt'] }, claims)],
    ['no typ', signed({ ...header, typ: undefined }, claims)],
    ['an unknown crit', signed({ ...header, crit: ['x'], x: 1 }, claims)],
    ['an empty crit', signed({ ...header, crit: [] }, claims)],
    ['an unencoded payload', signed({ ...header, b64: false, crit: ['b64'] }, claims)],
    ['zip', signed({ ...header, zip: 'DEF' }, claims)],
    ['an unknown header field', signed({ ...header, extra: true }, claims)],
    [
      'a duplicate header field',
      signed(`{"alg":"none","alg":"EdDSA","typ":"${header.typ}","kid":"${header.kid}"}`, claims),
    ],
    [
      'a duplicate kid by escapes',
      signed(`{"alg":"EdDSA","typ":"${header.typ}","kid":"x","ki\\u0064":"${header.kid}"}`, claims),
    ],
    ['a header that is a list', signed([header], claims)],
    ['a header that is not JSON', signed('{alg:EdDSA}', claims)],
  ]
}

function wrongClaims(m: TokenParts): Hostile[] {
  const { claims, now, header, claimsText, signed } = m
  return [
    ['another issuer', signed(header, { ...claims, iss: 'https://evil.example' })],
    ['the issuer with a slash', signed(header, { ...claims, iss: `${claims.iss}/` })],
    ['another audience', signed(header, { ...claims, aud: 'https://evil.example' })],
    [
      'a list of audiences with a foreign one',
      signed(header, { ...claims, aud: [claims.aud, 'https://evil.example'] }),
    ],
    ['an audience in capitals', signed(header, { ...claims, aud: claims.aud.toUpperCase() })],
    ['an expired token', signed(header, { ...claims, exp: now - 60 })],
    ['a token from the future', signed(header, { ...claims, iat: now + 61 })],
    ['a token that is not valid yet', signed(header, { ...claims, nbf: now + 61 })],
    ['a start of validity as a string', signed(header, { ...claims, nbf: String(now) })],
    ['exp as a string', signed(header, { ...claims, exp: String(now + 100) })],
    ['exp as a fraction', signed(header, claimsText.replace(/"exp":\d+/, `"exp":${now + 100}.5`))],
    ['exp as a fraction of zero', signed(header, claimsText.replace(/"exp":\d+/, `"exp":${now + 100}.0`))],
    ['exp 1e400', signed(header, claimsText.replace(/"exp":\d+/, '"exp":1e400'))],
    ['exp of 30 digits', signed(header, claimsText.replace(/"exp":\d+/, `"exp":${'9'.repeat(30)}`))],
    ['exp null', signed(header, { ...claims, exp: null })],
    ['exp true', signed(header, { ...claims, exp: true })],
    ['exp negative', signed(header, { ...claims, exp: -1 })],
    ['exp zero', signed(header, { ...claims, exp: 0 })],
    ...['iss', 'aud', 'sub', 'acct', 'wksp', 'iat', 'jti'].flatMap((name): [string, string][] => [
      [`no ${name}`, signed(header, { ...claims, [name]: undefined })],
      [`${name} null`, signed(header, { ...claims, [name]: null })],
      [`${name} as an object`, signed(header, { ...claims, [name]: {} })],
      [`${name} as a list of one`, signed(header, { ...claims, [name]: [claims[name as 'iss']] })],
      [`${name} of the other type`, signed(header, { ...claims, [name]: name === 'iat' ? String(now) : 7 })],
    ]),
  ]
}

function wrongPayloads(m: TokenParts): Hostile[] {
  const { claims, header, good, claimsText, signed } = m
  return [
    ['a negative iat', signed(header, { ...claims, iat: -1 })],
    ['a jti of 65 characters', signed(header, { ...claims, jti: 'j'.repeat(65) })],
    ['an empty jti', signed(header, { ...claims, jti: '' })],
    ['the id of a user', signed(header, { ...claims, sub: 'usr_P23J5k-9vwCzUSRrorfK' })],
    ['an id with a line break', signed(header, { ...claims, sub: `${claims.sub}\n` })],
    ['an account with a slash', signed(header, { ...claims, acct: 'acme/../other' })],
    ['a duplicate claim', signed(header, claimsText.replace('{', '{"sub":"tokn_other",'))],
    ['a duplicate claim by escapes', signed(header, claimsText.replace('{', '{"su\\u0062":"tokn_other",'))],
    ['a claim named __proto__', signed(header, claimsText.replace('{', '{"__proto__":{"exp":9},'))],
    ['claims that are a list', signed(header, [claims])],
    ['claims that are null', signed(header, 'null')],
    ['claims that are not JSON', signed(header, `${claimsText},`)],
    ['claims with a byte order mark', signed(header, `\ufeff${claimsText}`)],
    ['claims that are not UTF-8', signed(header, Buffer.concat([Buffer.from(claimsText), Buffer.from([0xff])]))],
    [
      'claims nested a hundred deep',
      signed(header, claimsText.replace('{', `{"x":${'['.repeat(100)}${']'.repeat(100)},`)),
    ],
    ['no claims', signed(header, '')],
    ['a token within a token', signed(header, good)],
    ['a token within a token, declared', signed({ ...header, cty: 'JWT' }, good)],
  ]
}

function forms(m: TokenParts): Hostile[] {
  const { claims, header, good, goodHeader, goodClaims, goodSignature, signed } = m
  return [
    ['more than 4 KiB', signed(header, { ...claims, padding: 'x'.repeat(3000) })],
    ['a mebibyte', `${goodHeader}.${'A'.repeat(2 ** 20)}.${goodSignature}`],
    [
      'the flattened JSON form',
      JSON.stringify({ protected: goodHeader, payload: goodClaims, signature: goodSignature }),
    ],
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
    ['a leading space', ` ${good}`],
    ['a trailing space', `${good} `],
    ['a trailing line break', `${good}\n`],
    ['a space within', `${goodHeader}. ${goodClaims}.${goodSignature}`],
    ['a leading scheme', `Bearer ${good}`],
    ['two tokens', `${good},${good}`],
    ['a trailing NUL', `${good}\0`],
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
      `${goodHeader}.${goodClaims}.${signed(header, { ...claims, jti: 'x' }).split('.')[2]}`,
    ],
    ['header and claims exchanged', `${goodClaims}.${goodHeader}.${goodSignature}`],
  ]
}

function encode(part: TokenPart): string {
  const isText = typeof part === 'string' || Buffer.isBuffer(part)
  return Buffer.from(isText ? (part as string) : JSON.stringify(part)).toString('base64url')
}

function unsigned({ header, goodClaims }: TokenParts, alg: string, signature = ''): string {
  return `${encode({ ...header, alg })}.${goodClaims}.${signature}`
}

function byOther({ header, claims, others }: TokenParts, head: object): string {
  return signText({ ...header, ...head }, claims, others.current.private_key as KeyObject)
}

function hmac({ header, claims }: TokenParts, secret: string | Buffer): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function es256({ header, claims }: TokenParts, alg: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const input = `${encode({ ...header, alg })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

// The same signature with the group order added to its second half, which a lenient verifier accepts.
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
