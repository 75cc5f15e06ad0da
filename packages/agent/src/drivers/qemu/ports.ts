/** The port of the host that leads to a machine's secure shell: its slot's own, or another one where that is taken. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import type { MachineSpec } from '../driver.ts'

/** The first port; slot 0 has this one. */
export const firstPort = 22_000
/** A host has at most so many slots, so no two slots ever try the same port. */
const slotsMax = 64
const triesMax = 16
const portFile = 'ssh.port'

/** The ports that a slot may have, the usual one first. */
export function portsOf(slot: number): number[] {
  return Array.from({ length: triesMax }, (_, round) => firstPort + round * slotsMax + slot)
}

/** The port that a machine was given; the usual one where nothing was noted. */
export async function portOf({ directory, slot }: MachineSpec): Promise<number> {
  return Number((await readIfThere(join(directory, portFile))) ?? firstPort + slot)
}

/** Notes the port of a machine. */
export async function notePort({ directory }: MachineSpec, port: number): Promise<void> {
  await writeWhole(join(directory, portFile), String(port))
}

/** Whether nobody listens at a port. Throws a `StartFailure` where this host has not the address at all. */
export async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, address)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL') {
      throw startFailure('host_address_wrong', `This host has no address ${address}; see --host-address.`)
    }
    return false
  } finally {
    server.close()
  }
}
