/**
 * Who stands behind a caller: its user, the tokens that it descends from, the users who made those, and whoever made
 * the links that led to any of them.
 */

export type Lineage = {
  readonly token_id: string
  /** The user of a session; null for the token of a program. */
  readonly user_id: string | null
  /** Ids of tokens and users: the token, those that it descends from, and the users behind them. */
  readonly ids: readonly string[]
}

/** A token of a lineage. */
export type LineageRow = {
  readonly id: string
  readonly user_id: string | null
  readonly created_by_user_id: string | null
  readonly let_in_by: readonly string[] | null
}

/** The lineage of a token, from its own row and those of the tokens that it descends from. */
export function lineageFrom(
  caller: { readonly token_id: string; readonly user_id: string | null },
  rows: readonly LineageRow[],
): Lineage {
  const all = rows.flatMap(({ id, user_id, created_by_user_id, let_in_by }) => {
    return [id, user_id, created_by_user_id, ...(let_in_by ?? [])]
  })
  const ids = new Set([caller.token_id, caller.user_id, ...all].filter((id) => id !== null))
  return { token_id: caller.token_id, user_id: caller.user_id, ids: [...ids].sort() }
}

/**
 * Whether two callers may be one and the same: one stands behind the other, or one user behind both. Whoever has the
 * first has or could have had the second. Two that only a token of a program has led to are two: otherwise nobody could
 * begin with one token.
 */
export function isSamePrincipal(one: Lineage, other: Lineage): boolean {
  if (one.ids.includes(other.token_id) || other.ids.includes(one.token_id)) return true
  return one.ids.some((id) => id.startsWith('usr_') && other.ids.includes(id))
}
