/**
 * How many machines get their memory where huge pages are set aside. A machine has its memory in pages of one size: the
 * largest that hold it without a rest and have enough left on all nodes together, else ordinary ones. The agent gives
 * it by the same rule (`room of slots`). What is set aside counts, and not what is free: machines that run use pages.
 */
import type { HostHardware } from './hardware.ts'

/** The memory of a host and of its NUMA nodes. */
export type HostMemory = Pick<HostHardware, 'memory_bytes' | 'numa_nodes'>

const mebibyte = 2 ** 20

/** The machines of a size that get their memory; undefined if no huge pages are set aside. */
export function machinesInPages(memory: HostMemory, machineBytes: number, reserveBytes: number): number | undefined {
  const { numa_nodes: nodes } = memory
  const sizes = [
    { page_bytes: 2 * mebibyte, pages: sumOf(nodes, ({ total_2mib_pages }) => total_2mib_pages ?? 0) },
    { page_bytes: 1024 * mebibyte, pages: sumOf(nodes, ({ total_1gib_pages }) => total_1gib_pages ?? 0) },
  ]
  if (sizes.every(({ pages }) => pages === 0)) return undefined
  const whole = Math.ceil(machineBytes / mebibyte) * mebibyte
  const inPages = sumOf(sizes, ({ page_bytes, pages }) =>
    whole % page_bytes === 0 ? Math.floor((page_bytes * pages) / whole) : 0,
  )
  return inPages + Math.floor(ordinaryBytes(memory, reserveBytes) / whole)
}

/** Memory outside of huge pages, without what each node keeps for the host. */
function ordinaryBytes({ memory_bytes: inAll, numa_nodes: nodes }: HostMemory, reserveBytes: number): number {
  return sumOf(nodes, ({ memory_bytes, total_2mib_pages = 0, total_1gib_pages = 0 }) => {
    // A host with one node counts by all of its memory.
    const all = nodes.length === 1 ? inAll : memory_bytes
    const huge = (2 * total_2mib_pages + 1024 * total_1gib_pages) * mebibyte
    return Math.max(0, all - huge - Math.ceil(reserveBytes / nodes.length))
  })
}

function sumOf<T>(list: readonly T[], amount: (one: T) => number): number {
  return list.reduce((sum, one) => sum + amount(one), 0)
}
