/** The port of the host that forwards to SSH of a machine: that of its slot, or another one if it is taken. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import type { MachineSpec } from '../driver.ts'

/** The first port, that of slot 0. */
const firstPort = 22_000
/** The most slots of a host. Ports of a slot are this far apart, so no two slots share a port. */
const slotsMax = 64
const triesMax = 16
const portFile = 'ssh.port'

/** The possible ports of a slot, the default first. */
export function portsOf(slot: number): number[] {
  return Array.from({ length: triesMax }, (_, round) => firstPort + round * slotsMax + slot)
}

/** The stored port of a machine, or the default. */
export async function portOf({ directory, slot }: MachineSpec): Promise<number> {
  return Number((await readIfThere(join(directory, portFile))) ?? firstPort + slot)
}

/** Stores the port of a machine. */
export async function writePort({ directory }: MachineSpec, port: number): Promise<void> {
  await writeWhole(join(directory, portFile), String(port))
}

/** Whether a port is free. Throws a `StartFailure` if the host does not have the address. */
export async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, address)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL') {
      throw startFailure('host_address_wrong', `This host does not have the address ${address}. Set --host-address.`)
    }
    return false
  } finally {
    server.close()
  }
}
