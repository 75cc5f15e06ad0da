import type { PriorityLevel } from '@bourse/api/fleet/priority-levels.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockImageShared } from '../../images/images.service.ts'
import { lockFirewallShared } from '../../network/firewalls.service.ts'
import { lockInfinibandPartitionShared } from '../../network/infiniband-partitions.service.ts'
import { type JoinedSubnet, lockSubnetShared } from '../../network/subnets.service.ts'
import type { LaunchChoice } from './instances.rules.ts'

/** The references in a request for an instance or template: ids or paths. */
type LaunchRequest = {
  readonly image: Ref<'image'>
  readonly subnet?: Ref<'subnet'> | undefined
  readonly _preview_enable_public_ipv4?: boolean | undefined
  readonly _preview_firewall?: Ref<'firewall'> | undefined
  readonly _preview_infiniband_partition?: Ref<'infiniband_partition'> | undefined
}

/** The columns that an instance or template stores of it. */
export type LaunchColumns = {
  readonly image_id: Id<'image'>
  readonly enable_public_ipv4: boolean
  readonly firewall_id: Id<'firewall'> | null
  readonly subnet_id: Id<'subnet'> | null
  readonly infiniband_partition_id: Id<'infiniband_partition'> | null
}

/** Locked references: the input of the rules, the columns to store, and the subnet if an address is needed. */
export type LockedLaunch = {
  readonly choice: LaunchChoice
  readonly columns: LaunchColumns
  readonly subnet: JoinedSubnet | undefined
}

/** Where to launch, whether an address is needed now, and the request field that errors about the image name. */
type LaunchPlace = {
  readonly workspace_id: Id<'workspace'>
  readonly joins_subnet: boolean
  readonly image_field?: string
}

/** The priority of requests that give none. */
export const defaultPriority: PriorityLevel = 'normal'

/**
 * Locks what a request refers to against deletion and revocation until the end of the command (rank `parents`, in the
 * order of its locks). Refuses `reference_not_found` and `image_not_available`. The rules check the combination.
 */
export async function lockLaunchReferences(
  ctx: Ctx,
  request: LaunchRequest,
  { workspace_id, joins_subnet, image_field }: LaunchPlace,
): Promise<LockedLaunch> {
  const enable_public_ipv4 = request._preview_enable_public_ipv4 ?? false
  const field = '_preview_firewall'
  const firewall = enable_public_ipv4
    ? await lockFirewallShared(ctx, { ref: request[field], workspace_id, field })
    : request[field] && { id: null, workspace_id }
  const image = await lockImageShared(ctx, request.image, image_field)
  const infiniband_partition =
    request._preview_infiniband_partition &&
    (await lockInfinibandPartitionShared(ctx, request._preview_infiniband_partition))
  const subnet = request.subnet && (await lockSubnetShared(ctx, request.subnet, { joins: joins_subnet }))
  return {
    choice: {
      workspace_id,
      image,
      enable_public_ipv4,
      firewall: firewall ?? null,
      subnet: subnet ? { ...subnet, available_addresses: joins_subnet ? subnet.available_addresses : null } : null,
      infiniband_partition: infiniband_partition ?? null,
    },
    columns: {
      image_id: image.id,
      enable_public_ipv4,
      firewall_id: firewall?.id ?? null,
      subnet_id: subnet?.id ?? null,
      infiniband_partition_id: infiniband_partition?.id ?? null,
    },
    subnet,
  }
}
