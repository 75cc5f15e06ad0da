/**
 * Lets an area find what refers to its resources in the areas to its right, which it must not import. Those areas
 * register their functions in app.ts.
 */
import type { Ctx, Referrer, ReferrerQuestion } from './ctx.ts'

/** Finds what refers to a resource of one kind, at most `limit`. */
export type FindReferrers = (ctx: Ctx, id: string, limit: number) => Promise<Referrer[]>

/** The functions of one area, by the question that they answer. */
export type ReferrerTable = Partial<Record<ReferrerQuestion, FindReferrers>>

/** Joins the tables of all areas into one function. It asks them in order until it has `limit` referrers. */
export function joinReferrers(tables: readonly ReferrerTable[]) {
  return async (ctx: Ctx, target: ReferrerQuestion, id: string, limit: number): Promise<Referrer[]> => {
    const found: Referrer[] = []
    for (const table of tables) {
      const find = table[target]
      if (find && found.length < limit) found.push(...(await find(ctx, id, limit - found.length)))
    }
    return found
  }
}
