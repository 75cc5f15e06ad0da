/**
 * The identity of this host: its key, which never leaves the host, and its enrolment. The agent signs short-lived
 * tokens with that key.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { join } from 'node:path'
import { agentTokenSecondsMax, agentTokenType, enrolmentProofText, proofSecondsMax } from '@bourse/api/fleet/agent.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { SignJWT } from 'jose'
import { nowSeconds } from './clock.ts'
import { readIfThere, removeAll, writeWhole } from './files.ts'
import { hostProblem } from './problems.ts'

/** The enrolment of a host with a server. */
type Enrolment = {
  readonly server: string
  readonly host: string
  readonly epoch: number
  readonly audience: string
  /** The network mode that was reported at the enrolment. */
  readonly network?: HostFacts['network']
  /** Whether the operator accepted that the server's URL is http. */
  readonly accepts_http?: boolean
  /** Whether the operator accepted that traffic to other hosts is not encrypted. */
  readonly accepts_unencrypted?: boolean
}

const keyFile = 'host.key'
const enrolmentFile = 'enrolment.json'
const generationFile = 'generation'
const signedFile = 'signed_at'
/** How long a token is reused, so that it does not expire before it arrives. */
const tokenUsedSeconds = agentTokenSecondsMax - 60

/** The key of the host with this state directory. Creates it if there is none. */
export async function openKey(directory: string): Promise<KeyObject> {
  const path = join(directory, keyFile)
  const known = await readIfThere(path)
  if (known !== undefined) return createPrivateKey(known)
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeWhole(path, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return privateKey
}

/** The public key: 32 bytes in base64url. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x as string
}

/** Proves that this host holds its key. Only a host that enrols again needs it, but it may not know that it does. */
export function proofOf(
  key: KeyObject,
  { enrol_token, public_key, signed_at }: { enrol_token: string; public_key: string; signed_at: number },
): { signed_at: number; signature: string } {
  const text = enrolmentProofText({ enrol_token, public_key, signed_at })
  return { signed_at, signature: sign(null, Buffer.from(text), key).toString('base64url') }
}

/**
 * The time for which the next request to enrol is signed: later than that of the last one, also after the clock was put
 * back. It is stored before the request is sent, since the server may have accepted one whose answer was lost.
 */
export async function takeSigningTime(directory: string, now = nowSeconds()): Promise<number> {
  const path = join(directory, signedFile)
  const signed_at = nextSigningTime(Number((await readIfThere(path)) ?? 0), now)
  await writeWhole(path, String(signed_at))
  return signed_at
}

function nextSigningTime(last: number, now: number): number {
  // A time that is further ahead was signed while the clock was wrong, and the server has refused it.
  return last >= now && last < now + proofSecondsMax ? last + 1 : now
}

/** The enrolment of the host; undefined if it has none. */
export async function readEnrolment(directory: string): Promise<Enrolment | undefined> {
  const text = await readIfThere(join(directory, enrolmentFile))
  return text === undefined ? undefined : (JSON.parse(text) as Enrolment)
}

/** The enrolment of a host that has one. Throws a `HostProblem` otherwise. */
export async function requireEnrolment(directory: string): Promise<Enrolment> {
  const enrolment = await readEnrolment(directory)
  if (!enrolment) throw hostProblem(`No host is enrolled in ${directory}. Enrol one with: bourse agent enrol`)
  return enrolment
}

/** The newest generation that was applied; undefined if none was. */
export async function readGeneration(directory: string): Promise<number | undefined> {
  const text = await readIfThere(join(directory, generationFile))
  return text === undefined ? undefined : Number(text)
}

/** Stores the newest generation that is applied. */
export async function writeGeneration(directory: string, generation: number): Promise<void> {
  await writeWhole(join(directory, generationFile), String(generation))
}

/** Stores the enrolment. The generation of another host does not apply to this one, so it is removed. */
export async function writeEnrolment(directory: string, enrolment: Enrolment): Promise<void> {
  const before = await readEnrolment(directory)
  if (before?.host !== enrolment.host) await removeAll(join(directory, generationFile))
  await writeWhole(join(directory, enrolmentFile), `${JSON.stringify(enrolment, null, 2)}\n`)
}

/** Creates tokens for a host and reuses each for a few minutes. */
export function tokenMaker(
  key: KeyObject,
  { host, audience }: Pick<Enrolment, 'host' | 'audience'>,
): () => Promise<string> {
  let made: { token: Promise<string>; until: number } | undefined
  return () => {
    const now = nowSeconds()
    if (made === undefined || now >= made.until) {
      const exp = now + agentTokenSecondsMax
      const token = new SignJWT({ iss: host, sub: host, aud: audience, iat: now, exp, jti: randomUUID() })
        .setProtectedHeader({ alg: 'EdDSA', typ: agentTokenType })
        .sign(key)
      made = { token, until: now + tokenUsedSeconds }
    }
    return made.token
  }
}
