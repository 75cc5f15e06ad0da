/** Hardware in one line, for people. */
import type { HostHardware } from './hardware.ts'

/** The accelerators and the NUMA nodes of a host: `8 × NVIDIA H100 SXM5 80 GB, 2 NUMA nodes`. */
export function hardwareLine({ accelerators, numa_nodes }: HostHardware): string {
  const known = accelerators.filter(({ kind }) => kind !== null)
  const models = known.map(({ name, devices }) => `${devices.length} × ${name}`)
  const nodes = numa_nodes.length
  return [
    ...(models.length === 0 ? ['no accelerators'] : models),
    ...(nodes === 0 ? [] : [`${nodes} NUMA node${nodes === 1 ? '' : 's'}`]),
  ].join(', ')
}
