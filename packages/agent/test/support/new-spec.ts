/** A machine for tests. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineSpec } from '../../src/drivers/driver.ts'

/** The network settings of a machine that is in no subnet. */
export const noNetwork: MachineSpec['network'] = {
  mac: '02:00:00:00:00:01',
  private_ip: null,
  subnet: null,
  vni: null,
  cidr: null,
  traffic: 'encrypted',
  peers: [],
  public_ip: null,
  firewall_rules: null,
  infiniband_partition: null,
  partition_key: null,
}

let made = 0

/** A new machine with its own folder. */
export function newSpec(root: string, image_file: string | null): MachineSpec {
  made += 1
  const id = `inst_${process.pid}_${made}`
  const directory = join(root, id)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const size = { cpu_count: 1, memory_bytes: 2 ** 27, storage_bytes: null }
  return { id, directory, hostname: `host-${made}`, slot: made % 64, size, network: noNetwork, image_file }
}
