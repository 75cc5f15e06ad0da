/** Worlds that are about trading: one with many books, and one that has traded for long. */
import { customer, desk, trader } from '../world/cast.service.ts'
import { dollarsPerHour, fundCustomer, openMakers } from './scenario-makers.service.ts'
import { acceleratorNode, describeValue, offer } from './scenario-market.service.ts'
import type { Scenario, Scene } from './scene.service.ts'

const hour = 3_600
const day = 24 * hour
const cast = [customer, desk, trader]

/** What is traded, with the dollars per node-hour that its price drifts around. */
const offered = [
  ['h100', 'us-west', 17],
  ['h100', 'eu-north', 16],
  ['a100', 'us-west', 9],
  ['a100', 'eu-north', 8],
  ['b200', 'us-west', 31],
] as const

/** Five SKUs, each traded for half a day. */
export const busyMarket: Scenario = { cast, history_seconds: 12 * hour, build: buildBusy }

/** One SKU, traded for four weeks. */
export const longHistory: Scenario = { cast, history_seconds: 28 * day, build: buildLong }

async function buildBusy(scene: Scene): Promise<() => Promise<void>> {
  const makers = await openOn(scene, offered)
  await makers.pass(12 * hour, { seconds: hour, trades: 2 })
  return makers.start
}

async function buildLong(scene: Scene): Promise<() => Promise<void>> {
  const makers = await openOn(scene, offered.slice(0, 1))
  await makers.pass(28 * day, { seconds: 8 * hour, trades: 3 })
  return makers.start
}

async function openOn(scene: Scene, wanted: readonly (typeof offered)[number][]) {
  const { ids } = scene
  for (const [name, text] of [
    ['us-west', 'US West'],
    ['eu-north', 'EU North'],
  ] as const) {
    await describeValue(scene, 'region', name, text)
  }
  for (const name of ['h100', 'a100', 'b200']) {
    await describeValue(scene, 'accelerator', name, `NVIDIA ${name.toUpperCase()}`)
  }
  await fundCustomer(scene)
  const listings = []
  for (const [accelerator, region, dollars] of wanted) {
    const alias = `${accelerator}-${region.split('-').at(-1)}`
    const sku = await offer(scene, { alias, accelerator, region, ...acceleratorNode })
    ids[`sku_${alias.replace('-', '_')}`] = sku
    listings.push({ sku, base_price_micros: dollarsPerHour(dollars), nodes: 32 })
  }
  return openMakers(scene, listings)
}
