// Whether an instance may be created or replaced, and what a successor inherits. Existence and visibility of
// references, names, limits and rights are checked by the services. reports.rules.ts handles the reports of hosts.

import { type InstanceAction, type InstanceState, isInstanceActionAllowed } from '@bourse/api/fleet/instance-states.ts'
import type { Instance } from '@bourse/api/fleet/instances.ts'
import type { PriorityLevel } from '@bourse/api/fleet/priority-levels.ts'
import { type ImageState, isImageActionAllowed } from '@bourse/api/images/image-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** A new instance as it is stored. */
export type NewInstanceRow = {
  id: Id<'instance'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  image_id: Id<'image'>
  state: InstanceState
  priority_level: PriorityLevel
  enable_public_ipv4: boolean
  firewall_id: Id<'firewall'> | null
  subnet_id: Id<'subnet'> | null
  infiniband_partition_id: Id<'infiniband_partition'> | null
  private_ip: string | null
  public_ip: string | null
  mac: string
  tags: Instance['tags']
  user_data_used: boolean
  deployment_id: Id<'deployment'> | null
  deployment_slot: number | null
  /** The order that was placed with it. */
  order_id: Id<'order'> | null
  replaces: Id<'instance'> | null
  replaces_host_id: Id<'host'> | null
  replaces_slot: number | null
  created_at: number
  updated_at: number
}

/**
 * The columns of {@link NewInstanceRow}. Statements list them, because a later migration may add a column with a
 * default, and an insert of whole rows would write null into it.
 */
export const newInstanceColumns: readonly (keyof NewInstanceRow)[] = [
  ...(['id', 'account_id', 'workspace_id', 'pool_id', 'sku_id', 'image_id', 'state', 'priority_level'] as const),
  ...(['enable_public_ipv4', 'firewall_id', 'subnet_id', 'infiniband_partition_id', 'private_ip'] as const),
  ...(['public_ip', 'mac', 'tags', 'user_data_used', 'deployment_id', 'deployment_slot', 'order_id'] as const),
  ...(['replaces', 'replaces_host_id', 'replaces_slot', 'created_at', 'updated_at'] as const),
]

/** An instance as it is stored. */
export type InstanceRow = NewInstanceRow & {
  replaced_by: Id<'instance'> | null
  notice_at: number | null
  deadline_at: number | null
  notice_reason: string | null
  connection_lost_at: number | null
  failed_at: number | null
  running_at: number | null
  terminated_at: number | null
  termination_reason: string | null
}

/** The properties of a SKU that matter to an instance, with overrides of the account. Null: not set. */
export type LaunchSku = {
  readonly deleted_at: number | null
  readonly region: string | null
  readonly rdma_type: string | null
  readonly infiniband_fabric: string | null
  readonly supports_public_ipv4: boolean | null
}

/** An image that the caller may start from: public, or own and readable. */
export type LaunchImage = { readonly state: ImageState }

/** The resolved references of an instance or a template. Null: not given. */
export type LaunchChoice = {
  readonly workspace_id: Id<'workspace'>
  /** Undefined if there is none that the caller may see. */
  readonly image: LaunchImage | undefined
  readonly enable_public_ipv4: boolean
  readonly firewall: { readonly workspace_id: string } | null
  readonly subnet: {
    readonly workspace_id: string
    readonly region: string
    /** Null if no address is needed now. */
    readonly available_addresses: number | null
  } | null
  readonly infiniband_partition: { readonly workspace_id: string; readonly infiniband_fabric: string } | null
}

/** The resolved references of a new instance. */
export type InstanceChoice = LaunchChoice & {
  readonly pool: { readonly kind: string }
  readonly sku: LaunchSku
}

/**
 * Refuses an instance that may not be created. The order of the checks is part of the contract. The same checks apply
 * to a deployment and its template. The fields are those of the request.
 */
export function admitInstance(choice: InstanceChoice): RefusalData | undefined {
  return refusePool(choice.pool) ?? refuseRetired(choice.sku) ?? refuseLaunch(choice, choice.sku)
}

/** Refuses a template that may not be created: the checks that need no SKU. */
export function admitTemplate(choice: LaunchChoice): RefusalData | undefined {
  return refuseLaunch(choice, null)
}

