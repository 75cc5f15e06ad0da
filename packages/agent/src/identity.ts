/**
 * Who this host is: its key, made here and never sent anywhere, and where it has enrolled. The tokens that it shows to
 * the server are signed with that key and live for minutes.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { agentTokenSecondsMax, agentTokenType } from '@bourse/api/fleet/agent.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { SignJWT } from 'jose'
import { nowSeconds } from './clock.ts'
import { readIfThere, removeAll, writeWhole } from './files.ts'

/** Where a host has enrolled, and as what. */
export type Enrolment = {
  readonly server: string
  readonly host: string
  readonly epoch: number
  readonly audience: string
  /** What the server was told that machines are given here. */
  readonly network?: HostFacts['network']
}

const keyFile = 'host.key'
const enrolmentFile = 'enrolment.json'
const generationFile = 'generation'
/** A token is used for this long, so that none is near its end when it arrives. */
const tokenUsedSeconds = agentTokenSecondsMax - 60

/** The key of the host whose state lies in a directory; made where there is none. */
export async function openKey(directory: string): Promise<KeyObject> {
  const path = join(directory, keyFile)
  const known = await readIfThere(path)
  if (known !== undefined) return createPrivateKey(known)
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeWhole(path, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return privateKey
}

/** The public half of a key: 32 bytes in base64url. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x as string
}

/** Where the host has enrolled; undefined where it has not. */
export async function readEnrolment(directory: string): Promise<Enrolment | undefined> {
  const text = await readIfThere(join(directory, enrolmentFile))
  return text === undefined ? undefined : (JSON.parse(text) as Enrolment)
}

/** The newest desired state that was acted on; undefined where there was none. */
export async function readGeneration(directory: string): Promise<number | undefined> {
  const text = await readIfThere(join(directory, generationFile))
  return text === undefined ? undefined : Number(text)
}

/** Remembers the newest desired state that is acted on. */
export async function writeGeneration(directory: string, generation: number): Promise<void> {
  await writeWhole(join(directory, generationFile), String(generation))
}

/** Remembers where the host has enrolled. What another host has acted on says nothing of this one. */
export async function writeEnrolment(directory: string, enrolment: Enrolment): Promise<void> {
  const before = await readEnrolment(directory)
  if (before?.host !== enrolment.host) await removeAll(join(directory, generationFile))
  await writeWhole(join(directory, enrolmentFile), `${JSON.stringify(enrolment, null, 2)}\n`)
}

/** Makes tokens for a host: the same one for a few minutes, then another. */
export function tokenMaker(key: KeyObject, { host, audience }: Enrolment): () => Promise<string> {
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
