/**
 * Tokens: JWTs in compact form, signed with Ed25519, read so strictly that only one spelling of each passes. All that
 * can be judged without the signature is judged before it, because a verification costs a hundred times as much.
 * A token is identity only: its row, its account and its rights are looked up elsewhere, on every request.
 */
import type { KeyObject } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'
import { CompactSign, jwtVerify } from 'jose'
import { createRecentCache } from '../base/recent-cache.ts'
import { parseStrictJson } from '../base/strict-json.ts'
import type { SigningKeys } from './keys.ts'

/** Claims of an API token. Times in Unix seconds; without `exp` the token's row says that it does not expire. */
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

/** Claims as they stand in a token: an object, nothing known of its members. */
export type RawClaims = { readonly [name: string]: unknown }

/** What a kind of token must fulfil beyond the common form. */
export type TokenRules = {
  /** The exact `typ` of the header. */
  readonly typ: string
  /** The exact `aud`; a list is never taken. */
  readonly audience: string
  /** The clock of this kind of token in Unix seconds. */
  readonly now: number
  /** The sandbox clock may be reset to before a token was made. */
  readonly is_early_allowed?: boolean
  /** If given, `exp` must be there and at most this long after `iat`. */
  readonly life_seconds_max?: number
  /** Whether all claims of this kind are there and of their types. */
  hasClaims(claims: RawClaims): boolean
  /** The one public key that this token can be signed with, looked up among our own. */
  findKey(kid: string | undefined, claims: RawClaims): KeyObject | undefined
}

/** What API tokens are verified against. */
export type ApiTokenRules = {
  readonly keys: SigningKeys
  readonly issuer: string
  readonly audience: string
  readonly now: number
  readonly is_early_allowed?: boolean
}

/** Verifies API tokens and remembers those that are genuine. */
export type TokenVerifier = {
  /** The claims of a valid token; undefined for any other. At once for a token that was seen before. */
  verify(token: string, now: number): ApiTokenClaims | undefined | Promise<ApiTokenClaims | undefined>
}

const API_TOKEN_TYP = 'bourse-api+jwt'
const LENGTH_MAX = 4096
const LEEWAY_SECONDS = 60
// 64 bytes of signature are 86 characters.
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$/
const HEADER_FIELDS = new Set(['alg', 'typ', 'kid'])
const TOKEN_ID = /^tokn_[0-9a-zA-Z_-]{1,21}$/
const WORKSPACE_ID = /^wksp_[0-9a-zA-Z_-]{1,21}$/
const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{2,39}$/
const JTI_LENGTH_MAX = 64
const CACHED_TOKENS = 10_000

/**
 * Signs an API token. The same key and claims always give the same token: a replay signs again what was signed before,
 * with the `kid` of then. Throws if that key cannot sign any more.
 */
export async function signApiToken(keys: SigningKeys, claims: ApiTokenClaims, kid = keys.current.kid): Promise<string> {
  const private_key = keys.find(kid)?.private_key
  if (private_key === undefined) throw new Error('The key of this token cannot sign any more.')
  const { iss, aud, sub, acct, wksp, iat, jti, exp } = claims
  // Named one by one: the order of the members is part of what is signed.
  const payload = JSON.stringify({ iss, aud, sub, acct, wksp, iat, jti, exp })
  const header = { alg: 'EdDSA', typ: API_TOKEN_TYP, kid }
  return await new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(private_key)
}

/** The claims of an API token, if it is valid in every respect; undefined for every defect. */
export async function verifyApiToken(token: string, rules: ApiTokenRules): Promise<ApiTokenClaims | undefined> {
  const { keys, issuer, audience, now, is_early_allowed = false } = rules
  const claims = await verifyToken(token, {
    typ: API_TOKEN_TYP,
    audience,
    now,
    is_early_allowed,
    hasClaims: (raw) => raw.iss === issuer && hasApiTokenClaims(raw),
    findKey: (kid) => (kid === undefined ? undefined : keys.find(kid)?.public_key),
  })
  return claims as ApiTokenClaims | undefined
}

