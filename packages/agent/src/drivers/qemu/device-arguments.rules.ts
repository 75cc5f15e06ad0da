// The arguments of QEMU for devices of the host that a machine gets.

import type { GivenDevice } from '../../devices/host-devices.ts'

const GIBIBYTE = 2 ** 30
/** The window for large memory regions that a q35 machine has by itself. */
const usualWindow = 32 * GIBIBYTE
/** What QEMU locks in memory beside the memory of the guest: its own regions that devices can reach. */
const lockedBeside = GIBIBYTE
const usualMilliseconds = 30_000
const deviceMilliseconds = 120_000
const lockMillisecondsOfGibibyte = 1_000

/**
 * The arguments for the devices of a machine. Each has a root port of its own, as drivers expect it. Devices that a
 * firmware would run code of get no chance to: `rombar=0`.
 */
export function deviceArguments(devices: readonly GivenDevice[], accelerator: 'kvm' | 'tcg'): string[] {
  if (devices.length === 0) return []
  const window = windowBytes(devices)
  return [
    // Interrupts of devices need the interrupt controller of the kernel. Emulation has its own.
    ...(accelerator === 'kvm' ? ['-machine', 'kernel_irqchip=on'] : []),
    ...(window > usualWindow ? ['-global', `q35-pcihost.pci-hole64-size=${window / GIBIBYTE}G`] : []),
    ...devices.flatMap(({ pci }, index) => [
      ...['-device', `pcie-root-port,id=port${index},chassis=${index + 1}`],
      ...['-device', `vfio-pci,host=${pci},bus=port${index},rombar=0`],
    ]),
  ]
}

/** The command prefix that lets a machine lock its memory, which devices write to without asking the kernel. */
export function lockable(devices: readonly GivenDevice[], memory_bytes: number): string[] {
  if (devices.length === 0) return []
  const bytes = memory_bytes + lockedBeside
  return ['prlimit', `--memlock=${bytes}:${bytes}`, '--']
}

/** How long QEMU may take until it answers. With devices it first resets them, and clears and locks all memory. */
export function openMilliseconds(devices: readonly GivenDevice[], memory_bytes: number): number {
  if (devices.length === 0) return usualMilliseconds
  return deviceMilliseconds + (memory_bytes / GIBIBYTE) * lockMillisecondsOfGibibyte
}

/**
 * The window for memory regions above 4 GiB: a power of two, with as much again for their alignment. A region begins at
 * a multiple of its size.
 */
export function windowBytes(devices: readonly GivenDevice[]): number {
  const all = devices.reduce((sum, { bar_bytes }) => sum + bar_bytes, 0)
  return all === 0 ? 0 : 2 ** Math.ceil(Math.log2(2 * all))
}
