/**
 * Proof of possession of a host's key. A permit is a bearer secret that stays on the host, and a public key is no
 * secret at all: without a proof, whoever has read both could end the epoch of a host by enrolling it again.
 */
import { createPublicKey, verify } from 'node:crypto'
import { enrolmentProofText, proofSecondsMax } from '@bourse/api/fleet/agent.ts'

/** The part of an enrolment request that a proof covers. */
export type Introduced = {
  readonly enrol_token: string
  readonly public_key: string
  readonly proof?: { readonly signed_at: number; readonly signature: string } | undefined
}

/** Whether the sender holds the private key and has signed this request a moment ago. `now` is the real time. */
export function isProven({ enrol_token, public_key, proof }: Introduced, now: number): boolean {
  if (!proof || Math.abs(now - proof.signed_at) > proofSecondsMax) return false
  const { signed_at, signature } = proof
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key }, format: 'jwk' })
  const signed = Buffer.from(enrolmentProofText({ enrol_token, public_key, signed_at }))
  return verify(null, signed, key, Buffer.from(signature, 'base64url'))
}