/** Refuses an image that is missing, not visible, not complete or revoked, with one message for all cases. */
function refuseImage(image: LaunchImage | undefined, field = 'image'): RefusalData | undefined {
  if (image && isImageActionAllowed('launch', image.state)) return undefined
  const message = 'There is no such image, or it is not complete, is revoked, or you cannot read it.'
  return { code: 'image_not_available', field, message }
}

/** Refuses an action that the state does not allow: `instance_terminated` or `instance_not_terminated`. */
export function refuseInstanceAction(action: InstanceAction, state: InstanceState): RefusalData | undefined {
  if (isInstanceActionAllowed(action, state)) return undefined
  if (state === 'terminated')
    return { code: 'instance_terminated', message: 'The instance is terminated.', field: null }
  return { code: 'instance_not_terminated', message: `The instance is ${state}. Terminate it first.`, field: null }
}

/** Why an instance has no SSH address, for those who may read it. */
export function whyNoShell({ id, state, terminated_at }: Pick<InstanceRow, 'id' | 'state' | 'terminated_at'>): string {
  if (state === 'terminated') {
    const at = terminated_at === null ? '' : ` at ${new Date(terminated_at * 1000).toISOString().replace('.000Z', 'Z')}`
    return `${id} was terminated${at}, so it has no shell.`
  }
  if (state === 'awaiting_allocation') return `${id} has no shell yet: it waits for allocation.`
  return `${id} has no shell yet: its host has not reported its SSH keys.`
}

/**
 * Refuses a replacement for the state of the old instance, then for the image, which is undefined if there is none that
 * the caller may start from.
 */
export function refuseReplacement(state: InstanceState, image: LaunchImage | undefined): RefusalData | undefined {
  return refuseInstanceAction('replace', state) ?? refuseImage(image)
}

/**
 * Refuses the name of a successor, once all else of the replacement is admitted. Null: it is generated. `replaced`: the
 * name of the old instance. `is_taken`: by another resource than that.
 */
export function refuseSuccessorName(
  name: string | null,
  { replaced, is_taken }: { readonly replaced: string; readonly is_taken: boolean },
): RefusalData | undefined {
  if (name === null) return undefined
  if (name === replaced) {
    const message = 'The replaced instance keeps its name until its record is removed. Choose another name.'
    return { code: 'same_name_as_replaced', field: 'name', message }
  }
  if (!is_taken) return undefined
  const kept = 'A terminated instance keeps its name until it is deleted.'
  const message = `Another instance of the workspace is named ${name}. ${kept}`
  return { code: 'name_taken', field: 'name', message }
}

/** What a successor inherits from the instance that it replaces (docs/concepts/instances.md, "Replace"). */
type Inherited = Readonly<
  Pick<
    NewInstanceRow,
    | 'account_id'
    | 'workspace_id'
    | 'pool_id'
    | 'sku_id'
    | 'subnet_id'
    | 'enable_public_ipv4'
    | 'firewall_id'
    | 'infiniband_partition_id'
    | 'tags'
    | 'priority_level'
    | 'deployment_id'
    | 'deployment_slot'
    | 'private_ip'
    | 'public_ip'
  >
>

/** A slot of a host. */
export type SuccessorSlot = { readonly host_id: Id<'host'>; readonly slot: number }

/** A replaced instance: the slot of its machine, or the slot that it waits for if it was never placed. */
export type ReplacedInstance = Inherited &
  Readonly<Pick<NewInstanceRow, 'id' | 'replaces_host_id' | 'replaces_slot'>> & { readonly at: SuccessorSlot | null }

/** What a successor has of its own, without its name. */
type SuccessorIdentity = Readonly<Pick<NewInstanceRow, 'id' | 'image_id' | 'mac' | 'user_data_used'>> & {
  readonly now: number
}

