// The traders of the order benchmarks: accounts with pools. Every second one sells.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { createAdminToken, makeAccount } from '../../../packages/server/src/iam/accounts/accounts.service.ts'
import { changeSupply, lockCapacity } from '../../../packages/server/src/market/pools/capacity.service.ts'
import { ensureSupplyPool } from '../../../packages/server/src/market/pools/pools.service.ts'
import type { Server } from '../../../packages/server/src/server.ts'

/** An account that buys or sells for one pool. */
export type Trader = {
  readonly token: string
  readonly pool: string
  readonly side: 'buy' | 'sell'
  readonly sku: string
}

const accountsCount = 100
const orderLimits = ['open_orders', 'reserved_node_hours']

/** The accounts of a benchmark; those of `budgeted` have a budget with a hard stop each, which is never reached. */
export type Traders = { readonly plain: readonly Trader[]; readonly budgeted: readonly Trader[] }

type Call = (method: string, path: string, token: string, body: unknown) => Promise<{ id: string }>
type Bench = { readonly server: Server; readonly call: Call; readonly operator_token: string }

/** Creates the accounts. Every second one has nodes to sell, the others have the money to buy them. */
export async function makeTraders(server: Server): Promise<Traders> {
  const { runtime, url } = server
  const operator = await systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id: 'operator', trust_level: 'partner', is_platform: true })
    return createAdminToken(ctx, { account_id: 'operator', workspace_id, name: 'bench' })
  })
  const call: Call = async (method, path, token, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const bench = { server, call, operator_token: operator.token }
  const plain = await makeSet(bench, 'bench')
  const budgeted = await makeSet(bench, 'budget')
  const budget = { period: 'month', amount_dollars: '90000000.000000', hard_stop: true }
  for (const { token } of budgeted) await call('POST', '/preview/v2/billing/budgets', token, budget)
  return { plain, budgeted }
}

/** Accounts that trade one SKU with one another. */
async function makeSet({ server: { runtime }, call, operator_token }: Bench, name: string): Promise<Trader[]> {
  const sku = (await call('POST', '/preview/v2/admin/skus', operator_token, { fee_bps: 100 })).id as Id<'sku'>
  const made: Trader[] = []
  for (let i = 0; i < accountsCount; i++) {
    const account_id = `${name}-${i}`
    const { token, workspace_id } = await systemCommand(runtime, async (ctx) => {
      const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'partner' })
      return { ...(await createAdminToken(ctx, { account_id, workspace_id, name: 'bench' })), workspace_id }
    })
    for (const limit of orderLimits) {
      const path = `/preview/v2/admin/accounts/${account_id}/limits/${limit}`
      await call('PUT', path, operator_token, { value: null })
    }
    if (i % 2 === 0) {
      const pool = await systemCommand(runtime, async (ctx) => {
        await lockCapacity(ctx, sku)
        const pool_id = await ensureSupplyPool(ctx, { account_id, workspace_id })
        await changeSupply(ctx, { pool_id, sku_id: sku }, [{ minute: Math.floor(ctx.now / 60) + 1, delta: 1_000_000 }])
        return pool_id
      })
      made.push({ token, pool, side: 'sell', sku })
    } else {
      const grant = { type: 'credit_grant', amount_dollars: '100000000.000000', description: 'Bench.' }
      await call('POST', `/preview/v2/admin/accounts/${account_id}/transactions`, operator_token, grant)
      made.push({ token, pool: (await call('POST', '/v2/pools', token, {})).id, side: 'buy', sku })
    }
  }
  return made
}