/** The claims of a token of any kind, if it is valid by its rules; undefined for every defect. */
export async function verifyToken(token: string, rules: TokenRules): Promise<RawClaims | undefined> {
  const read = readToken(token)
  if (read === undefined || read.header.alg !== 'EdDSA' || read.header.typ !== rules.typ) return undefined
  const { header, claims } = read
  if (claims.aud !== rules.audience || !rules.hasClaims(claims) || !isTimely(claims, rules)) return undefined
  const key = rules.findKey(header.kid, claims)
  if (key === undefined) return undefined
  try {
    // Every check is named although it was made above: the defaults of the library take other types and audiences.
    await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      typ: rules.typ,
      audience: rules.audience,
      currentDate: new Date(rules.now * 1000),
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'jti'],
    })
    return claims
  } catch {
    return undefined
  }
}

/** The `sub` that a token says, nothing of it verified: to find the key that it has to be signed with. */
export function subjectOf(token: string): unknown {
  return readToken(token)?.claims.sub
}

/**
 * A verifier that remembers genuine tokens. They are kept by the token itself and not by its hash: only what carries a
 * good signature is ever put in, a hit compares every character, signature included, so it proves no less than a second
 * verification, and V8's seeded string hash makes the comparison useless for guessing. Times are judged on every use.
 */
export function createTokenVerifier(rules: Omit<ApiTokenRules, 'now'>): TokenVerifier {
  const genuine = createRecentCache<string, ApiTokenClaims>(CACHED_TOKENS)
  const running = new Map<string, Promise<ApiTokenClaims | undefined>>()
  const { is_early_allowed = false } = rules

  async function check(token: string, now: number): Promise<ApiTokenClaims | undefined> {
    try {
      const claims = await verifyApiToken(token, { ...rules, now })
      if (claims !== undefined) genuine.set(token, Object.freeze(claims))
      return claims
    } finally {
      running.delete(token)
    }
  }

  function verify(token: string, now: number): ReturnType<TokenVerifier['verify']> {
    const claims = genuine.get(token)
    if (claims !== undefined) return isTimely(claims, { now, is_early_allowed }) ? claims : undefined
    // A client that opens with many requests at once is verified once.
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

// The parts of a token in the only form that we write: compact, three parts, each in the one way to spell its bytes.
function readToken(token: string): { header: Header; claims: RawClaims } | undefined {
  if (token.length > LENGTH_MAX || !COMPACT.test(token)) return undefined
  const [header, claims, signature] = token.split('.').map(decodePart)
  if (header === undefined || claims === undefined || signature === undefined) return undefined
  const fields = parseObject(header)
  const members = parseObject(claims)
  if (fields === undefined || members === undefined || !isHeader(fields)) return undefined
  return { header: fields, claims: members }
}

// Undefined when the spare bits are not zero: the same bytes could be written in other ways then.
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

// An allow-list: jwk, jku, x5u, x5c, crit, zip and whatever is invented next are refused alike.
function isHeader(fields: RawClaims): fields is Header {
  if (!Object.keys(fields).every((name) => HEADER_FIELDS.has(name))) return false
  const { alg, typ, kid } = fields as Partial<Record<keyof Header, unknown>>
  return typeof alg === 'string' && typeof typ === 'string' && (kid === undefined || typeof kid === 'string')
}

function hasApiTokenClaims({ sub, acct, wksp, jti }: { [Name in keyof ApiTokenClaims]?: unknown }): boolean {
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > JTI_LENGTH_MAX) return false
  return matches(sub, TOKEN_ID) && matches(acct, ACCOUNT_ID) && matches(wksp, WORKSPACE_ID)
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

// Tokens of ours have no nbf, but one that has is held to it.
function isTimely(
  { iat, exp, nbf }: { readonly iat?: unknown; readonly exp?: unknown; readonly nbf?: unknown },
  { now, is_early_allowed, life_seconds_max }: Pick<TokenRules, 'now' | 'is_early_allowed' | 'life_seconds_max'>,
): boolean {
  if (!isTime(iat) || (exp !== undefined && !isTime(exp)) || (nbf !== undefined && !isTime(nbf))) return false
  if (iat > now + LEEWAY_SECONDS && !is_early_allowed) return false
  if (nbf !== undefined && nbf > now + LEEWAY_SECONDS) return false
  if (exp !== undefined && exp <= now - LEEWAY_SECONDS) return false
  return life_seconds_max === undefined || (exp !== undefined && exp <= iat + life_seconds_max)
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
