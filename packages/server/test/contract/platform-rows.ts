/** Rows of the operator's lists: one of the account, and an older one of another account. */
import { type FilterRows, marketRows } from './market-rows.ts'
import type { ContractWorld } from './world.ts'

type MadeRow = { id: string; created_at: number }
type MakeRows = (world: ContractWorld) => Promise<FilterRows>

/** The rows of an account's own list beside a row of the stranger, as the platform's operator sees them. */
export function seenByOperator(makeRows: MakeRows, makeOther: (world: ContractWorld) => Promise<MadeRow>): MakeRows {
  return async (world) => {
    const other = await makeOther(world)
    await world.server.advance(10)
    const { selects, rejects, empties = {}, wanted } = await makeRows(world)
    return {
      wanted,
      other: other.id,
      token: world.platform.token,
      empties,
      selects: { ...selects, account: world.account.id },
      rejects: rejects ? { created_before: `${other.created_at}` } : {},
    }
  }
}

/** A sell order that rests. */
async function orderOfStranger({ server, stranger, operate }: ContractWorld): Promise<MadeRow> {
  const { id: sku } = await operate('POST', '/preview/v2/admin/skus', {})
  const { data } = await operate('POST', '/sandbox/hosts', { account: stranger.id, sku, count: 1 })
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 7200
  const body = {
    pool: data[0].pool.id,
    side: 'sell' as const,
    sku,
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at, end_at: start_at + 60, node_count: 1 }],
    limit_price_dollars_per_node_hour: '6.000000',
  } as const
  return server.call('create_order', { token: stranger.token, body })
}

export function poolOfStranger({ server, stranger }: ContractWorld): Promise<MadeRow> {
  return server.call('create_pool', { token: stranger.token, body: {} })
}

/** An instance that has ended. */
export async function instanceOfStranger(world: ContractWorld): Promise<MadeRow> {
  const { server, shared, stranger } = world
  const [{ id: pool }, sku, image] = [await poolOfStranger(world), await shared('sku'), await shared('image')]
  const body = { pool, sku: sku.id, image: image.id }
  const made = await server.call('create_instance', { token: stranger.token, body })
  await server.call('terminate_instance', { params: { id: made.id }, token: stranger.token })
  return made
}

/** A SKU that every account sees, and an unlisted one. */
async function skuRows({ operate, account, platform }: ContractWorld): Promise<FilterRows> {
  const make = (listed: boolean) => operate('POST', '/preview/v2/admin/skus', { listed })
  const [other, wanted] = [await make(false), await make(true)]
  const selects = { id: wanted.id, account: account.id, listed: 'true' }
  return { wanted: wanted.id, other: other.id, selects, rejects: { listed: 'false' }, token: platform.token }
}

export const platformRows = {
  list_platform_orders: seenByOperator(marketRows.list_orders, orderOfStranger),
  list_platform_skus: skuRows,
}
