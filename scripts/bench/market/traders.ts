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

/** Creates the accounts. Every second one has nodes to sell, the others have the money to buy them. */
export async function makeTraders({ runtime, url }: Server): Promise<Trader[]> {
  const operator = await systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id: 'operator', trust_level: 'partner', is_platform: true })
    return createAdminToken(ctx, { account_id: 'operator', workspace_id, name: 'bench' })
  })
  const call = async (method: string, path: string, token: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const sku = (await call('POST', '/preview/v2/admin/skus', operator.token, { fee_bps: 100 })).id as Id<'sku'>
  const made: Trader[] = []
  for (let i = 0; i < accountsCount; i++) {
    const account_id = `bench-${i}`
    const { token, workspace_id } = await systemCommand(runtime, async (ctx) => {
      const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'partner' })
      return { ...(await createAdminToken(ctx, { account_id, workspace_id, name: 'bench' })), workspace_id }
    })
    for (const name of orderLimits) {
      const path = `/preview/v2/admin/accounts/${account_id}/limits/${name}`
      await call('PUT', path, operator.token, { value: null })
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
      await call('POST', `/preview/v2/admin/accounts/${account_id}/transactions`, operator.token, grant)
      made.push({ token, pool: (await call('POST', '/v2/pools', token, {})).id, side: 'buy', sku })
    }
  }
  return made
}
