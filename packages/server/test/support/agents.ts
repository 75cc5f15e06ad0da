/** Hosts with their own agents, over HTTP: keys, signed tokens and the requests of agents. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { enrolmentProofText } from '@bourse/api/fleet/agent.ts'
import { SignJWT } from 'jose'
import type { TestAnswer, TestServer } from './server.ts'

/** The key of a host. */
export type HostKey = { public_key: string; private_key: KeyObject }

/** An agent that has enrolled its host. */
export type TestAgent = {
  host: string
  epoch: number
  key: HostKey
  /** The audience of its tokens. */
  audience: string
  /** A token of this host. `claims` changes its claims or header. */
  token(claims?: Claims): Promise<string>
  /** Sends a request as this host. `claims` changes the claims or header of its token. */
  request(method: string, path: string, body?: object, claims?: Claims): Promise<TestAnswer>
  ok(method: string, path: string, body?: object): Promise<any>
}

/** Changes to the default key, header and claims of a token. */
export type Claims = { key?: KeyObject; typ?: string; life_seconds?: number; age_seconds?: number } & Record<
  string,
  unknown
>

export const facts = {
  hostname: 'rack-1',
  cpu_count: 64,
  memory_bytes: 2 ** 38,
  storage_bytes: 2 ** 42,
  accelerators: [],
  network: 'full',
  host_address: '192.0.2.7',
  public_ipv4s: ['198.51.100.1', '198.51.100.2'],
}

/** Generates an Ed25519 key pair. */
export function makeHostKey(): HostKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { public_key: publicKey.export({ format: 'jwk' }).x as string, private_key: privateKey }
}

/** The body of an enrolment request. */
export function introduction(enrol_token: string, key: HostKey, more: object = {}): object {
  const { public_key, private_key } = key
  const signed_at = Math.floor(Date.now() / 1000)
  const text = enrolmentProofText({ enrol_token, public_key, signed_at })
  const proof = { signed_at, signature: sign(null, Buffer.from(text), private_key).toString('base64url') }
  return { enrol_token, public_key, agent_version: '0.1.0', facts, proof, ...more }
}

/** Enrols a host with a permit. */
export async function enrol(
  server: TestServer,
  enrol_token: string,
  { key = makeHostKey(), ...more }: { key?: HostKey; name?: string; facts?: object } = {},
): Promise<TestAgent> {
  const body = introduction(enrol_token, key, more)
  const { host, epoch, audience } = await server.ok('POST', '/agent/v1/enrol', { token: null, body })
  const token = (claims: Claims = {}) => signAgentToken(key, { sub: host, iss: host, aud: audience, ...claims })
  const request: TestAgent['request'] = async (method, path, sent, claims) =>
    server.request(method, `/agent/v1${path}`, { token: await token(claims), ...(sent ? { body: sent } : {}) })
  const ok: TestAgent['ok'] = async (method, path, sent) => {
    const answer = await request(method, path, sent)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  return { host, epoch, key, audience, token, request, ok }
}

/** Signs a token like an agent. */
export function signAgentToken(key: HostKey, claims: Claims): Promise<string> {
  const {
    key: signer = key.private_key,
    typ = 'bourse-agent+jwt',
    life_seconds = 300,
    age_seconds = 0,
    ...rest
  } = claims
  const iat = Math.floor(Date.now() / 1000) - age_seconds
  return new SignJWT({ jti: randomUUID(), iat, exp: iat + life_seconds, ...rest })
    .setProtectedHeader({ alg: 'EdDSA', typ })
    .sign(signer)
}
