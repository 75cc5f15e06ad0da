import { type DesiredInstance, type DesiredState, reportEverySeconds } from '@bourse/api/fleet/agent.ts'
import type { HostState } from '@bourse/api/fleet/host-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { summaries } from '../../iam/names/names.service.ts'
import { findImageForHost } from '../../images/images.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import { rulesOfFirewall } from '../../network/firewalls.service.ts'
import { partitionsForHosts } from '../../network/infiniband-partitions.service.ts'
import { subnetsForHosts } from '../../network/subnets.service.ts'
import { findHost, type HostRow, readRealNow } from '../hosts/hosts.store.ts'
import { type DesiredRow, listDesired, listPeers } from './desired-state.store.ts'
import { ticketOf } from './user-data-tickets.service.ts'

const openStates: readonly HostState[] = ['active']

/** What should run on a host; undefined where there is no such host, or it is retired. */
export async function desiredState(ctx: Ctx, host_id: Id<'host'>): Promise<DesiredState | undefined> {
  const [host, rows] = await Promise.all([findHost(ctx.db, host_id), listDesired(ctx.db, host_id)])
  if (!host || host.state === 'retired') return undefined
  const [server_time, instances] = await Promise.all([
    host.is_simulated ? ctx.now : readRealNow(ctx.db),
    describe(ctx, host, rows),
  ])
  const { generation, epoch, state } = host
  return {
    object: 'desired_state',
    ...{ generation, epoch, server_time, cordoned: !openStates.includes(state) },
    ...{ report_every_seconds: reportEverySeconds, instances },
  }
}

async function describe(
  ctx: Ctx,
  { id: host_id, account_id, sku_id }: HostRow,
  rows: readonly DesiredRow[],
): Promise<DesiredInstance[]> {
  const subnet_ids = distinct(rows.map(({ subnet_id }) => subnet_id))
  const [sku, names, images, subnets, partitions, rules, peers] = await Promise.all([
    rows.length === 0 ? undefined : findSkuFor(ctx, account_id, sku_id),
    summaries(
      ctx,
      rows.map(({ id }) => id),
    ),
    loadEach(distinct(rows.map(({ image_id }) => image_id)), (id) => findImageForHost(ctx, id)),
    subnetsForHosts(ctx, subnet_ids),
    partitionsForHosts(ctx, distinct(rows.map(({ infiniband_partition_id }) => infiniband_partition_id))),
    loadEach(distinct(rows.map(({ firewall_id }) => firewall_id)), (id) => rulesOfFirewall(ctx, id)),
    subnet_ids.length === 0 ? [] : listPeers(ctx.db, subnet_ids, host_id),
  ])
  const machine = {
    cpu_count: sku?.properties.num_vcpus?.value ?? null,
    memory_bytes: sku?.properties.memory_bytes?.value ?? null,
    storage_bytes: sku?.properties.local_storage_bytes?.value ?? null,
  }
  return rows.map((row): DesiredInstance => {
    const { id, generation, action, slot, image_id, mac, private_ip, public_ip, subnet_id } = row
    const subnet = subnet_id === null ? undefined : subnets.get(subnet_id)
    const partition_id = row.infiniband_partition_id
    const partition = partition_id === null ? undefined : partitions.get(partition_id)
    const near = peers.filter((peer) => peer.subnet_id === subnet_id)
    return {
      ...{ id, generation, action, slot, hostname: names.get(id)?.name ?? id, machine },
      // Null where the image is gone meanwhile: what runs from it runs on.
      image: images.get(image_id) ?? null,
      user_data_ticket: row.user_data_used ? ticketOf(ctx, { instance_id: id, host_id, generation }) : null,
      network: {
        ...{ mac, private_ip, subnet: subnet_id, vni: subnet?.vni ?? null, cidr: subnet?.cidr ?? null },
        peers: near.map(({ private_ip, host_address }) => ({ private_ip, host_address })),
        ...{ public_ip, firewall_rules: rules.get(row.firewall_id ?? '') ?? null },
        ...{ infiniband_partition: partition_id, partition_key: partition?.partition_key ?? null },
      },
      ...{ terminate_at: row.deadline_at, terminate_reason: row.notice_reason },
    }
  })
}

async function loadEach<T>(
  ids: readonly string[],
  load: (id: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const loaded = await Promise.all(ids.map(async (id) => [id, await load(id)] as const))
  return new Map(loaded.flatMap(([id, found]) => (found === undefined ? [] : [[id, found] as const])))
}

function distinct<T extends string>(ids: readonly (T | null)[]): T[] {
  return [...new Set(ids)].filter((id) => id !== null)
}
