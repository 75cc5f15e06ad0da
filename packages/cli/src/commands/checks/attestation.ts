/** Verifies the attestation of an instance before it is shown. */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { InstanceAttestation } from '@bourse/sdk/generated/types.ts'
import { type VerifiedAttestation, verifyAttestation } from '@bourse/sdk/verify-attestation.ts'
import { absoluteOf } from '@bourse/text/formats/moments.ts'
import type { Session } from '../../input/session.ts'

/**
 * Verifies the response of `instances attestation` with the keys of the server. Returns what it proves; undefined for
 * all other operations. Throws AttestationVerificationError.
 */
export async function verifyShown(
  { lookup, options }: Session,
  { name }: Endpoint,
  response: unknown,
): Promise<string | undefined> {
  if (name !== 'get_instance_attestation' || options.curl) return undefined
  const keys = await lookup.signingKeys.get()
  return proofOf(await verifyAttestation(response as InstanceAttestation, { keys }))
}

function proofOf({ issuer, expires_at, simulated, signed_by_host }: VerifiedAttestation): string {
  const until = absoluteOf(expires_at, { times: 'utc', exact: false })
  if (!signed_by_host) return `Verified: signed by ${issuer}. The host is simulated, so this proves no hardware.`
  const signed = `Verified: signed by the host and by ${issuer}, valid until ${until}.`
  const worth = simulated
    ? 'Hosts of this SKU need not have its hardware.'
    : 'It is the statement of the host owner: no TPM has signed it.'
  return `${signed} ${worth}`
}
