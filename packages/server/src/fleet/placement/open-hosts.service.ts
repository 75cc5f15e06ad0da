/**
 * The hosts that a plan can choose from. Of thousands of hosts only candidates are read: each start takes the fullest
 * host that fits, so n starts never need more than the n fullest hosts of each kind.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { PoolSku } from '../../market/pools/capacity.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import type { OpenHost } from './host-choice.rules.ts'
import {
  type Answering,
  listFullest,
  listFullestWithImage,
  listImagesOnHosts,
  listOpenAmong,
  listOpenHosts,
  listTakenPublicAddresses as listTaken,
  type OpenHostRow,
} from './open-hosts.store.ts'
import type { LivingRow } from './placement.rules.ts'

/** A search for slots: for at most `starts` of the waiting instances. */
type SlotSearch = {
  readonly waiting: readonly LivingRow[]
  readonly starts: number
  readonly health?: Answering
}

/** Reads the hosts that can run the waiting instances. */
export async function readHosts(
  ctx: Ctx,
  at: PoolSku,
  { waiting, starts, health = 'healthy' }: SlotSearch,
): Promise<OpenHost[]> {
  const wantsAddress = waiting.some(({ enable_public_ipv4 }) => enable_public_ipv4)
  const [hosts, fabric] = await Promise.all([
    // The number of free addresses of a host is known only after all taken addresses are read.
    wantsAddress ? listOpenHosts(ctx.db, at.sku_id, health) : listCandidates(ctx, at, { waiting, starts, health }),
    fabricFor(ctx, at, waiting),
  ])
  if (hosts.length === 0) return []
  const hostIds = hosts.map(({ id }) => id)
  const addresses = wantsAddress ? hosts.flatMap(({ public_ipv4s }) => public_ipv4s) : []
  const [imageRows, taken] = await Promise.all([
    listImagesOnHosts(ctx.db, hostIds, imagesOf(waiting)),
    listTakenPublicAddresses(ctx, addresses),
  ])
  const images = new Map<string, Id<'image'>[]>()
  for (const { host_id, image_id } of imageRows) images.set(host_id, [...(images.get(host_id) ?? []), image_id])
  return hosts.map((host): OpenHost => {
    const used = new Set(host.taken)
    return {
      host_id: host.id,
      free_slots: Array.from({ length: host.slots }, (_, slot) => slot).filter((slot) => !used.has(slot)),
      image_ids: images.get(host.id) ?? [],
      fabric,
      network: host.network,
      free_public_ipv4s: wantsAddress ? host.public_ipv4s.filter((address) => !taken.has(address)).length : 0,
    }
  })
}

/** The public addresses, out of some, that instances use. */
export function listTakenPublicAddresses(ctx: Ctx, addresses: readonly string[]): Promise<Set<string>> {
  return listTaken(ctx.db, addresses)
}

async function listCandidates(
  ctx: Ctx,
  { sku_id }: PoolSku,
  { waiting, starts, health }: Required<SlotSearch>,
): Promise<OpenHostRow[]> {
  const sorts = [...new Set(waiting.map(({ subnet_id }) => subnet_id !== null))]
  const chosen = await Promise.all(
    sorts.flatMap((needs_full_network) => {
      const query = { sku_id, health, needs_full_network, count: starts }
      const holding = imagesOf(waiting).map((imageId) => listFullestWithImage(ctx.db, imageId, query))
      return [listFullest(ctx.db, query), ...holding]
    }),
  )
  const awaitedHostIds = waiting.flatMap(({ replaces_host_id }) => replaces_host_id ?? [])
  return listOpenAmong(ctx.db, [...new Set([...chosen.flat(), ...awaitedHostIds])], health)
}

function imagesOf(waiting: readonly LivingRow[]): Id<'image'>[] {
  return [...new Set(waiting.map(({ image_id }) => image_id))]
}

/** The fabric of a host is that of its SKU, with overrides of the account, as in the admission of instances. */
async function fabricFor(ctx: Ctx, { sku_id }: PoolSku, waiting: readonly LivingRow[]): Promise<string | null> {
  const first = waiting.find(({ infiniband_partition_id }) => infiniband_partition_id !== null)
  const sku = first && (await findSkuFor(ctx, first.account_id, sku_id))
  return sku?.properties.infiniband_fabric ?? null
}
