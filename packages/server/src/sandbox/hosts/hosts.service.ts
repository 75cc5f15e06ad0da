import { needsOf } from '@bourse/api/fleet/fit.ts'
import { assignSlots } from '@bourse/api/fleet/fit-slots.ts'
import { countsOf } from '@bourse/api/fleet/hardware.ts'
import type { Host, HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { createSimulatedHosts as createContract } from '@bourse/api/sandbox/additions.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { refusePartner } from '../../fleet/hosts/host-enrolments.service.ts'
import { addHosts, readHosts } from '../../fleet/hosts/hosts.service.ts'
import { requireFirstWorkspace } from '../../iam/accounts/workspaces.service.ts'
import { lockCapacity } from '../../market/pools/capacity.service.ts'
import { requireSku } from '../../market/skus/skus.service.ts'
import { hostAddress, publicAddresses } from './host-addresses.rules.ts'
import { insertSimulatedHosts, takeNumbersOf } from './hosts.store.ts'
import { simulatedHardware } from './simulated-hardware.rules.ts'

/** The parameters of new simulated hosts. */
type SimulatedHosts = {
  readonly account_id: string
  /** The default is the oldest workspace of the account. */
  readonly workspace_id?: Id<'workspace'> | undefined
  readonly sku: Id<'sku'>
  readonly count: number
  readonly slots: number
}

const seeds = 2 ** 32

/** Adds simulated hosts: to the caller's workspace, or to the oldest workspace of another account. */
export async function createSimulatedHosts(ctx: Ctx, body: Input<typeof createContract>['body']) {
  const caller = callerOf(ctx)
  const { account = caller.account_id, sku, count, slots = 1 } = body
  const workspace_id = account === caller.account_id ? caller.workspace_id : undefined
  return shortListResponse(await addSimulatedHosts(ctx, { account_id: account, workspace_id, sku, count, slots }))
}

/**
 * Adds simulated hosts, which are ready at once. They supply the pool of their workspace. Refuses reference_not_found
 * for an unknown account, sku_not_available for a SKU that is retired or not visible to the account,
 * operator_hosts_only for one that only the operator supplies.
 */
export async function addSimulatedHosts(ctx: Ctx, request: SimulatedHosts): Promise<Host[]> {
  const { account_id, count, slots } = request
  const workspace_id = request.workspace_id ?? (await requireFirstWorkspace(ctx, account_id))
  await lockCapacity(ctx, request.sku)
  const sku = await requireSku(ctx, request.sku, { account_id })
  await refusePartner(ctx, { sku, account_id, field: 'sku' })
  const needs = needsOf(sku.properties)
  const [firstHost, firstAddress] = await Promise.all([
    takeNumbersOf(ctx.db, 'hosts', count),
    takeNumbersOf(ctx.db, 'public_ipv4s', count * slots),
  ])
  const newHosts = Array.from({ length: count }, (_, index) => {
    const number = firstHost + index
    const facts = factsOf(sku.properties, slots, { number, first_address: firstAddress + index * slots })
    return { slots, facts, agent_version: null, slot_hardware: assignSlots(facts, needs, slots) }
  })
  const ids = await addHosts(ctx, { account_id, workspace_id, sku_id: sku.id, is_simulated: true }, newHosts)
  await insertSimulatedHosts(
    ctx.db,
    ids.map((host_id) => ({ host_id, seed: ctx.random.integer(seeds) })),
  )
  return readHosts(ctx, ids)
}

function factsOf(
  sku: Parameters<typeof simulatedHardware>[0],
  slots: number,
  { number, first_address }: { number: number; first_address: number },
) {
  const hardware = simulatedHardware(sku, slots)
  const facts: HostFacts = {
    hostname: `simulated-${number}`,
    ...countsOf(hardware),
    network: 'full',
    host_address: hostAddress(number),
    public_ipv4s: publicAddresses(first_address, slots),
    hardware,
  }
  return facts
}
