/** The QEMU driver for tests, if QEMU is installed. */
import assert from 'node:assert/strict'
import type { DriverOptions } from '../../src/drivers/choose.ts'
import type { Driver, MachineSpec } from '../../src/drivers/driver.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { writeBootSector } from './boot-sectors.ts'
import { machinesFolder } from './driver-contract.ts'
import { newSpec } from './new-spec.ts'
import { machineImage } from './tiny-image.ts'

/** A driver for machines, emulated without hardware support. */
export type QemuMachines = {
  readonly driver: Driver
  readonly options: DriverOptions
  /** The image that boots Linux. */
  readonly tiny: string
}

/** Opens the driver, or returns why it is not available. `root`: other files of `sys` and `proc` than the machine's. */
export async function openQemu(
  root?: string,
): Promise<{ qemu: QemuMachines; missing?: never } | { missing: string; qemu?: never }> {
  const image = await machineImage()
  if (image.missing !== undefined) return { missing: image.missing }
  const options = { name: 'qemu', directory: machinesFolder(), allow_tcg: true, host_address: '127.0.0.1' }
  const driver = qemuDriver(root === undefined ? options : { ...options, root })
  const { is_fit, findings } = await driver.probe()
  assert.ok(is_fit, JSON.stringify(findings))
  return { qemu: { driver, options, tiny: image.path } }
}

/** A machine that starts from a boot sector. */
export function newDeafSpec(): MachineSpec {
  return newSpec(machinesFolder(), writeBootSector(machinesFolder(), 'deaf'))
}

/** Runs such a machine for a while. */
export async function runDeaf(
  { driver }: QemuMachines,
  change: Partial<MachineSpec>,
  work: (spec: MachineSpec) => Promise<void>,
): Promise<void> {
  const spec = { ...newDeafSpec(), ...change }
  try {
    await driver.prepare(spec, null)
    await driver.start(spec, new AbortController().signal)
    await work(spec)
  } finally {
    await driver.destroy(spec)
  }
}
