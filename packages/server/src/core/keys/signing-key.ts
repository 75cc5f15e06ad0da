/** Makes a pair that signs. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import type { Random } from '../base/random.ts'
import type { JwkKey } from './keys.ts'

// The bytes before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410).
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Makes an Ed25519 pair, which is named by the digest of its public half. */
export function makeSigningKey(random: Random): JwkKey {
  const der = Buffer.concat([pkcs8Head, random.bytes(32)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const kid = createHash('sha256').update(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }))
  return { kid: kid.digest('base64url').slice(0, 16), x, d }
}
