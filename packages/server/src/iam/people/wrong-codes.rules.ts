/** Guesses of codes that people type: the codes of programs, and recovery codes. */

/** Whose wrong codes count together, and how many there may be within {@link wrongCodesSeconds}. */
export type Guesser = { readonly name: string; readonly wrong_max: number }

export const wrongCodesSeconds = 60
const wrongOfOneMax = 5
/** Of many who share an account, or addresses of one owner. */
const wrongOfManyMax = 50

/**
 * Those for whom the wrong code of a program counts. Only people who are signed in type these codes, so networks, in
 * which strangers meet, do not count.
 */
export function guessersOfLogins({ user_id, account_id }: { user_id: string; account_id: string }): Guesser[] {
  return [
    { name: `user ${user_id}`, wrong_max: wrongOfOneMax },
    { name: `account ${account_id}`, wrong_max: wrongOfManyMax },
  ]
}

/** Those for whom a wrong recovery code counts: the networks of its sender, and the user whose code it resembles. */
export function guessersOfRecovery(networks: readonly string[], userId: string | undefined): Guesser[] {
  const [nearest = '', ...wider] = networks
  return [
    { name: `recovery ${nearest}`, wrong_max: wrongOfOneMax },
    ...wider.map((network) => ({ name: `recovery ${network}`, wrong_max: wrongOfManyMax })),
    ...(userId === undefined ? [] : [{ name: `recovery of ${userId}`, wrong_max: wrongOfOneMax }]),
  ]
}

/** Whether a guesser has typed too many wrong codes lately. `failedAt` are the last ones, oldest first. */
export function hasGuessedTooOften(failedAt: readonly number[], { wrong_max }: Guesser, now: number): boolean {
  return failedAt.filter((at) => at > now - wrongCodesSeconds).length >= wrong_max
}

/** The wrong codes of a guesser to remember once there is another one. */
export function withFailure(failedAt: readonly number[], { wrong_max }: Guesser, now: number): number[] {
  return [...failedAt, now].slice(-wrong_max)
}
