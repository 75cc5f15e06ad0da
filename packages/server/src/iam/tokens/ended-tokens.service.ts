/**
 * The end of tokens as the requests that use them see it. A write reads its token as its transaction begins, so none
 * begins after the end of its token was committed; one that has begun may still commit. Reads use what the gate has
 * cached; a replica that ends a token drops it from there at once.
 */
import { createRecentCache, type RecentCache } from '../../core/base/recent-cache.ts'
import type { Db } from '../../core/db/db.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { EndedTokensAt } from '../../core/work/services.ts'
import { listTokenLives } from './ended-tokens.store.ts'
import { hasEnded } from './tokens.rules.ts'

/** How many ends of tokens this server has carried out or tried, and for each of some tokens the number of its last. */
type RecentEnds = { count: number; readonly last: RecentCache<string, number> }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly recent_ends: RememberedValue<RecentEnds>
  }
}

/** More than a replica ends while a read of the gate is fresh. */
const endsMax = 10_000

/** Creates the memory of ended tokens of one server. */
export function createRecentEnds(): RecentEnds {
  return { count: 0, last: createRecentCache(endsMax) }
}

/** Reads which of some tokens have ended, as the transaction sees them. */
export async function readEndedTokens(db: Db, ids: readonly string[]): Promise<EndedTokensAt> {
  const rows = new Map((await listTokenLives(db, ids)).map((row) => [row.id as string, row]))
  return (now) => {
    const isOver = (id: string) => {
      const row = rows.get(id)
      return row === undefined || hasEnded(row, now)
    }
    return new Set(ids.filter(isOver))
  }
}

/**
 * Lets the gates of this server read tokens again once the command has finished. Also after a failure, since the
 * outcome of its COMMIT may be unknown.
 */
export function forgetTokens({ services, onFinish }: Ctx, ids: readonly string[]): void {
  onFinish(() => {
    const ends = services.recent_ends.current
    ends.count += 1
    for (const id of ids) ends.last.set(id, ends.count)
  })
}
