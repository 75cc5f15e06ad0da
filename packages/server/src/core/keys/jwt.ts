/**
 * Tokens: JWTs in compact form, signed with Ed25519. The parser is so strict that each token has only one valid
 * encoding. Everything else is checked before the signature, because its verification costs a hundred times as much.
 * A token proves identity only. Its row, account and rights are read elsewhere, on every request.
 */
import type { KeyObject } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'
import { CompactSign, jwtVerify } from 'jose'
import { createRecentCache } from '../base/recent-cache.ts'
import { parseStrictJson } from '../base/strict-json.ts'
import type { SigningKeys } from './keys.ts'

/** The claims of an API token. Times are in Unix seconds. A token without `exp` does not expire. */
export type ApiTokenClaims = {
  readonly iss: string
  readonly aud: string
  readonly sub: Id<'token'>
  readonly acct: string
  readonly wksp: Id<'workspace'>
  readonly iat: number
  readonly jti: string
  readonly exp?: number
}

/** The unvalidated claims of a token. */
type RawClaims = { readonly [name: string]: unknown }

/** The requirements of one kind of token. */
export type TokenRules = {
  /** The exact `typ` of the header. */
  readonly typ: string
  /** The exact `aud`. A list is refused. */
  readonly audience: string
  /** The current time in Unix seconds, by the clock of this kind of token. */
  readonly now: number
  /** Accepts an `iat` in the future: the sandbox clock may be reset to before a token was created. */
  readonly is_early_allowed?: boolean
  /** If given, `exp` is required and at most this long after `iat`. */
  readonly life_seconds_max?: number
  /** Whether all claims of this kind are present and have their types. */
  hasClaims(claims: RawClaims): boolean
  /** Finds the public key that must have signed this token, among the installation's own. */
  findKey(kid: string | undefined, claims: RawClaims): KeyObject | undefined
}

/** The requirements of API tokens. */
type ApiTokenRules = {
  readonly keys: SigningKeys
  readonly issuer: string
  readonly audience: string
  readonly now: number
  readonly is_early_allowed?: boolean
}

/** Verifies API tokens and caches the genuine ones. */
type TokenVerifier = {
  /** Returns the claims of a valid token, and undefined for any other. Synchronous for a cached token. */
  verify(token: string, now: number): ApiTokenClaims | undefined | Promise<ApiTokenClaims | undefined>
}

const apiTokenTyp = 'bourse-api+jwt'
const lengthMax = 4096
const leewaySeconds = 60
// 64 bytes of signature are 86 characters.
const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/
const headerFields = new Set(['alg', 'typ', 'kid'])
const tokenId = /^tokn_[0-9a-zA-Z_-]{1,21}$/
const workspaceId = /^wksp_[0-9a-zA-Z_-]{1,21}$/
const accountId = /^[a-z0-9][a-z0-9-]{2,39}$/
const jtiLengthMax = 64
const cachedTokens = 10_000

/**
 * Signs an API token. The same key and claims always give the same token, so a replay of an idempotent request can sign
 * it again with the former `kid`. Throws where that key can no longer sign.
 */
export async function signApiToken(keys: SigningKeys, claims: ApiTokenClaims, kid = keys.current.kid): Promise<string> {
  const privateKey = keys.find(kid)?.private_key
  if (privateKey === undefined) throw new Error('The key of this token can no longer sign.')
  const { iss, aud, sub, acct, wksp, iat, jti, exp } = claims
  // Listed one by one, because the order of the members is part of the signed text.
  const payload = JSON.stringify({ iss, aud, sub, acct, wksp, iat, jti, exp })
  const header = { alg: 'EdDSA', typ: apiTokenTyp, kid }
  return await new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(privateKey)
}

/** Returns the claims of a valid API token, and undefined for every defect. */
export async function verifyApiToken(token: string, rules: ApiTokenRules): Promise<ApiTokenClaims | undefined> {
  const { keys, issuer, audience, now, is_early_allowed = false } = rules
  const claims = await verifyToken(token, {
    typ: apiTokenTyp,
    audience,
    now,
    is_early_allowed,
    hasClaims: (raw) => raw.iss === issuer && hasApiTokenClaims(raw),
    findKey: (kid) => (kid === undefined ? undefined : keys.find(kid)?.public_key),
  })
  return claims as ApiTokenClaims | undefined
}

