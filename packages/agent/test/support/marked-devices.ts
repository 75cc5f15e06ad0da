/**
 * Marks in the devices of an outer machine, which a reset clears. The kernel resets a device when it is opened and when
 * it is closed through VFIO, so a mark is left while nobody has the device open.
 */
import assert from 'node:assert/strict'
import type { OuterMachine } from './outer-machine.ts'

/** The address of a PCI function. */
export type Pci = `0000:${string}`

/** The data of the first entry of the MSI-X table, in the first memory region of a drive of QEMU. */
const register = 0x2008
const mark = '0x0000BEEF'
const clear = '0x00000000'

/** Marks a device. Returns the address of the register that has the mark. */
export async function markDevice(outer: OuterMachine, pci: Pci): Promise<string> {
  const folder = `/sys/bus/pci/devices/${pci}`
  const [begin] = (await outer.run(`cat ${folder}/resource`)).split(' ')
  const address = `0x${(Number(begin) + register).toString(16)}`
  // The kernel has switched its memory regions off: 2 is the bit for them in the command register.
  await outer.run(`printf '\\2' | dd of=${folder}/config bs=1 seek=4 conv=notrunc 2>&1`)
  const output = await outer.run(`devmem ${address} 32; devmem ${address} 32 ${mark}; devmem ${address} 32`)
  assert.deepEqual(output.trim().split('\n'), [clear, mark])
  return address
}

/**
 * A line that waits until the registers are clear, in the order of the slots, and prints what has cleared each: `reset`
 * or the process of the probe machine of the slot. That is started after the reset, and opens the device seconds later.
 */
export function lineThatWatches(addresses: readonly string[]): string {
  const looks = addresses.map((address, slot) => {
    // The brackets keep the line from finding itself. The process is looked for first, so no moment is missed.
    const look = `probe=$(grep -ls guest=[p]robe-${slot} /proc/[0-9]*/cmdline)`
    const isMarked = `[ $(devmem ${address} 32) != ${clear} ]`
    return `${look}; [ -n "$by${slot}" ] || ${isMarked} || by${slot}=\${probe:-reset}`
  })
  const known = addresses.map((_, slot) => `[ -n "$by${slot}" ]`).join(' && ')
  const shown = addresses.map((_, slot) => `echo "$by${slot}"`).join('; ')
  return `until ${known}; do ${looks.join('; ')}; usleep 20000; done; ${shown}`
}
