// The arguments of QEMU for devices of the host that a machine gets.

import type { GivenDevice } from '../../devices/binding.ts'

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30
/** The window for large memory regions that a q35 machine has by itself. */
const usualWindow = 32 * gibibyte
/** What QEMU locks in memory beside the memory of the guest: its own regions that devices can reach. */
const lockedBeside = gibibyte
/** Up to as many devices have places of their own on the root bus. */
const portsAlone = 16
const firstPlace = 0x0f
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
    ...(window > usualWindow ? windowArguments(window) : []),
    ...devices.flatMap(({ pci }, index) => [
      '-device',
      `pcie-root-port,id=port${index},chassis=${index + 1}${placeOf(index, devices.length)}`,
      '-device',
      `vfio-pci,host=${pci},bus=port${index},rombar=0`,
    ]),
  ]
}

/** A BIOS learns of the window from the chipset. UEFI firmware takes the larger one of its own and this one. */
function windowArguments(window: number): string[] {
  return [
    '-global',
    `q35-pcihost.pci-hole64-size=${window / gibibyte}G`,
    '-fw_cfg',
    `name=opt/ovmf/X-PciMmio64Mb,string=${window / mebibyte}`,
  ]
}

/** The root bus has 32 places, and a place takes eight ports. The devices of the board keep theirs. */
function placeOf(index: number, count: number): string {
  if (count <= portsAlone) return ''
  const place = (firstPlace + Math.floor(index / 8)).toString(16)
  return `,addr=0x${place}.${index % 8},multifunction=on`
}

/** The command prefix that lets a machine lock its memory, which devices write to without asking the kernel. */
export function lockable(devices: readonly GivenDevice[], memoryBytes: number): string[] {
  if (devices.length === 0) return []
  const bytes = memoryBytes + lockedBeside
  return ['prlimit', `--memlock=${bytes}:${bytes}`, '--']
}

/** How long QEMU may take until it answers. With devices it first resets them, and clears and locks all memory. */
export function openMilliseconds(devices: readonly GivenDevice[], memoryBytes: number): number {
  if (devices.length === 0) return usualMilliseconds
  return deviceMilliseconds + (memoryBytes / gibibyte) * lockMillisecondsOfGibibyte
}

/**
 * The window for memory regions above 4 GiB, a multiple of 1 GiB. A region begins at a multiple of its size, a power of
 * two, so the regions of a device fit into the next power of two. Those of all devices fit one after the other, the
 * largest first. The window may begin anywhere, so the largest counts twice.
 */
export function windowBytes(devices: readonly GivenDevice[]): number {
  const sizes = devices.map(({ bar_bytes }) => (bar_bytes === 0 ? 0 : 2 ** Math.ceil(Math.log2(bar_bytes))))
  const all = sizes.reduce((sum, size) => sum + size, Math.max(0, ...sizes))
  return Math.ceil(all / gibibyte) * gibibyte
}
