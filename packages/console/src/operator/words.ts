/** Words of the API that operators choose from. */

/** How far an account is trusted. */
export const trustLevels = ['untrusted', 'basic', 'trusted', 'partner'] as const

/** The kinds of postings that operators make. */
export const postingTypes = ['credit_grant', 'manual_payment', 'refund', 'adjustment'] as const
