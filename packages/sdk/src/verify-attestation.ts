/** Verifies attestations of instances without the server: JSON Web Signatures with Ed25519, by WebCrypto. */
import { AttestationVerificationError } from './errors.ts'
import type { InstanceAttestation, JsonWebKeySet, MachineHardware } from './generated/types.ts'
import { wallSeconds } from './timing.ts'

/** What a valid attestation says. */
export type VerifiedAttestation = {
  readonly instance: string
  readonly sku: string
  /** Equal for instances of the account that share a host. */
  readonly host: string
  /** The server that signed it: its public URL. */
  readonly issuer: string
  /** Whether it proves no hardware: the host is simulated, or need not have the hardware of its SKU. */
  readonly simulated: boolean
  /** Whether the host has signed it. False only for simulated hosts. */
  readonly signed_by_host: boolean
  /** When the host stated it (the server, for simulated hosts), and until when it is good. Unix seconds. */
  readonly stated_at: number
  readonly expires_at: number
  readonly hardware: MachineHardware
}

/** How an attestation is verified. */
export type VerifyAttestationOptions = {
  /** The public keys of the server, from `/.well-known/jwks.json`: `client.signingKeys.get()`. */
  readonly keys: JsonWebKeySet | JsonWebKeySet['keys']
  /** The instance that it must be about. Without it, compare the `instance` of the result. */
  readonly instance?: string
  /** The server that must have signed it. */
  readonly issuer?: string
  /** The time for which it must be good, in Unix seconds: now, or an earlier one for a stored attestation. */
  readonly at?: number
}

const attestationType = 'bourse-attestation+jwt'
const statementType = 'bourse-machine+jwt'
const secondsAhead = 60
const lengthMax = 98_304

type Claims = Readonly<Record<string, unknown>>

/**
 * Verifies an attestation, as `instances.getAttestation` returns it, or its `jws`. Unless a key of the server has
 * signed it, a key of the host has signed the statement inside, both are about the same instance, and it has not
 * expired, it throws AttestationVerificationError. What it returns comes from the signed texts alone.
 */
export async function verifyAttestation(
  attestation: InstanceAttestation | string,
  { keys, instance, issuer, at = wallSeconds() }: VerifyAttestationOptions,
): Promise<VerifiedAttestation> {
  const jws = typeof attestation === 'string' ? attestation : attestation.jws
  const known = Array.isArray(keys) ? keys : keys.keys
  const { kid } = headerOf(jws)
  const key = known.find((one) => one.kid === kid)
  if (!key) throw refused('None of the keys has signed it.')
  const claims = await opened(jws, attestationType, key.x)
  const statement = typeof claims.statement === 'string' ? await openedStatement(claims, claims.statement) : undefined
  if (!statement && claims.simulated !== true) throw refused('The host has not signed it.')
  const stated = statement ?? claims
  if (stated.sub !== claims.sub) throw refused('The statement of the host is about another instance.')
  if (instance !== undefined && claims.sub !== instance) throw refused(`It is about another instance: ${claims.sub}.`)
  if (issuer !== undefined && claims.iss !== issuer) throw refused(`Another server has signed it: ${claims.iss}.`)
  for (const { iat, exp } of [claims, stated]) refuseUntimely(iat, exp, at)
  const result = {
    instance: textOf(claims, 'sub'),
    sku: textOf(claims, 'sku'),
    host: textOf(claims, 'host'),
    issuer: textOf(claims, 'iss'),
    simulated: claims.simulated === true,
    signed_by_host: statement !== undefined,
    stated_at: stated.iat as number,
    expires_at: Math.min(stated.exp as number, claims.exp as number),
    hardware: stated.hardware as MachineHardware,
  }
  if (typeof attestation !== 'string') refuseChanged(attestation, result)
  return result
}

/** The statement of the host, signed with the key of the machine for which the server vouches. */
function openedStatement({ cnf }: Claims, statement: string): Promise<Claims> {
  const x = (cnf as { jwk?: { x?: unknown } } | undefined)?.jwk?.x
  if (typeof x !== 'string') throw refused('It names no key of the host.')
  return opened(statement, statementType, x)
}

/** The claims of a signed text. Its key is given, whatever its header says. */
async function opened(jws: string, typ: string, x: string): Promise<Claims> {
  const [head = '', body = '', signature = ''] = jws.split('.')
  const header = headerOf(jws)
  if (header.alg !== 'EdDSA' || header.typ !== typ) throw refused(`A signed text is not of the type ${typ}.`)
  const [raw, signed] = [decode(x), decode(signature)]
  if (raw?.length !== 32 || signed?.length !== 64) throw refused('A key or a signature has the wrong length.')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
  const isValid = await crypto.subtle.verify('Ed25519', key, signed, new TextEncoder().encode(`${head}.${body}`))
  if (!isValid) throw refused('A signature is not valid.')
  return parsed(body)
}

function headerOf(jws: string): Claims {
  if (jws.length > lengthMax || jws.split('.').length !== 3) throw refused('It is no signed text.')
  return parsed(jws.split('.')[0] as string)
}

function refuseUntimely(iat: unknown, exp: unknown, at: number): void {
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) throw refused('It has no times.')
  if ((iat as number) > at + secondsAhead) throw refused(`It is from a later time: ${iat}.`)
  if ((exp as number) <= at) throw refused(`It expired at ${exp}.`)
}

/** The members beside `jws` repeat it, so that people can read them. Whoever changes one changes no signature. */
function refuseChanged(shown: InstanceAttestation, { hardware, ...signed }: VerifiedAttestation): void {
  for (const name of ['instance', 'sku', 'host', 'simulated'] as const) {
    if (shown[name] !== signed[name]) throw refused(`Its ${name} is not the signed one.`)
  }
  if (!isPart(shown.hardware, hardware)) throw refused('Its hardware is not the signed one.')
}

/** Whether everything in a value is in another one. A newer agent signs more than an older server shows. */
function isPart(shown: unknown, signed: unknown): boolean {
  if (typeof shown !== 'object' || shown === null) return shown === signed
  if (typeof signed !== 'object' || signed === null || Array.isArray(shown) !== Array.isArray(signed)) return false
  if (Array.isArray(shown) && shown.length !== (signed as unknown[]).length) return false
  return Object.entries(shown).every(([name, value]) => isPart(value, (signed as Claims)[name]))
}

function textOf(claims: Claims, name: string): string {
  const value = claims[name]
  if (typeof value !== 'string') throw refused(`It has no ${name}.`)
  return value
}

function parsed(part: string): Claims {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decode(part)))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims
  } catch {
    // Refused below, as JSON of another kind is.
  }
  throw refused('A part of it is no JSON object.')
}

function decode(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url)) return undefined
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function refused(message: string): AttestationVerificationError {
  return new AttestationVerificationError(`The attestation is not valid. ${message}`)
}
