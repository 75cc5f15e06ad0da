/**
 * An authenticator in software: makes ES256 keys and signs as Web Authentication says, or not quite, for tests of what
 * a server has to refuse. A browser's is in packages/console/test/sign-in.test.ts.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** A passkey as its authenticator holds it. */
export type SoftPasskey = {
  readonly id: Buffer
  readonly key: KeyObject
  readonly public_key: Buffer
  readonly user_handle: string
  count: number
}

/** How a response differs from what was asked for. */
export type Twist = {
  readonly origin?: string
  readonly rp_id?: string
  readonly challenge?: string
  readonly type?: string
  readonly flags?: number
  readonly count?: number
  readonly user_handle?: string
  readonly cross_origin?: boolean
  /** Signs the new passkey with its own key, which is the attestation format `packed`. */
  readonly is_attested?: boolean
}

const flag = { present: 1, verified: 4, attested: 64 }

type PasskeyChallenge = { readonly challenge: string; readonly relying_party_id: string }

/** Makes a passkey, and the body that adds it. */
export function makePasskey(
  asked: PasskeyChallenge & { readonly user_handle: string },
  origin: string,
  twist: Twist = {},
): { passkey: SoftPasskey; body: Record<string, unknown> } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const public_key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const passkey = { id: randomBytes(16), key: privateKey, public_key, user_handle: asked.user_handle, count: 1 }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(passkey.id.length)
  const flags = twist.flags ?? flag.present | flag.verified
  const head = headOf({ rp_id: twist.rp_id ?? asked.relying_party_id, flags: flags | flag.attested, count: 1 })
  const data = Buffer.concat([head, Buffer.alloc(16), length, passkey.id, public_key])
  const clientDataBytes = clientData('webauthn.create', asked.challenge, origin, twist)
  const size = Buffer.alloc(2)
  size.writeUInt16BE(data.length)
  const statement = twist.is_attested ? packedStatement(privateKey, data, clientDataBytes) : noStatement
  // Then authData, a byte string with a length of two bytes.
  const attestation = Buffer.concat([statement, Buffer.from('68617574684461746159', 'hex'), size, data])
  const body = {
    credential_id: passkey.id.toString('base64url'),
    client_data_json: clientDataBytes.toString('base64url'),
    attestation_object: attestation.toString('base64url'),
    transports: ['internal'],
  }
  return { passkey, body }
}

/** The beginning of a map of three: fmt "none", attStmt {}. */
const noStatement = Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex')

/** The same with fmt "packed" and attStmt { alg: ES256, sig }. */
function packedStatement(key: KeyObject, data: Buffer, clientDataBytes: Buffer): Buffer {
  const signed = Buffer.concat([data, createHash('sha256').update(clientDataBytes).digest()])
  const signature = createSign('sha256').update(signed).sign(key)
  const head = Buffer.from('a363666d74667061636b65646761747453746d74a263616c67266373696758', 'hex')
  return Buffer.concat([head, Buffer.from([signature.length]), signature])
}

/** The body of a sign-in with a passkey. */
export function signWith(
  passkey: SoftPasskey,
  asked: PasskeyChallenge,
  origin: string,
  twist: Twist = {},
): Record<string, unknown> {
  passkey.count += 1
  const head = headOf({
    rp_id: twist.rp_id ?? asked.relying_party_id,
    flags: twist.flags ?? flag.present | flag.verified,
    count: twist.count ?? passkey.count,
  })
  const clientDataBytes = clientData('webauthn.get', asked.challenge, origin, twist)
  const signed = Buffer.concat([head, createHash('sha256').update(clientDataBytes).digest()])
  return {
    credential_id: passkey.id.toString('base64url'),
    client_data_json: clientDataBytes.toString('base64url'),
    authenticator_data: head.toString('base64url'),
    signature: createSign('sha256').update(signed).sign(passkey.key).toString('base64url'),
    user_handle: twist.user_handle ?? passkey.user_handle,
  }
}

function headOf({ rp_id, flags, count }: { rp_id: string; flags: number; count: number }): Buffer {
  const tail = Buffer.alloc(5)
  tail[0] = flags
  tail.writeUInt32BE(count, 1)
  return Buffer.concat([createHash('sha256').update(rp_id).digest(), tail])
}

function clientData(type: string, challenge: string, origin: string, twist: Twist): Buffer {
  const facts = { type: twist.type ?? type, challenge: twist.challenge ?? challenge, origin: twist.origin ?? origin }
  return Buffer.from(JSON.stringify({ ...facts, crossOrigin: twist.cross_origin ?? false }))
}