/** The successor of a replaced instance. It waits for the slot that the old instance has or was waiting for. */
export function successorOf(
  old: ReplacedInstance,
  { id, image_id, mac, user_data_used, now }: SuccessorIdentity,
): NewInstanceRow {
  return {
    id,
    account_id: old.account_id,
    workspace_id: old.workspace_id,
    pool_id: old.pool_id,
    sku_id: old.sku_id,
    image_id,
    state: 'awaiting_allocation',
    priority_level: old.priority_level,
    enable_public_ipv4: old.enable_public_ipv4,
    firewall_id: old.firewall_id,
    subnet_id: old.subnet_id,
    infiniband_partition_id: old.infiniband_partition_id,
    private_ip: old.private_ip,
    public_ip: old.public_ip,
    mac,
    tags: old.tags,
    user_data_used,
    deployment_id: old.deployment_id,
    deployment_slot: old.deployment_slot,
    order_id: null,
    replaces: old.id,
    replaces_host_id: old.at?.host_id ?? old.replaces_host_id,
    replaces_slot: old.at?.slot ?? old.replaces_slot,
    created_at: now,
    updated_at: now,
  }
}

function refusePool({ kind }: { readonly kind: string }): RefusalData | undefined {
  if (kind === 'market' || kind === 'read_only') return undefined
  return { code: 'pool_kind_not_allowed', field: 'pool', message: `Instances cannot run in a pool of kind ${kind}.` }
}

function refuseRetired({ deleted_at }: LaunchSku): RefusalData | undefined {
  if (deleted_at === null) return undefined
  return { code: 'sku_not_available', field: 'sku', message: 'The SKU is retired. No new instance can use it.' }
}

function refuseLaunch(choice: LaunchChoice, sku: LaunchSku | null): RefusalData | undefined {
  return (
    refuseImage(choice.image) ??
    refuseAddress(choice, sku) ??
    refuseFirewall(choice) ??
    refuseSubnet(choice, sku) ??
    refusePartition(choice, sku)
  )
}

function refuseAddress({ enable_public_ipv4 }: LaunchChoice, sku: LaunchSku | null): RefusalData | undefined {
  if (!enable_public_ipv4 || sku === null || sku.supports_public_ipv4) return undefined
  const field = '_preview_enable_public_ipv4'
  return { code: 'public_ipv4_not_supported', field, message: 'The SKU does not support public IPv4 addresses.' }
}

function refuseFirewall({ workspace_id, firewall, enable_public_ipv4 }: LaunchChoice): RefusalData | undefined {
  const field = '_preview_firewall'
  if (!firewall) return undefined
  if (enable_public_ipv4) return refuseElsewhere(workspace_id, firewall, field)
  const message = 'A firewall applies to the public address. Enable public IPv4 or omit the firewall.'
  return { code: 'not_applicable', field, message }
}

function refuseSubnet({ workspace_id, subnet }: LaunchChoice, sku: LaunchSku | null): RefusalData | undefined {
  const field = 'subnet'
  if (!subnet) return undefined
  const elsewhere = refuseElsewhere(workspace_id, subnet, field)
  if (elsewhere || sku === null) return elsewhere
  if (subnet.region !== sku.region) {
    const message = `The subnet is in the region ${subnet.region}, but the SKU is not.`
    return { code: 'region_mismatch', field, message }
  }
  if (subnet.available_addresses !== 0) return undefined
  return { code: 'subnet_full', field, message: 'The subnet has no free addresses.' }
}

function refusePartition(choice: LaunchChoice, sku: LaunchSku | null): RefusalData | undefined {
  const { workspace_id, infiniband_partition: partition } = choice
  const field = '_preview_infiniband_partition'
  if (!partition) return undefined
  const elsewhere = refuseElsewhere(workspace_id, partition, field)
  if (elsewhere || sku === null) return elsewhere
  if (sku.rdma_type !== 'infiniband') {
    return { code: 'infiniband_not_supported', field, message: 'The SKU does not support InfiniBand.' }
  }
  if (partition.infiniband_fabric === sku.infiniband_fabric) return undefined
  const message = `The partition is on the fabric ${partition.infiniband_fabric}, but the SKU is not.`
  return { code: 'fabric_mismatch', field, message }
}

function refuseElsewhere(
  workspace_id: string,
  resource: { readonly workspace_id: string },
  field: string,
): RefusalData | undefined {
  if (resource.workspace_id === workspace_id) return undefined
  return { code: 'workspace_mismatch', field, message: 'It belongs to another workspace than the instance.' }
}
