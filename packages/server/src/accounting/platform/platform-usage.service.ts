/** What all accounts used and paid, for the platform operator: a page of accounts, each read as its own usage list. */
import type { listPlatformUsage as listContract, PlatformUsage } from '@bourse/api/billing/platform-ledger.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { printDollars } from '@bourse/text/money.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { pageResponse } from '../../core/work/page.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { pageOfAccounts } from '../../iam/accounts/accounts.service.ts'
import { skuSummaries } from '../../market/skus/skus.service.ts'
import { addSums, emptySums, groupUsage, refuseUsageRange, type UsageSums } from '../usage/usage.rules.ts'
import { readUsage } from '../usage/usage.service.ts'

type UsageSkus = Awaited<ReturnType<typeof skuSummaries>>

/** Lists the usage of accounts in a window, by account and SKU. */
export async function listPlatformUsage(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  throwIfRefused(refuseUsageRange(query, 'day'))
  const page = await pageOfAccounts(ctx, query)
  const used: { account: string; bySku: Map<Id<'sku'>, UsageSums> }[] = []
  for (const { id } of page.rows) {
    const bySku = await readSums(ctx, id, query)
    if (bySku.size > 0) used.push({ account: id, bySku })
  }
  const skus = await skuSummaries(
    ctx,
    used.flatMap(({ bySku }) => [...bySku.keys()]),
  )
  return pageResponse(
    page,
    used.map((one) => presentUsage(one, skus)),
  )
}

async function readSums(ctx: Ctx, account: string, range: { from: number; to: number }) {
  const bySku = new Map<Id<'sku'>, UsageSums>()
  for (const { group, ...sums } of groupUsage(await readUsage(ctx, account, range, 'day'), ['sku'], noPool)) {
    const sku = group.sku as Id<'sku'>
    const known = bySku.get(sku) ?? emptySums()
    addSums(known, sums)
    bySku.set(sku, known)
  }
  return bySku
}

const noPool = () => ({ workspace_id: '', tags: null })

function presentUsage(
  { account, bySku }: { account: string; bySku: ReadonlyMap<Id<'sku'>, UsageSums> },
  skus: UsageSkus,
): PlatformUsage {
  const all = emptySums()
  for (const sums of bySku.values()) addSums(all, sums)
  const ids = [...bySku.keys()].sort()
  return {
    object: 'platform_usage',
    account,
    ...presentSums(all),
    skus: ids.map((id) => ({
      sku: skus.get(id) as PlatformUsage['skus'][number]['sku'],
      ...presentSums(bySku.get(id) as UsageSums),
    })),
  }
}

function presentSums(sums: UsageSums) {
  return {
    allocated_node_minutes: sums.allocated,
    used_node_minutes: sums.used,
    bought_dollars: printDollars(sums.bought_micros),
    sold_dollars: printDollars(sums.sold_micros),
    effective_cost_dollars: printDollars(sums.cost_micros),
  }
}
