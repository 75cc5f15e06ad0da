import type { JsonWebKeySet } from '@bourse/api/process/process.ts'
import type { SigningKey, SigningKeys } from './keys.ts'

/** The public halves of the signing keys as a JSON Web Key Set, the one that signs first. */
export function publicKeySet({ current, all }: SigningKeys): JsonWebKeySet {
  const others = all.filter(({ kid }) => kid !== current.kid)
  return { keys: [current, ...others].map(publicJwk) }
}

function publicJwk({ kid, public_key }: SigningKey): JsonWebKeySet['keys'][number] {
  const { x } = public_key.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x as string, kid, use: 'sig', alg: 'EdDSA' }
}
