/** The quickstart: a small market with resources in every state. It builds SKUs, then accounts, then instances. */

import type { Id } from '@bourse/api/kit/ids.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { putSkuOverride, retireSku } from '../../market/skus/sku-administration.service.ts'
import { customer, desk, provider, trader } from '../world/seed-accounts.service.ts'
import type { Scenario, ScenarioContext } from './scenario-context.service.ts'
import { dollarsPerHour, fundCustomer, openMakers } from './scenario-makers.service.ts'
import { acceleratorNode, describeValue, grant, offer, supply } from './scenario-market.service.ts'
import { seedAccount } from './scenario-quickstart-account.service.ts'
import { type QuickstartPools, runFleets } from './scenario-quickstart-fleet.service.ts'

/** The seconds of trades before the customer's resources are created in the last hour. */
const pastSeconds = 11 * hourSeconds
const historySeconds = pastSeconds + hourSeconds

/** The world that a sandbox starts with. */
export const quickstart: Scenario = {
  seed_accounts: [customer, provider, desk, trader],
  history_seconds: historySeconds,
  build,
}

type QuickstartSkus = Readonly<Record<'h100' | 'a100' | 'v100', Id<'sku'>>>

async function build(context: ScenarioContext): Promise<() => Promise<void>> {
  const skus = await offerSkus(context)
  const listings = [
    { sku: skus.h100, base_price_micros: dollarsPerHour(17), nodes: 16 },
    { sku: skus.a100, base_price_micros: dollarsPerHour(9), nodes: 16 },
  ]
  const makers = await openMakers(context, listings, historySeconds)
  await makers.pass(pastSeconds, { seconds: hourSeconds, trades: 2 })
  const pass = async (seconds: number) => {
    await context.pass(seconds)
    if (seconds >= 300) await makers.trade(1)
  }
  const paced = { ...context, from: context.from + pastSeconds, pass }
  const account = await seedAccount(paced)
  await fundCustomer(paced)
  const pools = await supplyPools(paced, skus)
  await paced.pass(120)
  await runFleets(paced, { ...account, pools })
  // The oldest machine continues to run after its SKU is retired.
  await paced.as(paced.platform, (ctx) => retireSku(ctx, pools.legacy.sku))
  await paced.pass(600)
  return makers.start
}

async function offerSkus(paced: ScenarioContext): Promise<QuickstartSkus> {
  const { ids } = paced
  const values = [
    ['region', 'us-west', 'US West'],
    ['region', 'eu-north', 'EU North'],
    ['availability_zone', 'us-west-1a', 'US West 1a'],
    ['availability_zone', 'eu-north-1b', 'EU North 1b'],
    ['accelerator', 'h100', 'NVIDIA H100'],
    ['accelerator', 'a100', 'NVIDIA A100'],
    ['accelerator', 'v100', 'NVIDIA V100'],
    ['accelerator', 'b200', 'NVIDIA B200'],
    ['form_factor', 'sxm', 'SXM'],
    ['form_factor', 'pcie', 'PCIe'],
    ['infiniband_fabric', 'west-ib', 'West InfiniBand'],
  ] as const
  for (const [property, name, text] of values) await describeValue(paced, property, name, text)
  const west = { region: 'us-west', availability_zone: 'us-west-1a', form_factor: 'sxm', ...acceleratorNode }
  const north = { region: 'eu-north', availability_zone: 'eu-north-1b', form_factor: 'pcie', ...acceleratorNode }
  const fabric = { rdma_type: 'infiniband', infiniband_fabric: 'west-ib' } as const
  const h100 = await offer(paced, { alias: 'h100-west', accelerator: 'h100', ...west, ...fabric })
  const a100 = await offer(paced, { alias: 'a100-north', accelerator: 'a100', ...north, rdma_type: 'roce' })
  const v100 = await offer(paced, { alias: 'v100-north', accelerator: 'v100', ...north, num_accelerators: 4 })
  const b200 = await offer(paced, { alias: 'b200-west', accelerator: 'b200', ...west, listed: false })
  const override = { local_storage_bytes: acceleratorNode.local_storage_bytes / 2 }
  await paced.as(paced.platform, (ctx) => putSkuOverride(ctx, { account: customer.id, sku: a100 }, override))
  Object.assign(ids, { sku: h100, sku_overridden: a100, sku_retired: v100, sku_unlisted: b200 })
  return { h100, a100, v100 }
}

async function supplyPools(paced: ScenarioContext, { h100, a100, v100 }: QuickstartSkus): Promise<QuickstartPools> {
  const { ids } = paced
  const [west1, north1, old] = [
    await supply(paced, h100, 3, 4),
    await supply(paced, a100, 2, 4),
    await supply(paced, v100, 1, 2),
  ]
  // The batch pool ends 40 minutes after the present. Its instances get their notice ten minutes before.
  const ends = [{ after_seconds: hourSeconds + 2_400, nodes: 0 }]
  const training = await grant(paced, west1, { name: 'training', nodes: 6 })
  const batch = await grant(paced, north1, { name: 'batch', nodes: 3, later: ends })
  const research = await grant(paced, north1, { name: 'lab', nodes: 1, workspace: 'research' })
  const legacy = await grant(paced, old, { name: 'legacy', nodes: 1 })
  Object.assign(ids, { pool: training, pool_ending: batch, pool_of_research: research, pool_legacy: legacy })
  return {
    training: { ...west1, pool: training },
    batch: { ...north1, pool: batch },
    research: { ...north1, pool: research },
    legacy: { ...old, pool: legacy },
  }
}
