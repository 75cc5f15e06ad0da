/** Bounds guesses of codes, over all replicas. */
import type { Ctx } from '../../core/work/ctx.ts'
import { type Guesser, hasGuessedTooOften, withFailure, wrongCodesSeconds } from './wrong-codes.rules.ts'
import { findWrongCodes, putWrongCodes, removeOldWrongCodes } from './wrong-codes.store.ts'

/** The last wrong codes of each of some guessers, oldest first. */
type Guesses = readonly { readonly guesser: Guesser; readonly failed_at: readonly number[] }[]

/** The last wrong codes of some guessers, which stay locked; `limited` if one of them has typed too many. */
export async function readGuesses(ctx: Ctx, guessers: readonly Guesser[]): Promise<Guesses | 'limited'> {
  const guesses = []
  // One order of the locks for all, so that no two requests wait for each other.
  for (const guesser of guessers.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    guesses.push({ guesser, failed_at: await findWrongCodes(ctx.db, guesser.name) })
  }
  const isLimited = guesses.some(({ guesser, failed_at }) => hasGuessedTooOften(failed_at, guesser, ctx.now))
  return isLimited ? 'limited' : guesses
}

/** Records a wrong code, after those that were read. */
export async function recordWrongCode(ctx: Ctx, guesses: Guesses): Promise<void> {
  for (const { guesser, failed_at } of guesses) {
    await putWrongCodes(ctx.db, guesser.name, withFailure(failed_at, guesser, ctx.now))
  }
  await removeOldWrongCodes(ctx.db, ctx.now - wrongCodesSeconds)
}
