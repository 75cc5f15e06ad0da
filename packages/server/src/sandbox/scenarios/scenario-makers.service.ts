/** The parts of every world with a market: funds for the customer, market makers, and a history of their trades. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { postTo } from '../../billing/money.service.ts'
import { createPool } from '../../market/pools/pools.service.ts'
import { tradeInPast, updateMarketMaker } from '../makers/makers.service.ts'
import { openMaker } from '../makers/makers-opening.service.ts'
import { customer } from '../world/seed-accounts.service.ts'
import type { ScenarioContext } from './scenario-context.service.ts'

/** A traded SKU, with the price that its market drifts around in micro-dollars per node-hour. */
type Listing = { readonly sku: Id<'sku'>; readonly base_price_micros: bigint; readonly nodes: number }

/** The market makers of a world that is being built. They are disabled until `start`. */
type Makers = {
  /** Makes `count` trades on each SKU in the current minute. */
  trade(count: number): Promise<void>
  /** Advances the clock by `seconds`, with `step.trades` trades per SKU after every `step.seconds`. */
  pass(seconds: number, step: { seconds: number; trades: number }): Promise<void>
  /** Enables the market makers. */
  start(): Promise<void>
}

/** Creates a disabled market maker on each listed SKU. The events of its weather are counted from the present on. */
export async function openMakers(
  context: ScenarioContext,
  listings: readonly Listing[],
  historySeconds: number,
): Promise<Makers> {
  const weather_from = context.from + historySeconds
  for (const listing of listings) await openMaker(context.as, { ...listing, enabled: false, weather_from })
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

/** Converts whole dollars per node-hour to micro-dollars per node-hour. */
export function dollarsPerHour(dollars: number): bigint {
  return BigInt(dollars) * 1_000_000n
}

/** Credits the customer with ten thousand dollars, and creates a pool that can buy and sell. */
export async function fundCustomer({ as, ids }: ScenarioContext): Promise<void> {
  const amount_micros = 10_000n * 1_000_000n
  const description = 'Initial funds.'
  await as(customer.id, (ctx) => postTo(ctx, customer.id, { type: 'credit_grant', amount_micros, description }))
  ids.pool_market = (await as(customer.id, (ctx) => createPool(ctx, { name: 'main' }))).id
}
