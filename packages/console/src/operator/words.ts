/** Words of the API that operators choose from. */

/** How far an account is trusted. */
export const trustLevels = ['untrusted', 'basic', 'trusted', 'partner'] as const
