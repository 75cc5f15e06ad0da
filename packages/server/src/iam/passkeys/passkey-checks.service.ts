/**
 * Checks what authenticators sign (Web Authentication, 7.1 and 7.2). The library is loaded when somebody first uses a
 * passkey: it takes as long as the rest of a start.
 */
import { generateKeyPairSync } from 'node:crypto'
import { once } from '../../core/base/once.ts'
import type { RelyingParty } from './passkeys.rules.ts'

const load = once(() => import('@simplewebauthn/server'))
const loadHelpers = once(() => import('@simplewebauthn/server/helpers'))

/** What a new passkey brings. */
type NewCredential = {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly signature_count: number
  readonly is_backed_up: boolean
}

/** A credential to check a signature with. */
type KnownCredential = { readonly public_key: Buffer; readonly signature_count: number }

/** The response of a browser to the creation of a passkey, in base64url. */
type CreationResponse = {
  readonly credential_id: string
  readonly client_data_json: string
  readonly attestation_object: string
}

/** The response of a browser to a sign-in, in base64url. */
export type SignatureResponse = {
  readonly credential_id: string
  readonly client_data_json: string
  readonly authenticator_data: string
  readonly signature: string
}

/** EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257] as const

type ExpectedPasskey = RelyingParty & { readonly challenge: string }

/**
 * The new passkey of a response; undefined unless it belongs to the challenge, the origin and the relying party. Only
 * the attestation format `none` is taken, which browsers send where no attestation is asked for. Others have
 * certificates, for which the library fetches revocation lists from addresses that the sender names, without a bound.
 */
export async function checkCreation(
  { credential_id, client_data_json, attestation_object }: CreationResponse,
  { id, origin, challenge }: ExpectedPasskey,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await load()
  if ((await attestationFormat(attestation_object)) !== 'none') return undefined
  const response = { clientDataJSON: client_data_json, attestationObject: attestation_object }
  const credential = {
    id: credential_id,
    rawId: credential_id,
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
  const checked = await verifyRegistrationResponse({
    response: { ...credential, response },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserPresence: true,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...algorithms],
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { credential: made, credentialBackedUp: is_backed_up } = checked.registrationInfo
  if (made.id !== credential_id) return undefined
  return {
    credential_id: Buffer.from(made.id, 'base64url'),
    public_key: Buffer.from(made.publicKey),
    signature_count: made.counter,
    is_backed_up,
  }
}

async function attestationFormat(attestationObject: string): Promise<string | undefined> {
  const { decodeAttestationObject } = await loadHelpers()
  try {
    return decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get('fmt')
  } catch {
    return undefined
  }
}

/**
 * The new count of signatures if a response is signed by a credential for the challenge, the origin and the relying
 * party, after its user was verified; otherwise undefined. Without a credential, it is checked with one that nobody
 * has, so that the time of a response does not tell which credentials exist.
 */
export async function checkSignature(
  { credential_id, client_data_json, authenticator_data, signature }: SignatureResponse,
  { id, origin, challenge }: ExpectedPasskey,
  known: KnownCredential | undefined,
): Promise<Pick<NewCredential, 'signature_count' | 'is_backed_up'> | undefined> {
  const { verifyAuthenticationResponse } = await load()
  const response = { clientDataJSON: client_data_json, authenticatorData: authenticator_data, signature }
  const credential = {
    id: credential_id,
    rawId: credential_id,
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
  const { public_key, signature_count } = known ?? nobody()
  const checked = await verifyAuthenticationResponse({
    response: { ...credential, response },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: signature_count },
  }).catch(() => undefined)
  if (!known || !checked?.verified) return undefined
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  return { signature_count: newCounter, is_backed_up: credentialBackedUp }
}

/** A key whose private half nobody has, as a COSE key: a map of kty EC2, alg ES256, crv P-256, x and y. */
const nobody = once((): KnownCredential => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const head = Buffer.from('a5010203262001215820', 'hex')
  const parts = [head, Buffer.from(x, 'base64url'), Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')]
  return { public_key: Buffer.concat(parts), signature_count: 0 }
})
