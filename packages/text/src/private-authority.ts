/** What to do where a server proves who it is by an authority that this machine does not know. */

/** Codes of OpenSSL, as Node reports them. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** A sentence with the remedy, where an error or one of its causes is of this kind. */
export function authorityRemedy(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (!unknownAuthority.has((cause as { code?: string }).code ?? '')) continue
    return 'For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
  }
  return undefined
}
