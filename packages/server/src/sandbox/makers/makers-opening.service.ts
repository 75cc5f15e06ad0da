/**
 * Creates market makers: their accounts, funds, pools and simulated hosts. Their capacity is real to the market: an
 * instance can run on what they sell.
 */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { createMarketMaker as createContract, MarketMaker } from '@bourse/api/sandbox/makers.ts'
import { postTo } from '../../billing/money.service.ts'
import { isRefusal, refuse } from '../../core/base/refusal.ts'
import { systemCommand, systemOrigin } from '../../core/work/command.ts'
import { readInstalledAt } from '../../core/work/installation.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { refusePartner } from '../../fleet/hosts/host-enrolments.service.ts'
import { readPrice } from '../../market/orders/standing-offers.service.ts'
import { createPool, findOwnPool, type KnownPool } from '../../market/pools/pools.service.ts'
import { requireSku } from '../../market/skus/skus.service.ts'
import { createPoolTransfer } from '../../market/trading/pool-transfers.service.ts'
import { addSimulatedHosts } from '../hosts/hosts.service.ts'
import { type ActAs, createActAs } from '../world/acting.service.ts'
import { createSeedAccount, desk, trader } from '../world/seed-accounts.service.ts'
import { withinWorld } from '../world/world.service.ts'
import type { MakerRow } from './makers.rules.ts'
import { hasMaker, makerKind, presentMaker } from './makers.service.ts'
import { insertMaker } from './makers-opening.store.ts'
import { utcOffsetOf } from './weather.rules.ts'

/** The parameters of a market maker. */
type NewMaker = {
  readonly sku: Id<'sku'>
  readonly base_price_micros: bigint
  readonly nodes: number
  /** False: it places no orders until it is enabled. */
  readonly enabled: boolean
  /** From when the events of its weather are counted, in Unix seconds. Null: it has no weather. */
  readonly weather_from: number | null
}

const seeds = 2 ** 32
const nodesByDefault = 16
const slotsMax = 8
/** One thousand million dollars: more than the trades of a sandbox can lose. */
const fundsMicros = 10n ** 15n

/**
 * Creates a market maker for a caller, with the accounts that it needs. Creations run one after the other, because all
 * market makers share these accounts. Refuses invalid_state if the SKU already has one.
 */
export function createMarketMaker(runtime: Runtime, { body }: Input<typeof createContract>): Promise<MarketMaker> {
  return withinWorld(runtime, () => openFor(runtime, body))
}

/**
 * The pool of the trader, which buys what no resting order buys. Creates and funds it if the world has none yet. To be
 * called inside `withinWorld`.
 */
export async function ensureBuyer(runtime: Runtime): Promise<KnownPool> {
  const find = () => query(runtime, systemOrigin, (ctx) => findOwnPool(ctx, tradingPoolOf(trader.id)))
  const known = await find()
  if (known) return known
  await ensureSeedAccounts(runtime)
  await seedAccount(createActAs(runtime), trader.id)
  const made = await find()
  if (!made) throw new Error('The pool of the trader does not exist after its creation.')
  return made
}

function tradingPoolOf(account_id: string): Ref<'pool'> {
  return `svc:pool:${account_id}:default:trading`
}

async function openFor(runtime: Runtime, body: Input<typeof createContract>['body']): Promise<MarketMaker> {
  const { sku, node_count: nodes = nodesByDefault, weather = true } = body
  const base_price_micros = readPrice(body.base_price_dollars_per_node_hour, 'base_price_dollars_per_node_hour')
  const weather_from = await systemCommand(runtime, async (ctx) => {
    if (await hasMaker(ctx, sku)) refuseSecond()
    // The desk, which has the hosts, is a partner.
    await refusePartner(ctx, { sku: await requireSku(ctx, sku), account_id: desk.id, field: 'sku' })
    return weather ? ctx.now : null
  })
  await ensureSeedAccounts(runtime)
  const row = await openMaker(createActAs(runtime), { sku, base_price_micros, nodes, enabled: true, weather_from })
  return systemCommand(runtime, (ctx) => presentMaker(ctx, row))
}

/** Creates a market maker in a world that already has its accounts. Refuses invalid_state if the SKU has one. */
export async function openMaker(as: ActAs, makerParams: NewMaker): Promise<MakerRow> {
  const { sku, nodes, base_price_micros, enabled, weather_from } = makerParams
  const trader_pool_id = await seedAccount(as, trader.id)
  const desk_pool_id = await seedAccount(as, desk.id)
  const supplies = await addHosts(as, sku, nodes)
  await as(desk.id, (ctx) => {
    const start_at = (Math.floor(ctx.now / 60) + 1) * 60
    const allocation_schedule_delta = [{ start_at, end_at: null, node_count: nodes }]
    const body = { from_pool: supplies, to_pool: desk_pool_id, sku, allocation_schedule_delta }
    return createPoolTransfer(ctx, { params: {}, query: {}, body })
  })
  return as(desk.id, async (ctx) => {
    const seed = ctx.random.integer(seeds)
    const row: MakerRow = {
      sku_id: sku,
      seed,
      base_price_micros,
      began_minute: Math.floor(ctx.now / 60),
      nodes,
      enabled,
      weather_from_minute: weather_from === null ? null : Math.floor(weather_from / 60),
      utc_offset_minutes: utcOffsetOf((await requireSku(ctx, sku)).properties.region?.value),
      desk_pool_id,
      trader_pool_id,
      created_at: ctx.now,
    }
    if (!(await insertMaker(ctx.db, row))) refuseSecond()
    if (enabled) ctx.schedule(makerKind, sku)
    return row
  })
}

function refuseSecond(): never {
  refuse('invalid_state', 'This SKU already has a market maker. Update that one.', 'sku')
}

/** Creates the accounts of the market makers that the world does not have yet. */
async function ensureSeedAccounts(runtime: Runtime): Promise<void> {
  const installedAt = await readInstalledAt(runtime.database.reader)
  for (const account of [desk, trader]) {
    try {
      await systemCommand(runtime, (ctx) => createSeedAccount(ctx, account, installedAt))
    } catch (error) {
      if (!isRefusal(error, 'account_exists')) throw error
    }
  }
}

/** Creates the trading pool of an account and funds the account, if it has no such pool. */
async function seedAccount(as: ActAs, account_id: string): Promise<Id<'pool'>> {
  const known = await as(account_id, (ctx) => findOwnPool(ctx, tradingPoolOf(account_id)))
  if (known) return known.id
  const pool = await as(account_id, (ctx) => createPool(ctx, { name: 'trading' }))
  const description = 'Initial funds of a simulated market maker.'
  const posting = { type: 'credit_grant' as const, amount_micros: fundsMicros, description }
  await as(account_id, (ctx) => postTo(ctx, account_id, posting))
  return pool.id
}

/** Adds hosts with `nodes` slots in total, one transaction per host size. Returns the pool that they supply. */
async function addHosts(as: ActAs, sku: Id<'sku'>, nodes: number): Promise<Id<'pool'>> {
  const add = (count: number, slots: number) =>
    count === 0 || slots === 0
      ? []
      : as(desk.id, (ctx) => addSimulatedHosts(ctx, { account_id: desk.id, sku, count, slots }))
  const hosts = await add(Math.floor(nodes / slotsMax), slotsMax)
  const [first] = [...hosts, ...(await add(1, nodes % slotsMax))]
  if (!first) throw new Error('A market maker needs at least one node.')
  return first.pool.id
}
