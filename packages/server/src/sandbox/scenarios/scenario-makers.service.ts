/** What every world with a market has: money for the customer, market makers, and a past of their trades. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { postTo } from '../../billing/money.service.ts'
import { createPool } from '../../market/pools/pools.service.ts'
import { tradeInPast, updateMarketMaker } from '../makers/makers.service.ts'
import { openMaker } from '../makers/makers-opening.service.ts'
import { customer } from '../world/seed-accounts.service.ts'
import type { ScenarioContext } from './scenario-context.service.ts'

/** A SKU to be traded, with the price that its market drifts around, in micro-dollars per node-minute. */
export type Listing = { readonly sku: Id<'sku'>; readonly base_price_micros: bigint; readonly nodes: number }

/** The makers of a world in the making: they rest until the world begins. */
export type Makers = {
  /** Lets so many trades happen on each SKU in this minute. */
  trade(count: number): Promise<void>
  /** Lets the past go by, with trades after every so many seconds. */
  pass(seconds: number, step: { seconds: number; trades: number }): Promise<void>
  /** Lets them begin to offer. */
  start(): Promise<void>
}

/** Opens makers on some SKUs. */
export async function openMakers(context: ScenarioContext, listings: readonly Listing[]): Promise<Makers> {
  for (const listing of listings) await openMaker(context.as, { ...listing, enabled: false })
  const trade = async (count: number) => {
    for (const { sku } of listings) await context.as(context.platform, (ctx) => tradeInPast(ctx, sku, count))
  }
  return {
    trade,
    pass: async (seconds, step) => {
      for (let passed = 0; passed < seconds; passed += step.seconds) {
        await context.pass(Math.min(step.seconds, seconds - passed))
        await trade(step.trades)
      }
    },
    start: async () => {
      for (const { sku } of listings) {
        await context.as(context.platform, (ctx) => updateMarketMaker(ctx, sku, { enabled: true }))
      }
    },
  }
}

/** The price of so many whole dollars per node-hour, in micro-dollars per node-minute. */
export function dollarsPerHour(dollars: number): bigint {
  return (BigInt(dollars) * 1_000_000n) / 60n
}

/** Gives the customer ten thousand dollars, and a pool that buys and sells. */
export async function fundCustomer({ as, ids }: ScenarioContext): Promise<void> {
  const amount_micros = 10_000n * 1_000_000n
  const description = 'To begin with.'
  await as(customer.id, (ctx) => postTo(ctx, customer.id, { type: 'credit_grant', amount_micros, description }))
  ids.pool_market = (await as(customer.id, (ctx) => createPool(ctx, { name: 'main' }))).id
}
