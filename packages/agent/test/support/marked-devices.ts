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

/** Whether the marks of all these registers are gone. */
export async function areCleared(outer: OuterMachine, addresses: readonly string[]): Promise<boolean> {
  const values = (await outer.run(addresses.map((address) => `devmem ${address} 32`).join('; '))).trim().split('\n')
  return values.every((value) => value === clear)
}

/**
 * Holds the probe machines of slots, which would clear marks too: they open the devices. The agent writes the disk of
 * such a machine first, to a named pipe now, and waits there for a reader. `probes`: its folder. Returns what lets them
 * go: the disk is lost then, so the agent tries once more.
 */
export async function holdProbes(outer: OuterMachine, probes: string, slots: number): Promise<() => Promise<void>> {
  const pipes = Array.from({ length: slots }, (_, slot) => `${probes}/slot-${slot}.img`)
  await outer.run(`mkdir -p ${probes} && mkfifo ${pipes.join(' ')}`)
  return async () => {
    for (const pipe of pipes) await outer.run(`{ rm ${pipe}; cat > /dev/null; } < ${pipe}`)
  }
}
