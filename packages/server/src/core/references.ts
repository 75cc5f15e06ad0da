/**
 * Questions to the right: an area asks who still refers to a resource without knowing who could.
 * Areas to the right register their answers in app.ts.
 */
import type { Kind } from '@bourse/api/kit/ids.ts'
import type { Ctx } from './ctx.ts'

/** Something that refers to a resource. */
export type Referrer = { readonly kind: Kind; readonly id: string }

/** Finds what refers to a resource of one kind, at most `limit`. */
export type FindReferrers = (ctx: Ctx, id: string, limit: number) => Promise<Referrer[]>

/** What an area knows: for each kind, who of its own refers to it. */
export type ReferrerTable = Partial<Record<Kind, FindReferrers>>

/** Joins what all areas know into one question; its answer is sorted by kind and id. */
export function joinReferrers(tables: readonly ReferrerTable[]) {
  return async (ctx: Ctx, kind: Kind, id: string, limit: number): Promise<Referrer[]> => {
    const found: Referrer[] = []
    for (const table of tables) {
      const find = table[kind]
      if (find && found.length < limit) found.push(...(await find(ctx, id, limit - found.length)))
    }
    return found
  }
}
