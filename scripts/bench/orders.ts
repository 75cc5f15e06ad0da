// Orders over HTTP, durable, all on one book: 64 callers with 100 accounts, and one caller alone, against single rows
// that the same driver inserts into the same database over as many connections.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../packages/server/src/core/command.ts'
import { createAdminToken, makeAccount } from '../../packages/server/src/iam/accounts.service.ts'
import { changeSupply, lockCapacity } from '../../packages/server/src/market/capacity.service.ts'
import { ensureSupplyPool } from '../../packages/server/src/market/pools.service.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { type Child, loadCore, startChild } from './child.ts'
import { makePlace } from './event-world.ts'
import type { Row } from './market-engine.ts'

/** An account that buys or sells for one pool. */
export type Trader = {
  readonly token: string
  readonly pool: string
  readonly side: 'buy' | 'sell'
  readonly sku: string
}

/** What the load program did: calls a second, and the median of one in milliseconds. */
export type Load = { readonly rate: number; readonly p50: number }

/** The rows of this file. */
export const orderRowNames: readonly string[] = ['orders_http_64', 'order_p50']

const accountsCount = 100
const rounds = 5
const milliseconds = 2000
const rateGoal = 0.2
const timeGoal = 8

/** Orders a second of 64 callers, and the time of one order of a caller alone. */
export async function orderRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!orderRowNames.some(wanted)) return []
  await using place = await makePlace()
  const traders = await place.prepare(makeTraders)
  const options = { target: place.target, traders, connections: 64 }
  await using load: Child<unknown, Load> = await startChild('orders-program.ts', options, loadCore)
  await using server = await place.serve()
  const run = (kind: 'order' | 'insert', callers: number) =>
    load.ask({ kind, callers, port: server.ready.port, milliseconds })
  const rows: Row[] = []
  for (const callers of [64, 1]) {
    const ours: Load[] = []
    const inserts: Load[] = []
    await run('order', callers)
    await run('insert', callers)
    for (let round = 0; round < rounds; round++) {
      ours.push(await run('order', callers))
      inserts.push(await run('insert', callers))
    }
    rows.push(callers === 64 ? rateRow(ours, inserts) : timeRow(ours, inserts))
  }
  return rows
}

function rateRow(ours: readonly Load[], inserts: readonly Load[]): Row {
  const [mine, against] = [ours, inserts].map((loads) => median(loads.map(({ rate }) => rate))) as [number, number]
  const ratio = mine / against
  return { name: 'orders_http_64', ours: mine, against, ratio, goal: rateGoal, met: ratio >= rateGoal }
}

function timeRow(ours: readonly Load[], inserts: readonly Load[]): Row {
  const [mine, against] = [ours, inserts].map((loads) => median(loads.map(({ p50 }) => p50))) as [number, number]
  const ratio = mine / against
  return { name: 'order_p50', ours: mine, against, ratio, goal: timeGoal, met: ratio <= timeGoal }
}

/** Every second account sells what its hosts put in, the others have the money to buy it. */
async function makeTraders({ runtime, url }: Server): Promise<Trader[]> {
  const operator = await systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id: 'operator', trust_level: 'partner', is_platform: true })
    return createAdminToken(ctx, { account_id: 'operator', workspace_id, name: 'bench' })
  })
  const call = async (method: string, path: string, token: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
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

const orderLimits = ['open_orders', 'reserved_node_hours']

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
