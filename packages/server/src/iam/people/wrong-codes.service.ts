/** Bounds guesses of codes: five wrong ones of a network in any minute, over all replicas. */
import type { Ctx } from '../../core/work/ctx.ts'
import { hasGuessedTooOften, withFailure, wrongCodesSeconds } from './wrong-codes.rules.ts'
import { findWrongCodes, putWrongCodes, removeOldWrongCodes } from './wrong-codes.store.ts'

/** The last wrong codes of a sender, which stay locked; `limited` if there are too many to look at another one. */
export async function readGuesses(ctx: Ctx, sender: string): Promise<readonly number[] | 'limited'> {
  const failed_at = await findWrongCodes(ctx.db, sender)
  return hasGuessedTooOften(failed_at, ctx.now) ? 'limited' : failed_at
}

/** Records a wrong code, after those that were read. */
export async function recordWrongCode(ctx: Ctx, sender: string, guesses: readonly number[]): Promise<void> {
  await putWrongCodes(ctx.db, sender, withFailure(guesses, ctx.now))
  await removeOldWrongCodes(ctx.db, ctx.now - wrongCodesSeconds)
}
