/**
 * Questions to the right: an area asks who still refers to a resource without knowing who could.
 * Areas to the right register their answers in app.ts.
 */
import type { Ctx, Referrer, ReferrerQuestion } from './ctx.ts'

/** Finds what refers to a resource of one kind, at most `limit`. */
export type FindReferrers = (ctx: Ctx, id: string, limit: number) => Promise<Referrer[]>

/** What an area knows: for each question, its own answer. */
export type ReferrerTable = Partial<Record<ReferrerQuestion, FindReferrers>>

/** Joins what all areas know into one question; its answer is sorted by kind and id. */
export function joinReferrers(tables: readonly ReferrerTable[]) {
  return async (ctx: Ctx, question: ReferrerQuestion, id: string, limit: number): Promise<Referrer[]> => {
    const found: Referrer[] = []
    for (const table of tables) {
      const find = table[question]
      if (find && found.length < limit) found.push(...(await find(ctx, id, limit - found.length)))
    }
    return found
  }
}
