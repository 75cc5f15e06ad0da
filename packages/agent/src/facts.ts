/** The facts that an agent reports about its host. */
import { statfs } from 'node:fs/promises'
import { cpus, hostname, networkInterfaces, totalmem } from 'node:os'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'

/** The facts that only the operator knows. */
export type GivenFacts = {
  readonly host_address?: string | undefined
  readonly public_ipv4s?: readonly string[]
  readonly sets_partitions?: boolean
  readonly encrypts_traffic?: boolean | undefined
}

/** Reads the facts. `directory` is on the disk that stores the machines. */
export async function readFacts(
  directory: string,
  network: HostFacts['network'],
  given: GivenFacts = {},
): Promise<HostFacts> {
  const { blocks, bsize } = await statfs(directory)
  return {
    hostname: hostname().slice(0, 255),
    cpu_count: Math.max(1, cpus().length),
    memory_bytes: totalmem(),
    storage_bytes: blocks * bsize,
    accelerators: [],
    network,
    host_address: given.host_address ?? ownAddress(),
    public_ipv4s: [...(given.public_ipv4s ?? [])],
    sets_partitions: given.sets_partitions ?? false,
    ...(given.encrypts_traffic === undefined ? {} : { encrypts_traffic: given.encrypts_traffic }),
  }
}

/** The first address of this host that is not a loopback address. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
