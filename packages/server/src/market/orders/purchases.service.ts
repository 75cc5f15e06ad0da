/** Purchases in the transaction of another operation, so that neither happens without the other. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import type { KnownPool } from '../pools/pools.service.ts'
import { decideOn, type PlaceRequest } from '../trading/trading.service.ts'
import { type PurchaseTerms, purchaseOutcome, readPurchase } from './purchases.rules.ts'

/** What is bought, and for which pool. */
type NodePurchase<L> = {
  readonly pool: KnownPool
  readonly sku_id: Id<'sku'>
  readonly terms: PurchaseTerms
  /** Takes what the operation locks between the book and the balances: the SKU, the account. */
  readonly lockBehindBook: () => Promise<L>
}

/**
 * Buys one node for the caller's pool: whole and at once, or it refuses. Returns the order, and what `lockBehindBook`
 * returned. Locks the book (rank `books`), then what `lockBehindBook` locks, then balances and the pool.
 */
export async function purchaseNode<L>(
  ctx: Ctx,
  { pool, sku_id, terms, lockBehindBook }: NodePurchase<L>,
): Promise<{ readonly order_id: Id<'order'>; readonly locked: L }> {
  await allow(ctx, 'order:create', pool)
  const { account_id } = callerOf(ctx)
  const { id: pool_id, workspace_id } = pool
  const placeAt = (now: number): PlaceRequest => {
    const read = readPurchase(terms, now)
    if ('refusal' in read) throw new Refusal(read.refusal)
    const { order } = read
    const alone = { allow_standing: false, allow_partial: false, managed_by: null }
    return { account_id, workspace_id, pool_id, order, actor: ctx.actor, ...alone }
  }
  const { placed, found } = await decideOn(ctx, sku_id, {
    applicants: [{ account_id, pool_id, order: placeAt(ctx.now).order }],
    read: lockBehindBook,
    decide: (_, now) => ({ places: [placeAt(now)] }),
  })
  const outcome = purchaseOutcome(placed[0] as (typeof placed)[number], terms)
  if ('refusal' in outcome) throw new Refusal(outcome.refusal)
  return { order_id: outcome.id, locked: found }
}
