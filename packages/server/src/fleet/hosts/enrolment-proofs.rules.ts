/**
 * Proof of possession of a host's key. A permit is a bearer secret that stays on the host, and a public key is no
 * secret at all: without a proof, whoever has read both could end the epoch of a host by enrolling it again. A proof
 * counts once, so that whoever has read a whole request cannot do so either.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { enrolmentProofText, proofSecondsMax } from '@bourse/api/fleet/agent.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The part of an enrolment request that a proof covers. */
type Introduced = {
  readonly enrol_token: string
  readonly public_key: string
  readonly proof?: { readonly signed_at: number; readonly signature: string } | undefined
}

/** The last request of a host that was accepted with a proof. */
export type AcceptedProof = { readonly signed_at: number; readonly digest: Buffer; readonly epoch: number }

/** A request with a proof that holds. */
export type Proof = Omit<AcceptedProof, 'epoch'>

/** Whether a request of a known host starts its next epoch, or is the accepted one once more, which got its `epoch`. */
type Judgement =
  | { readonly next: Proof }
  | { readonly repeats: { readonly epoch: number } }
  | { readonly refusal: RefusalData }

/** The proof of a request that its sender has signed with the private key a moment ago. `now` is the real time. */
export function proofOf(body: Introduced, now: number): Proof | undefined {
  const { proof } = body
  if (!proof || Math.abs(now - proof.signed_at) > proofSecondsMax || !isGenuine(body)) return undefined
  return { signed_at: proof.signed_at, digest: createHash('sha256').update(JSON.stringify(body)).digest() }
}

/**
 * Refuses the first request of a host whose proof will hold at a later time: whoever has read it could wait for that.
 * Without a proof that holds, a first request is good, and nobody can use it again.
 */
export function refuseEarly(body: Introduced, now: number): RefusalData | undefined {
  if (!body.proof || body.proof.signed_at <= now + proofSecondsMax || !isGenuine(body)) return undefined
  const message = 'This request is signed for a later time. Correct the clock of the host, and enrol again.'
  return { code: 'authentication_error', message }
}

/**
 * Decides on a request of a known host. Only one that is signed later than the last accepted one counts. The same
 * request once more, whose answer may have been lost, changes nothing.
 */
export function judgeProof(body: Introduced, now: number, last: AcceptedProof | undefined): Judgement {
  const proof = proofOf(body, now)
  if (!proof) {
    const message = 'This key has enrolled before: prove that the host holds it, by the right time.'
    return { refusal: { code: 'authentication_error', message } }
  }
  if (!last || proof.signed_at > last.signed_at) return { next: proof }
  if (proof.digest.equals(last.digest)) return { repeats: last }
  const seconds = last.signed_at - proof.signed_at + 1
  const message = `The host has enrolled by a request that it signed later. Enrol again in ${seconds} s.`
  return { refusal: { code: 'stale_enrolment', message } }
}

function isGenuine({ enrol_token, public_key, proof }: Introduced): boolean {
  if (!proof) return false
  const { signed_at, signature } = proof
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key }, format: 'jwk' })
  const signed = Buffer.from(enrolmentProofText({ enrol_token, public_key, signed_at }))
  return verify(null, signed, key, Buffer.from(signature, 'base64url'))
}
