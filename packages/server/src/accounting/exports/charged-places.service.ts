/** What all charges of a pool and SKU have in common: names, tags, region, who supplied the capacity. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { readSuppliers } from '../../fleet/hosts/hosts.service.ts'
import { summaries } from '../../iam/names/names.service.ts'
import { findAccount } from '../../iam/names/owners.service.ts'
import { readPoolsEver } from '../../market/pools/pools.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import { type PoolAndSku, placeKey } from '../usage/usage-fold.rules.ts'
import { type ChargedPlace, marketplace } from './focus.rules.ts'

/** Places as charges show them, by key and in the order that was given. */
export async function readChargedPlaces(
  ctx: Ctx,
  accountId: string,
  places: readonly PoolAndSku[],
): Promise<Map<string, ChargedPlace>> {
  const pools = await readPoolsEver(ctx, [...new Set(places.map(({ pool_id }) => pool_id))])
  const named = pools.flatMap(({ id, workspace_id }) => [id, workspace_id])
  const skuIds = [...new Set(places.map(({ sku_id }) => sku_id as Id<'sku'>))]
  const [names, suppliers, skus] = await Promise.all([
    summaries(ctx, named),
    readSuppliers(ctx, skuIds),
    Promise.all(skuIds.map((id) => findSkuFor(ctx, accountId, id))),
  ])
  const supplierNames = await namesOfAccounts(ctx, suppliers)
  const byId = new Map(pools.map((pool) => [pool.id as string, pool]))
  const charged = new Map<string, ChargedPlace>()
  for (const { pool_id, sku_id } of places) {
    const pool = byId.get(pool_id)
    if (!pool) continue
    const { region, availability_zone } = skus.find((sku) => sku?.id === sku_id)?.properties ?? {}
    charged.set(placeKey({ pool_id, sku_id }), {
      pool_id,
      sku_id,
      tags: pool.tags,
      workspace_id: pool.workspace_id,
      pool_name: names.get(pool_id)?.name ?? null,
      workspace_name: names.get(pool.workspace_id)?.name ?? pool.workspace_id,
      region: region ? { id: region.value, name: region.display_value } : null,
      zone: availability_zone?.value ?? null,
      supplier: supplierNames.get(sku_id) ?? marketplace,
      made: new Map(),
    })
  }
  return charged
}

async function namesOfAccounts(
  ctx: Ctx,
  suppliers: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [sku_id, accounts] of suppliers) {
    const [only = ''] = accounts
    names.set(sku_id, accounts.length > 1 ? 'Multiple' : ((await findAccount(ctx, only))?.name ?? only))
  }
  return names
}
