/** What an operation asks of its caller besides the permission, and what its requests leave. */

/**
 * Which tokens that are limited may call: `none`; those that are limited to `networks` and to nothing else; or `any`,
 * where one that is limited to resources sees these alone and acts on these alone. What acts on the account as a whole
 * is not open to tokens that are limited to resources, and what gives somebody else a right or a way in, or takes it
 * away, to none. Operations without a token ask nobody.
 */
export type LimitedTokens = 'none' | 'networks' | 'any'

/**
 * Whether a person needs a sign-in of the last 15 minutes: `always`; `partly`, for some requests, as the service says;
 * or `never`. What gives rights, money or secrets asks: its effect outlives the session, so an open browser must not
 * suffice for it. Tokens of programs are not asked.
 */
export type RecentSignIn = 'always' | 'partly' | 'never'

/**
 * Whether a request leaves an `entry` in the audit trail, done or refused for lack of rights: all that change
 * something, and those that show a secret. `none`: reads of what is not secret, and what needs no token.
 */
export type Trail = 'entry' | 'none'

/** What an operation asks of its caller, and what its requests leave. */
export type OperationTrust = {
  readonly limited: LimitedTokens
  readonly recent_sign_in: RecentSignIn
  readonly trail: Trail
  /** Why it needs no recent sign-in, although it gives something by its permission or its answer. */
  readonly unasked?: string
}
