// The traders of the order benchmarks: accounts with pools. Every second one sells.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { changeSupply, lockCapacity } from '../../../packages/server/src/market/pools/capacity.service.ts'
import { ensureSupplyPool } from '../../../packages/server/src/market/pools/pools.service.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { call } from '../../../packages/server/test/support/big-fleet.ts'
import { type MadeAccount, makeBenchAccount, makeOperator } from '../worlds/accounts.ts'

/** An account that buys or sells for one pool. */
export type Trader = {
  readonly account: string
  readonly token: string
  readonly pool: string
  readonly side: 'buy' | 'sell'
  readonly sku: string
}

const orderLimits = ['open_orders', 'reserved_node_hours']

/** The accounts of a benchmark; those of `budgeted` have a budget with a hard stop each, which is never reached. */
export type Traders = { readonly plain: readonly Trader[]; readonly budgeted: readonly Trader[] }

type TradersBench = { readonly server: Server; readonly operator: MadeAccount }

/** Creates accounts in both sets. Every second one has nodes to sell, the others have the money to buy them. */
export async function makeTraders(server: Server, count: number): Promise<Traders> {
  const { runtime, url } = server
  const bench = { server, operator: await makeOperator(runtime) }
  const plain = await makeSet(bench, 'bench', count)
  const budgeted = await makeSet(bench, 'budget', count)
  const budget = { period: 'month', amount_dollars: '90000000.000000', hard_stop: true }
  for (const { token } of budgeted) await call({ url, token }, 'POST', '/preview/v2/billing/budgets', budget)
  return { plain, budgeted }
}

/** Accounts that trade one SKU with one another. */
async function makeSet(
  { server: { runtime, url }, operator }: TradersBench,
  name: string,
  count: number,
): Promise<Trader[]> {
  const admin = { url, token: operator.token }
  const sku = (await call(admin, 'POST', '/preview/v2/admin/skus', { fee_bps: 100 })).id as Id<'sku'>
  const made: Trader[] = []
  for (let i = 0; i < count; i++) {
    const account_id = `${name}-${i}`
    const { token, workspace_id } = await makeBenchAccount(runtime, account_id, { trust_level: 'partner' })
    for (const limit of orderLimits) {
      const path = `/preview/v2/admin/accounts/${account_id}/limits/${limit}`
      await call(admin, 'PUT', path, { value: null })
    }
    if (i % 2 === 0) {
      const pool = await systemCommand(runtime, async (ctx) => {
        await lockCapacity(ctx, sku)
        const pool_id = await ensureSupplyPool(ctx, { account_id, workspace_id })
        await changeSupply(ctx, { pool_id, sku_id: sku }, [{ minute: Math.floor(ctx.now / 60) + 1, delta: 1_000_000 }])
        return pool_id
      })
      made.push({ account: account_id, token, pool, side: 'sell', sku })
    } else {
      const grant = { type: 'credit_grant', amount_dollars: '100000000.000000', description: 'Bench.' }
      await call(admin, 'POST', `/preview/v2/admin/accounts/${account_id}/transactions`, grant)
      const pool = (await call({ url, token }, 'POST', '/v2/pools', {})).id
      made.push({ account: account_id, token, pool, side: 'buy', sku })
    }
  }
  return made
}

/** What a trader orders: a number of nodes for some hours. */
export type OrderParams = {
  readonly pool: string
  readonly nodes: number
  readonly hours: number
  readonly price: string
}

/** Places an order that may stand, from an hour on that begins soon. Returns its id. */
export async function placeOrder(
  url: string,
  { token, sku, side }: Trader,
  { pool, nodes, hours, price }: OrderParams,
): Promise<string> {
  const start_at = (Math.floor(Date.now() / 3_600_000) + 2) * 3600
  const placed = await call({ url, token }, 'POST', '/v2/orders', {
    pool,
    sku,
    side,
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at, end_at: start_at + hours * 3600, node_count: nodes }],
    limit_price_dollars_per_node_hour: price,
  })
  return placed.id
}
