// Compares the hardware of a host with its SKU, and words what is missing.

import { createHash } from 'node:crypto'
import { type Fit, fitOf, misfitsOf } from '@bourse/api/fleet/fit.ts'
import type { SkuNeeds, SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import { countsOf, type HostHardware, knownHardware } from '@bourse/api/fleet/hardware.ts'
import { type HostFacts, hostFactFields } from '@bourse/api/fleet/hosts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { type HostRow, isShort } from '../hosts/hosts.rules.ts'

/** What an instance runs on. */
export type InstanceHardwareRow = {
  instance_id: Id<'instance'>
  host_id: Id<'host'>
  facts_at: number
  slot_hardware: SlotHardware | null
}

/** The longest message of the health of a host. */
const messageLengthMax = 1024

/**
 * The facts that this server knows; a newer agent may send more. What the hardware amounts to is counted here, so that
 * no two facts contradict each other.
 */
export function knownFacts(facts: Readonly<Record<string, unknown>>): HostFacts {
  const names = Object.keys(hostFactFields)
  const known = Object.fromEntries(names.map((name) => [name, facts[name]])) as HostFacts
  return known.hardware ? withHardware(known, known.hardware) : known
}

/** Facts with newly reported hardware. */
export function withHardware(facts: HostFacts, hardware: HostHardware): HostFacts {
  return { ...facts, ...countsOf(hardware), hardware: knownHardware(hardware) }
}

/** Refuses a host without the hardware of its SKU: `host_does_not_fit`, with one detail a fact. */
export function refuseMisfit(fit: Fit): RefusalData | undefined {
  const misfits = misfitsOf(fit)
  const [first] = misfits
  if (!first) return undefined
  const details = misfits.map(({ subject, message, field }) => {
    return { code: 'host_does_not_fit' as const, field, message: `${subject}: ${message}` }
  })
  return { code: 'host_does_not_fit', message: `The host does not fit its SKU. ${details[0]?.message}.`, details }
}

/** What a host lacks; null if it fits. */
export function misfitMessage(fit: Fit): string | null {
  const misfits = misfitsOf(fit).map(({ subject, message }) => `${subject}: ${message}`)
  if (misfits.length === 0) return null
  return `The host no longer fits its SKU. ${misfits.join('; ')}.`.slice(0, messageLengthMax)
}

/** Compares facts with the needs of a SKU. Without needs, because the SKU is gone, every host fits. */
export function compareFacts(facts: HostFacts, needs: SkuNeeds | undefined, slots: number): Fit {
  return needs ? fitOf(facts, needs, slots) : { fits: true, checks: [], fitting_slots: slots, slots: [] }
}

/**
 * For how many slots a host has hardware for machines. On a host that has lost none, the machines that run keep theirs,
 * whatever their SKU promises by now: only lost hardware ends machines.
 */
export function slotsForMachines(
  { fitting_slots }: Pick<Fit, 'fitting_slots'>,
  host: Pick<HostRow, 'fitting_slots' | 'slots' | 'used_slots'>,
  hasLostHardware: boolean,
): number {
  if (hasLostHardware) return fitting_slots
  return Math.max(fitting_slots, Math.min(host.fitting_slots ?? host.slots, host.used_slots))
}

/**
 * Since when a host that does not fit lacks hardware. The time for a repair counts from then, so it begins anew when
 * the hardware no longer suffices for the machines that run, and did before.
 */
export function unfitSince(
  host: Pick<HostRow, 'unfit_at' | 'fitting_slots' | 'used_slots'>,
  fitting_slots: number,
  now: number,
): number {
  const becomesShort = !isShort(host) && isShort({ fitting_slots, used_slots: host.used_slots })
  return host.unfit_at === null || becomesShort ? now : host.unfit_at
}

/** Whether a host has devices that it can give to machines. */
export function hasDevices({ hardware }: HostFacts): boolean {
  return hardware !== undefined && hardware.accelerators.length + hardware.rdma.length > 0
}

/** A name of a host for the instances of one account: equal on one host, and of no use to find the host. */
export function opaqueHost(accountId: string, hostId: string): string {
  return createHash('sha256').update(`host of ${accountId} ${hostId}`).digest('hex').slice(0, 16)
}
