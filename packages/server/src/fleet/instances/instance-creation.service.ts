import type { createInstance as createContract, Instance } from '@bourse/api/fleet/instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Random } from '../../core/base/random.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { takeLimit } from '../../iam/names/limit-usage.service.ts'
import { claimNames } from '../../iam/names/names.service.ts'
import type { NamedSshKey } from '../../iam/ssh-keys/ssh-keys.service.ts'
import { purchaseNode } from '../../market/orders/purchases.service.ts'
import type { PoolSku } from '../../market/pools/capacity.service.ts'
import { findOwnPool, type KnownPool, lockPoolShared } from '../../market/pools/pools.service.ts'
import { requireSku } from '../../market/skus/skus.service.ts'
import { type JoinedSubnet, takeAddresses } from '../../network/subnets.service.ts'
import { keepUserData, readUserData } from './cloud-init.service.ts'
import { notifyChanged } from './instance-changes.service.ts'
import { chooseSshKeys, keepSshKeys } from './instance-ssh-keys.service.ts'
import { insertInstances } from './instance-writes.store.ts'
import { admitInstance, type LaunchSku, type NewInstanceRow } from './instances.rules.ts'
import { presentInstance } from './instances.service.ts'
import { defaultPriority, type LaunchColumns, lockLaunchReferences } from './launches.service.ts'

type CreateInstanceBody = Input<typeof createContract>['body']

/** The common settings of new instances. Everything that they refer to is locked and admitted. */
type InstanceBatch = PoolSku &
  LaunchColumns &
  Pick<NewInstanceRow, 'account_id' | 'workspace_id' | 'priority_level' | 'tags' | 'deployment_id'> & {
    readonly subnet: JoinedSubnet | undefined
    readonly user_data: Buffer | undefined
    readonly ssh_keys: readonly NamedSshKey[]
  }

/** The settings of a single new instance: slot in its deployment, order, and name or a template for names. */
type Single = {
  readonly deployment_slot: number | null
  readonly order_id?: Id<'order'>
  readonly name?: string | undefined
  readonly template?: string | undefined
}

/**
 * Creates an instance, which waits until its pool has allocation for it. With `buy` it also buys one node for the pool:
 * one transaction, so that there is neither the instance without its order nor the order without its instance.
 */
export async function createInstance(ctx: Ctx, body: CreateInstanceBody): Promise<Instance> {
  const user_data = readUserData(body.cloud_init_user_data)
  const { account_id } = callerOf(ctx)
  const known = (await findOwnPool(ctx, body.pool)) ?? refuse('reference_not_found', 'There is no such pool.', 'pool')
  const { workspace_id } = known
  await allow(ctx, 'instance:create', workspace_id)
  const { sku, order_id } = await admitSku(ctx, known, body)
  const ssh_keys = await chooseSshKeys(ctx, body)
  // The pool is locked and belongs to the workspace, so the workspace needs no lock of its own.
  const pool = await lockPoolShared(ctx, known.id)
  const { choice, columns, subnet } = await lockLaunchReferences(ctx, body, { workspace_id, joins_subnet: true })
  throwIfRefused(admitInstance({ ...choice, pool, sku: launchSku(sku) }))
  const { priority_level = defaultPriority, tags = null, name } = body
  const place = { account_id, workspace_id, pool_id: pool.id, sku_id: sku.id, deployment_id: null }
  const batch = { ...place, ...columns, priority_level, tags, subnet, user_data, ssh_keys }
  const [row] = await addInstances(ctx, batch, [{ deployment_slot: null, name, ...(order_id && { order_id }) }])
  return presentInstance(ctx, row as NewInstanceRow)
}

/** Checks the SKU and takes the limit of instances, behind the purchase of a node where there is one. */
async function admitSku(ctx: Ctx, pool: KnownPool, { sku: sku_id, buy }: CreateInstanceBody) {
  const lockBehindBook = async () => {
    const sku = await requireSku(ctx, sku_id)
    await takeLimit(ctx, pool.account_id, 'instances')
    return sku
  }
  if (!buy) return { sku: await lockBehindBook(), order_id: undefined }
  const { order_id, locked } = await purchaseNode(ctx, { pool, sku_id, terms: buy, lockBehindBook })
  return { sku: locked, order_id }
}

/**
 * Writes new instances with their names, addresses, user data and events. `name_taken` is the only refusal left.
 */
export async function addInstances(
  ctx: Ctx,
  batch: InstanceBatch,
  singles: readonly Single[],
): Promise<NewInstanceRow[]> {
  const { subnet, user_data, ssh_keys, ...common } = batch
  const { account_id, workspace_id } = common
  const ids = singles.map(() => ctx.newId('instance'))
  const nameRequests = singles.map(({ name, template }, at) => ({ id: ids[at] as Id<'instance'>, name, template }))
  await claimNames(
    ctx,
    nameRequests.map((request) => ({ ...request, kind: 'instance', account_id, workspace_id })),
  )
  const addresses = subnet ? await takeAddresses(ctx, subnet, ids) : []
  const rows = singles.map(
    ({ deployment_slot, order_id = null }, at): NewInstanceRow => ({
      ...common,
      id: ids[at] as Id<'instance'>,
      state: 'awaiting_allocation',
      mac: newMac(ctx.random),
      created_at: ctx.now,
      updated_at: ctx.now,
      user_data_used: user_data !== undefined,
      private_ip: addresses[at] ?? null,
      public_ip: null,
      deployment_slot,
      order_id,
      replaces: null,
      replaces_host_id: null,
      replaces_slot: null,
    }),
  )
  await Promise.all([insertInstances(ctx.db, rows), user_data && keepUserData(ctx, rows, user_data)])
  await keepSshKeys(ctx, rows, ssh_keys)
  notifyChanged(ctx, ids, rows, 'instance.created')
  return rows
}

/** The properties of a SKU that decide whether an instance fits. */
export function launchSku({ properties, deleted_at }: Awaited<ReturnType<typeof requireSku>>): LaunchSku {
  return {
    deleted_at,
    region: properties.region?.value ?? null,
    rdma_type: properties.rdma_type?.value ?? null,
    infiniband_fabric: properties.infiniband_fabric ?? null,
    supports_public_ipv4: properties.supports_public_ipv4?.value ?? null,
  }
}

/** A locally administered unicast MAC address with 46 random bits. */
export function newMac(random: Random): string {
  const bytes = random.bytes(6)
  bytes[0] = ((bytes[0] as number) & 0xfc) | 0x02
  return bytes.toString('hex').replaceAll(/(..)(?=.)/g, '$1:')
}
