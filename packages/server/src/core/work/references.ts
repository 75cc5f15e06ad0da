/**
 * Questions to the right: an area asks who still refers to a resource without knowing who could.
 * Areas to the right register their answers in app.ts.
 */
import type { Kind } from '@bourse/api/kit/ids.ts'
import type { Ctx } from './ctx.ts'

/** Something that refers to a resource. */
export type Referrer = { readonly kind: Kind; readonly id: string; readonly account_id: string }

/** What is asked: who refers to a resource of a kind, or only which automations work on a pool. */
export type Question = Kind | 'automations_of_pool'

/** Finds what refers to a resource of one kind, at most `limit`. */
export type FindReferrers = (ctx: Ctx, id: string, limit: number) => Promise<Referrer[]>

/** What an area knows: for each question, its own answer. */
export type ReferrerTable = Partial<Record<Question, FindReferrers>>

/** Joins what all areas know into one question; its answer is sorted by kind and id. */
export function joinReferrers(tables: readonly ReferrerTable[]) {
  return async (ctx: Ctx, question: Question, id: string, limit: number): Promise<Referrer[]> => {
    const found: Referrer[] = []
    for (const table of tables) {
      const find = table[question]
      if (find && found.length < limit) found.push(...(await find(ctx, id, limit - found.length)))
    }
    return found
  }
}
