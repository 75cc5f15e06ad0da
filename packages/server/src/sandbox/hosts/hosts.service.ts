import { type Host, type HostFacts, hostAcceleratorsMax } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Sku } from '@bourse/api/market/skus.ts'
import type { createSimulatedHosts as createContract } from '@bourse/api/sandbox/additions.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { shortListAnswer } from '../../core/work/page.ts'
import { addHosts, readHosts } from '../../fleet/hosts/hosts.service.ts'
import { requireFirstWorkspace } from '../../iam/accounts/workspaces.service.ts'
import { lockCapacity } from '../../market/pools/capacity.service.ts'
import { requireSku } from '../../market/skus/skus.service.ts'
import { hostAddress, publicAddresses } from './host-addresses.rules.ts'
import { insertSimulatedHosts, takeNumbersOf } from './hosts.store.ts'

/** The parameters of new simulated hosts. */
export type SimulatedHosts = {
  readonly account_id: string
  /** The default is the oldest workspace of the account. */
  readonly workspace_id?: Id<'workspace'> | undefined
  readonly sku: Id<'sku'>
  readonly count: number
  readonly slots: number
}

type Properties = Pick<Sku, 'accelerator' | 'num_accelerators' | 'num_vcpus' | 'memory_bytes' | 'local_storage_bytes'>

const seeds = 2 ** 32

/** Adds simulated hosts: to the caller's workspace, or to the oldest workspace of another account. */
export async function createSimulatedHosts(ctx: Ctx, body: Input<typeof createContract>['body']) {
  const caller = callerOf(ctx)
  const { account = caller.account_id, sku, count, slots = 1 } = body
  const workspace_id = account === caller.account_id ? caller.workspace_id : undefined
  return shortListAnswer(await addSimulatedHosts(ctx, { account_id: account, workspace_id, sku, count, slots }))
}

/**
 * Adds simulated hosts, which are ready at once. They supply the pool of their workspace. Refuses reference_not_found
 * for an unknown account, sku_not_available for a SKU that is retired or not visible to the account.
 */
export async function addSimulatedHosts(ctx: Ctx, request: SimulatedHosts): Promise<Host[]> {
  const { account_id, count, slots } = request
  const workspace_id = request.workspace_id ?? (await requireFirstWorkspace(ctx, account_id))
  await lockCapacity(ctx, request.sku)
  const sku = await requireSku(ctx, request.sku, { account_id })
  const [firstHost, firstAddress] = await Promise.all([
    takeNumbersOf(ctx.db, 'hosts', count),
    takeNumbersOf(ctx.db, 'public_ipv4s', count * slots),
  ])
  const new_hosts = Array.from({ length: count }, (_, index) => {
    const number = firstHost + index
    const facts = factsOf(sku.properties, slots, { number, first_address: firstAddress + index * slots })
    return { slots, facts, agent_version: null }
  })
  const ids = await addHosts(ctx, { account_id, workspace_id, sku_id: sku.id, is_simulated: true }, new_hosts)
  await insertSimulatedHosts(
    ctx.db,
    ids.map((host_id) => ({ host_id, seed: ctx.random.integer(seeds) })),
  )
  return readHosts(ctx, ids)
}

function factsOf(sku: Properties, slots: number, { number, first_address }: { number: number; first_address: number }) {
  const accelerator = sku.accelerator?.display_value?.slice(0, 64) ?? ''
  const accelerators = accelerator ? (sku.num_accelerators?.value ?? 0) * slots : 0
  const facts: HostFacts = {
    hostname: `simulated-${number}`,
    cpu_count: Math.max(1, (sku.num_vcpus?.value ?? 1) * slots),
    memory_bytes: (sku.memory_bytes?.value ?? 0) * slots,
    storage_bytes: (sku.local_storage_bytes?.value ?? 0) * slots,
    accelerators: Array.from({ length: Math.min(accelerators, hostAcceleratorsMax) }, () => accelerator),
    network: 'full',
    host_address: hostAddress(number),
    public_ipv4s: publicAddresses(first_address, slots),
  }
  return facts
}
