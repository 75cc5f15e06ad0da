/** The facts of this host against a SKU, as checks that people read before they enrol it. */
import { fitOf, needsOf } from '@bourse/api/fleet/fit.ts'
import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import { countsOf, type HostHardware } from '@bourse/api/fleet/hardware.ts'
import { hardwareLine } from '@bourse/api/fleet/hardware-line.ts'
import { behindSwitches, hasAllBehindSwitches } from '@bourse/api/fleet/nvswitches.ts'
import type { Driver, Finding } from '../drivers/driver.ts'
import { devicesSubject, uefiSubject } from '../drivers/names.ts'
import type { SkuInput } from '../sku-file.ts'

const slotsShown = 8

/** The hardware in one finding, and what could not be read of it. */
export function hardwareFindings(hardware: HostHardware): Finding[] {
  const { model, sockets, cores, threads } = hardware.processors
  const message = `${hardwareLine(hardware)}; ${sockets} × ${model}, ${cores} cores, ${threads} threads`
  const unread = hardware.problems.map((problem) => {
    return { subject: 'facts', is_good: false, is_optional: true, message: problem }
  })
  return [{ subject: 'hardware', is_good: true, message }, ...unread]
}

/** One finding for each fact that the SKU names. */
export function skuFindings(hardware: HostHardware, sku: SkuInput, slots: number): Finding[] {
  const { checks, fits, slots: assigned } = fitOf({ ...countsOf(hardware), hardware }, needsOf(sku), slots)
  if (checks.length > 0) {
    const compared = checks.map(({ subject, is_good, message }) => ({ subject, is_good, message }))
    const shown = fits && assigned.length > 0 ? [slotFinding(assigned)] : []
    return [...compared, ...shown, ...withoutSwitches(hardware, assigned)]
  }
  const message = sku.simulated
    ? `${sku.alias} is simulated: it takes hosts without the hardware, and every buyer sees that`
    : `${sku.alias} promises no hardware, so every host fits it`
  return [{ subject: 'sku', is_good: true, message }]
}

/** Accelerators that are sold without the switches between them. */
function withoutSwitches(hardware: HostHardware, assigned: readonly SlotHardware[]): Finding[] {
  const behind = behindSwitches({ hardware })
  const own = new Set(assigned.flatMap(({ accelerators }) => accelerators.map(({ pci }) => pci)))
  const isWhole = assigned.some((slot) => hasAllBehindSwitches({ hardware }, slot))
  if (isWhole || !behind.some((pci) => own.has(pci))) return []
  const [all, switches] = [behind.length, hardware.nvswitches?.length]
  const message =
    `no slot has all ${all} accelerators behind the ${switches} NVSwitches, so no machine gets these: ` +
    'accelerators reach each other over PCI Express only, and some need NVLink off in their guest'
  return [{ subject: 'nvlink', is_good: false, is_optional: true, message }]
}

/** What the driver has of processors and memory for each slot of a SKU. */
export async function roomFindings(
  hardware: HostHardware,
  { sku, slots, driver }: { sku: SkuInput; slots: number; driver: Pick<Driver, 'planSlots'> },
): Promise<Finding[]> {
  const needs = needsOf(sku)
  const { vcpus, memory_bytes, is_simulated } = needs
  if (is_simulated || !driver.planSlots || (vcpus === null && memory_bytes === null)) return []
  const { slots: devices } = fitOf({ ...countsOf(hardware), hardware }, needs, slots)
  const wanted = Array.from({ length: slots }, (_, slot) => {
    return { cpus: vcpus ?? 1, memory_bytes: memory_bytes ?? 0, near: devices[slot]?.numa ?? [] }
  })
  return [await driver.planSlots(wanted)]
}

/** The findings of a driver, with those that the SKU depends on no longer optional. */
export function neededFor(sku: SkuInput, findings: readonly Finding[]): Finding[] {
  const { accelerators, rdma } = devicesFor(sku)
  const needed = [...(accelerators ? [uefiSubject] : []), ...(accelerators || rdma ? [devicesSubject] : [])]
  return findings.map((finding) => (needed.includes(finding.subject) ? { ...finding, is_optional: false } : finding))
}

/** The kinds of devices to look at: those that a SKU depends on; all without such a SKU. */
export function devicesToCheck(sku: SkuInput | undefined): { accelerators: boolean; rdma: boolean } {
  const own = sku && devicesFor(sku)
  return own?.accelerators || own?.rdma ? own : { accelerators: true, rdma: true }
}

function devicesFor(sku: SkuInput): { accelerators: boolean; rdma: boolean } {
  const { accelerators, rdma, is_simulated } = needsOf(sku)
  return {
    accelerators: !is_simulated && accelerators !== null,
    rdma: !is_simulated && rdma?.type === 'infiniband',
  }
}

/** Which devices each slot gets. */
function slotFinding(assigned: readonly SlotHardware[]): Finding {
  const shown = assigned.slice(0, slotsShown).map(({ accelerators, rdma = [], nvswitches = [], numa }, slot) => {
    const node = numa.length === 0 ? '' : ` on NUMA node ${numa.join(' and ')}`
    return `${slot}: ${[...accelerators.map(({ pci }) => pci), ...nvswitches, ...rdma].join(' ')}${node}`
  })
  const more = assigned.length > slotsShown ? `; and ${assigned.length - slotsShown} more` : ''
  return { subject: 'slots', is_good: true, message: `${shown.join('; ')}${more}` }
}
