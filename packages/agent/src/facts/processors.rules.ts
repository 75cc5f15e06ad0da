// Processors, memory and NUMA nodes, from the texts of the kernel.

import type { HostHardware } from '@bourse/api/fleet/hardware.ts'

const processorsMax = 4096
const features = ['vmx', 'svm', 'avx2', 'avx512f', 'amx_tile'] as const

/**
 * The processors that `/proc/cpuinfo` lists, as far as they are allowed; undefined: all. One that is listed without its
 * place counts as a socket of its own.
 */
export function parseProcessors(cpuinfo: string, allowed?: ReadonlySet<number>): HostHardware['processors'] {
  const blocks = cpuinfo.split(/\n\s*\n/).map(membersOf)
  const listed = blocks.filter((block) => /^\d+$/.test(block.get('processor') ?? ''))
  const threads = listed.filter((block) => allowed?.has(Number(block.get('processor'))) ?? true)
  const sockets = new Set(threads.map((block) => block.get('physical id') ?? '0'))
  const cores = new Set(
    threads.map((block) => `${block.get('physical id') ?? '0'} ${block.get('core id') ?? block.get('processor')}`),
  )
  const flags = new Set((threads[0]?.get('flags') ?? threads[0]?.get('Features') ?? '').split(/\s+/))
  return {
    model: plain(threads[0]?.get('model name') ?? 'unknown', 96),
    sockets: sockets.size,
    cores: cores.size,
    threads: threads.length,
    features: features.filter((feature) => flags.has(feature)),
  }
}

function membersOf(block: string): Map<string, string> {
  const lines = block.split('\n').flatMap((line) => {
    const at = line.indexOf(':')
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
  })
  return new Map(lines)
}

/** The bytes of a member of a `meminfo` file, such as `MemTotal`; undefined if it is missing. */
export function parseMemory(meminfo: string | undefined, member = 'MemTotal'): number | undefined {
  const [, kibibytes] = new RegExp(`^(?:Node \\d+ )?${member}:\\s+(\\d+) kB`, 'm').exec(meminfo ?? '') ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

/** The processors or NUMA nodes that a process may use, from its `status`; undefined if that does not say. */
export function allowedIn(status: string | undefined, what: 'Cpus' | 'Mems'): number[] | undefined {
  const [, list] = new RegExp(`^${what}_allowed_list:\\s*(\\S+)`, 'm').exec(status ?? '') ?? []
  return list === undefined ? undefined : numbersIn(list)
}

/** The numbers of a list such as `0-3,8`. */
export function numbersIn(list: string | undefined): number[] {
  const ranges = (list ?? '').split(',').flatMap((range) => {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(range.trim()) ?? []
    const length = Math.min(Number(last) - Number(first) + 1, processorsMax)
    return first === undefined || length < 1 ? [] : Array.from({ length }, (_, index) => Number(first) + index)
  })
  return ranges.slice(0, processorsMax)
}

/** A whole number from a file of the kernel; undefined if it is none. */
export function parseCount(text: string | undefined): number | undefined {
  return /^\d{1,10}$/.test(text ?? '') ? Number(text) : undefined
}

/** Text that terminals can show, cut to a length. */
export function plain(text: string, lengthMax: number): string {
  return text
    .replace(/[^ -~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, lengthMax)
}

/** What stores a folder: the device of its file system as `major:minor`, and whether it can be written. */
export function parseMount(
  mountinfo: string,
  directory: string,
): { device: string; is_read_only: boolean } | undefined {
  let best: { path: string; device: string; is_read_only: boolean } | undefined
  for (const line of mountinfo.split('\n')) {
    const [mount = '', fileSystem = ''] = line.split(' - ')
    const [, , device, , path, options] = mount.split(' ')
    if (device === undefined || path === undefined || options === undefined) continue
    const isAbove = path === '/' || directory === path || directory.startsWith(`${path}/`)
    // Of two mounts at one place, the later hides the earlier.
    if (!isAbove || (best && path.length < best.path.length)) continue
    // After errors the kernel makes a file system read-only, and its mounts keep their options.
    const all = [options, fileSystem.split(' ')[2] ?? ''].flatMap((list) => list.split(','))
    best = { path, device, is_read_only: all.includes('ro') }
  }
  return best
}
