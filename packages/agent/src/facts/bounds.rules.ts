// Keeps the hardware of a host within what the server takes.

import { type HostHardware, hardwareBounds, hardwareBytesMax, problemLengthMax } from '@bourse/api/fleet/hardware.ts'
import { plain } from './processors.rules.ts'

/**
 * Hardware within its bounds. Accelerators are left out last, because they decide what a host can be enrolled for;
 * whatever is left out becomes a problem.
 */
export function boundHardware(whole: HostHardware): HostHardware {
  const { numa_nodes, models, ports, nvswitches } = hardwareBounds
  const problems = whole.problems.map((problem) => plain(problem, problemLengthMax))
  const cut = <T>(list: readonly T[], max: number, what: string): T[] => {
    if (list.length > max) problems.unshift(`${list.length - max} of ${list.length} ${what} are left out`)
    return list.slice(0, max)
  }
  let bounded: HostHardware = {
    ...whole,
    numa_nodes: cut(whole.numa_nodes, numa_nodes, 'NUMA nodes'),
    accelerators: boundDevices(cut(whole.accelerators, models, 'models of accelerators'), problems),
    rdma: cut(whole.rdma, ports, 'RDMA ports'),
    ...(whole.nvswitches ? { nvswitches: cut(whole.nvswitches, nvswitches, 'NVSwitches') } : {}),
    problems: [],
  }
  if (sizeOf({ ...bounded, problems: shown(problems) }) > hardwareBytesMax) {
    problems.unshift('the ids of RDMA ports are left out, the facts are too long')
    bounded = { ...bounded, rdma: bounded.rdma.map((port) => ({ ...port, guid: null, subnet_prefix: null })) }
  }
  if (sizeOf({ ...bounded, problems: shown(problems) }) > hardwareBytesMax && bounded.slot_checks) {
    const { slot_checks: _, ...rest } = bounded
    problems.unshift('the checks of slots are left out, the facts are too long')
    bounded = rest
  }
  while (sizeOf({ ...bounded, problems: shown(problems) }) > hardwareBytesMax && bounded.rdma.length > 1) {
    if (!problems[0]?.startsWith('some RDMA ports'))
      problems.unshift('some RDMA ports are left out, the facts are too long')
    bounded = { ...bounded, rdma: bounded.rdma.slice(0, Math.floor(bounded.rdma.length / 2)) }
  }
  while (sizeOf({ ...bounded, problems: shown(problems) }) > hardwareBytesMax && bounded.accelerators.length > 0) {
    if (!problems[0]?.startsWith('some accel'))
      problems.unshift('some accelerators are left out, the facts are too long')
    bounded = { ...bounded, accelerators: withoutLast(bounded.accelerators) }
  }
  return { ...bounded, problems: shown(problems) }
}

function boundDevices(models: HostHardware['accelerators'], problems: string[]): HostHardware['accelerators'] {
  return models.map((model) => {
    const left = model.devices.length - hardwareBounds.devices
    if (left > 0) problems.unshift(`${left} of ${model.devices.length} accelerators of one model are left out`)
    return left > 0 ? { ...model, devices: model.devices.slice(0, hardwareBounds.devices) } : model
  })
}

function withoutLast(models: HostHardware['accelerators']): HostHardware['accelerators'] {
  const last = models.at(-1)
  const devices = last?.devices.slice(0, -1) ?? []
  const before = models.slice(0, -1)
  return last && devices.length > 0 ? [...before, { ...last, devices }] : before
}

function shown(problems: readonly string[]): string[] {
  const { problems: max } = hardwareBounds
  if (problems.length <= max) return [...problems]
  return [...problems.slice(0, max - 1), `${problems.length - max + 1} more problems`]
}

function sizeOf(hardware: HostHardware): number {
  return Buffer.byteLength(JSON.stringify(hardware))
}
