/** Scenarios about trading: one with many books, and one with a long history. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { customer, desk, trader } from '../world/seed-accounts.service.ts'
import type { Scenario, ScenarioContext } from './scenario-context.service.ts'
import { dollarsPerHour, fundCustomer, openMakers } from './scenario-makers.service.ts'
import { acceleratorNode, describeValue, offer } from './scenario-market.service.ts'

const seed_accounts = [customer, desk, trader]

/** The traded SKUs, each with the dollars per node-hour that its price drifts around. */
const offered = [
  ['h100', 'us-west', 17],
  ['h100', 'eu-north', 16],
  ['a100', 'us-west', 9],
  ['a100', 'eu-north', 8],
  ['b200', 'us-west', 31],
] as const

const busySeconds = 12 * hourSeconds
const longSeconds = 28 * daySeconds
/** The last part of the long history, which shows how prices differ by hour. */
const recentSeconds = 7 * daySeconds

/** Five SKUs, each traded for half a day. */
export const busyMarket: Scenario = { seed_accounts, history_seconds: busySeconds, build: buildBusy }

/** One SKU, traded for four weeks. */
export const longHistory: Scenario = { seed_accounts, history_seconds: longSeconds, build: buildLong }

async function buildBusy(context: ScenarioContext): Promise<() => Promise<void>> {
  const makers = await openOn(context, offered, busySeconds)
  await makers.pass(busySeconds, { seconds: hourSeconds, trades: 2 })
  return makers.start
}

async function buildLong(context: ScenarioContext): Promise<() => Promise<void>> {
  const makers = await openOn(context, offered.slice(0, 1), longSeconds)
  await makers.pass(longSeconds - recentSeconds, { seconds: 8 * hourSeconds, trades: 3 })
  await makers.pass(recentSeconds, { seconds: 2 * hourSeconds, trades: 2 })
  return makers.start
}

async function openOn(context: ScenarioContext, wanted: readonly (typeof offered)[number][], historySeconds: number) {
  const { ids } = context
  for (const [name, text] of [
    ['us-west', 'US West'],
    ['eu-north', 'EU North'],
  ] as const) {
    await describeValue(context, 'region', name, text)
  }
  for (const name of ['h100', 'a100', 'b200']) {
    await describeValue(context, 'accelerator', name, `NVIDIA ${name.toUpperCase()}`)
  }
  await fundCustomer(context)
  const listings = []
  for (const [accelerator, region, dollars] of wanted) {
    const alias = `${accelerator}-${region.split('-').at(-1)}`
    const sku = await offer(context, { alias, accelerator, region, ...acceleratorNode })
    ids[`sku_${alias.replace('-', '_')}`] = sku
    listings.push({ sku, base_price_micros: dollarsPerHour(dollars), nodes: 32 })
  }
  return openMakers(context, listings, historySeconds)
}
