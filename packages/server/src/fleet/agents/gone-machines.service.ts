import type { Ctx } from '../../core/work/ctx.ts'
import { allocationKey } from '../../market/pools/capacity.service.ts'
import { divideSlots, listHostsToDivide, wakeInstances } from '../hardware/host-fit.service.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'
import type { ReportedMachineRow } from '../hosts/machines.rules.ts'
import {
  bumpGenerations,
  instancesChanged,
  slotsChanged,
  slotsFreedOnDraining,
  subnetPeersChanged,
} from '../hosts/machines.service.ts'
import { forgetMachines } from '../instances/instance-changes.service.ts'
import { removeMachines, removePublicAddresses } from './gone-machines.store.ts'

/** A machine that is gone, and its host. */
type GoneMachine = { readonly host: HostRow; readonly machine: ReportedMachineRow }

/**
 * Frees the slots of machines that are gone and the addresses of ended instances, and wakes what waits for them.
 * Instances that have not ended wait for a slot again. Hosts and instances are locked.
 */
export async function freeSlots(ctx: Ctx, gone: readonly GoneMachine[]): Promise<void> {
  if (gone.length === 0) return
  const ids = gone.map(({ machine }) => machine.instance_id)
  const hosts = [...new Set(gone.map(({ host }) => host))]
  // Sent together, and in this order: what a slot has is read by its machine.
  const [divided] = await Promise.all([listHostsToDivide(ctx, hosts, ids), removeMachines(ctx.db, ids)])
  // In this transaction, so that the next machine of such a slot does not get a device that is lost.
  await divideSlots(ctx, divided)
  // A public address belongs to the host, so an instance that returns to waiting loses it.
  await removePublicAddresses(ctx.db, ids)
  await forgetMachines(ctx, ids)
  for (const { machine } of gone) {
    ctx.publish(instancesChanged, allocationKey(machine))
    if (machine.subnet_id !== null) ctx.publish(subnetPeersChanged, machine.subnet_id)
  }
  // An agent removes a machine once it is no longer listed. Simulated hosts have already removed it.
  await bumpGenerations(
    ctx,
    hosts.filter(({ is_simulated }) => !is_simulated).map(({ id }) => id),
  )
  for (const { id, sku_id, state, unfit_at } of hosts) {
    ctx.publish(slotsChanged, sku_id)
    // With fewer machines there may be hardware for all of them.
    if (unfit_at !== null) await wakeInstances(ctx, { id })
    if (state === 'draining') ctx.publish(slotsFreedOnDraining, id)
  }
}
