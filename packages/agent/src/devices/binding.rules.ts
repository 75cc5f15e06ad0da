// How functions change their driver: the writes to sysfs, in their order.

import { type PciFunction, vfioDriver } from './functions.rules.ts'

/** One write to a file of the kernel. */
export type SysfsWrite = { readonly path: string; readonly text: string }

/** A function that the agent has bound, and its driver before: null if it had none. */
export type BoundFunction = { readonly pci: string; readonly driver: string | null }

const devices = '/sys/bus/pci/devices'
const probe = '/sys/bus/pci/drivers_probe'

/** The writes that bind a function to `vfio-pci`. None if it is bound. */
export function planBinding({ pci, driver }: Pick<PciFunction, 'pci' | 'driver'>): SysfsWrite[] {
  if (driver === vfioDriver) return []
  return [
    // By name of the driver and for this function only: `new_id` would take all functions of the same model.
    { path: `${devices}/${pci}/driver_override`, text: vfioDriver },
    ...(driver === null ? [] : [{ path: `${devices}/${pci}/driver/unbind`, text: pci }]),
    { path: probe, text: pci },
  ]
}

/** The writes that give a function back to the driver that it had. */
export function planReturn({ pci, driver }: BoundFunction, now: string | null): SysfsWrite[] {
  return [
    // A line without text ends the override.
    { path: `${devices}/${pci}/driver_override`, text: '\n' },
    ...(now === vfioDriver ? [{ path: `${devices}/${pci}/driver/unbind`, text: pci }] : []),
    ...(driver === null ? [] : [{ path: probe, text: pci }]),
  ]
}