/** Returns the claims of a token that is valid by the given rules, and undefined for every defect. */
export async function verifyToken(token: string, rules: TokenRules): Promise<RawClaims | undefined> {
  const read = readToken(token)
  if (read === undefined || read.header.alg !== 'EdDSA' || read.header.typ !== rules.typ) return undefined
  const { header, claims } = read
  if (claims.aud !== rules.audience || !rules.hasClaims(claims) || !isTimely(claims, rules)) return undefined
  const key = rules.findKey(header.kid, claims)
  if (key === undefined) return undefined
  try {
    // Every check is repeated here, because the defaults of the library accept other types and audiences.
    await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      typ: rules.typ,
      audience: rules.audience,
      currentDate: new Date(rules.now * 1000),
      clockTolerance: leewaySeconds,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'jti'],
    })
    return claims
  } catch {
    return undefined
  }
}

/** The unverified `sub` of a token, to find the key that must have signed it. */
export function subjectOf(token: string): unknown {
  return readToken(token)?.claims.sub
}

/**
 * Creates a verifier that caches genuine tokens. The cache key is the token itself and not its hash: only tokens with a
 * valid signature are cached, and a hit compares every character including the signature, so it proves as much as a
 * second verification. V8's seeded string hash makes the timing of the comparison useless for guessing. Times are
 * checked on every use.
 */
export function createTokenVerifier(rules: Omit<ApiTokenRules, 'now'>): TokenVerifier {
  const genuine = createRecentCache<string, { readonly claims: ApiTokenClaims; readonly kid: string }>(cachedTokens)
  const running = new Map<string, Promise<ApiTokenClaims | undefined>>()
  const { is_early_allowed = false } = rules

  async function check(token: string, now: number): Promise<ApiTokenClaims | undefined> {
    try {
      const claims = await verifyApiToken(token, { ...rules, now })
      const kid = readToken(token)?.header.kid
      if (claims !== undefined && kid !== undefined) genuine.set(token, { claims: Object.freeze(claims), kid })
      return claims
    } finally {
      running.delete(token)
    }
  }

  function verify(token: string, now: number): ReturnType<TokenVerifier['verify']> {
    const known = genuine.get(token)
    // Its key may have been taken out of the file since.
    if (known !== undefined && rules.keys.find(known.kid))
      return isTimely(known.claims, { now, is_early_allowed }) ? known.claims : undefined
    // Concurrent first requests with one token share one verification.
    let result = running.get(token)
    if (result === undefined) {
      result = check(token, now)
      running.set(token, result)
    }
    return result
  }

  return { verify }
}

type Header = { readonly alg: string; readonly typ: string; readonly kid?: string }

// Parses a token in the only accepted form: compact, with three parts in canonical base64url.
function readToken(token: string): { header: Header; claims: RawClaims } | undefined {
  if (token.length > lengthMax || !compact.test(token)) return undefined
  const [header, claims, signature] = token.split('.').map(decodePart)
  if (header === undefined || claims === undefined || signature === undefined) return undefined
  const fields = parseObject(header)
  const members = parseObject(claims)
  if (fields === undefined || members === undefined || !isHeader(fields)) return undefined
  return { header: fields, claims: members }
}

// Undefined where the spare bits are not zero, since the same bytes would then have several encodings.
function decodePart(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

function parseObject(bytes: Buffer): RawClaims | undefined {
  const parsed = parseStrictJson(bytes)
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value))
    return undefined
  return parsed.value as RawClaims
}

// An allow-list: jwk, jku, x5u, x5c, crit, zip and all future header fields are refused.
function isHeader(fields: RawClaims): fields is Header {
  if (!Object.keys(fields).every((name) => headerFields.has(name))) return false
  const { alg, typ, kid } = fields as Partial<Record<keyof Header, unknown>>
  return typeof alg === 'string' && typeof typ === 'string' && (kid === undefined || typeof kid === 'string')
}

function hasApiTokenClaims({ sub, acct, wksp, jti }: { [Name in keyof ApiTokenClaims]?: unknown }): boolean {
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > jtiLengthMax) return false
  return matches(sub, tokenId) && matches(acct, accountId) && matches(wksp, workspaceId)
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

// Bourse issues no tokens with nbf, but checks it where a token has one.
function isTimely(
  { iat, exp, nbf }: { readonly iat?: unknown; readonly exp?: unknown; readonly nbf?: unknown },
  { now, is_early_allowed, life_seconds_max }: Pick<TokenRules, 'now' | 'is_early_allowed' | 'life_seconds_max'>,
): boolean {
  if (!isTime(iat) || (exp !== undefined && !isTime(exp)) || (nbf !== undefined && !isTime(nbf))) return false
  if (iat > now + leewaySeconds && !is_early_allowed) return false
  if (nbf !== undefined && nbf > now + leewaySeconds) return false
  if (exp !== undefined && exp <= now - leewaySeconds) return false
  return life_seconds_max === undefined || (exp !== undefined && exp <= iat + life_seconds_max)
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
