/** Checks the devices of a slot by a machine that lists what it sees, before the slot is offered again. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import { pause, waitFor } from '@bourse/text/time/pause.ts'
import { nowSeconds } from '../clock.ts'
import type { Driver, MachineSpec } from '../drivers/driver.ts'
import { removeAll } from '../files.ts'
import type { DeviceTree } from './device-tree.ts'
import type { HostDevices } from './host-devices.ts'
import { idsSeen, probeDisk, probeProblem } from './probe-sector.ts'
import { idOf } from './read-functions.ts'

/** What a check needs. */
type SlotCheckOptions = {
  readonly driver: Driver
  readonly devices: HostDevices
  readonly tree: DeviceTree
  /** The state directory of the agent. */
  readonly directory: string
  /** Waits between tries, and for one result. */
  readonly timing?: { readonly pauses: readonly number[]; readonly seconds_max: number }
}

/** What the console of a probe machine has shown, and the functions that it was given. */
type ProbeResult<T> = { readonly shown: T | undefined; readonly given: readonly string[] }

/** What a try has found. A verdict is about the devices; everything else may be better the next time. */
type Verdict = {
  readonly problem: string | undefined
  readonly is_final: boolean
  /** The devices that no machine gets if there is a problem. */
  readonly devices: readonly string[]
}

/** A machine that is run for its console. */
type ProbeRun<T> = {
  readonly slot: number
  readonly size: DesiredInstance['machine']
  /** The disk that a BIOS starts, and the user data of its guest: a script of the operator, for instance. */
  readonly image_file: string
  readonly user_data: Buffer | null
  /** Reads a result from the console; undefined as long as it shows none. */
  readonly read: (output: string) => T | undefined
  readonly seconds_max: number
}

/** Time for a firmware that sets up large memory regions, on a host that has other work. */
const usualTiming = { pauses: [5_000, 30_000], seconds_max: 120 }
const namePattern = /^probe-(\d{1,2})$/
const consoleBytesMax = 262_144
const probeMemory = 128 * 2 ** 20
const every = 250
/** QEMU's own: no traffic leaves a probe machine. */
const network: MachineSpec['network'] = {
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

/**
 * Runs a machine with the devices of a slot until its console shows a result. Throws if its process remains: it has its
 * devices open, so it keeps its claim on them.
 */
async function runProbe<T>(
  options: SlotCheckOptions,
  { slot, size, image_file, user_data, read, seconds_max }: ProbeRun<T>,
): Promise<ProbeResult<T>> {
  const { driver, devices, directory } = options
  const own = { ...probeOf(directory, slot), size, image_file }
  const { id } = own
  // What an earlier try has left may have other devices than the slot has by now.
  if (devices.devicesOf(id).length > 0) await endProbe(options, own)
  await mkdir(own.directory, { recursive: true, mode: 0o700 })
  try {
    await devices.take({ id, slot, size })
    const spec: MachineSpec = { ...own, firmware: 'bios', devices: devices.devicesOf(id) }
    await driver.prepare(spec, user_data)
    await driver.start(spec, new AbortController().signal)
    const look = async () => read((await driver.console(spec, 0, consoleBytesMax)).bytes.toString('latin1'))
    const shown = await waitFor(look, { every, at_most: seconds_max * 1000 })
    return { shown, given: devices.devicesOf(id).map(({ pci }) => pci) }
  } finally {
    await endProbe(options, own)
  }
}

async function endProbe({ driver, devices }: SlotCheckOptions, probe: MachineSpec): Promise<void> {
  await driver.destroy(probe)
  await devices.release(probe.id)
  await removeAll(probe.directory)
}

/**
 * Ends the probe machines of an agent that was killed. Returns those whose process remains: they have their devices
 * open, which must not be reset then.
 */
export async function endProbes({
  driver,
  directory,
}: Pick<SlotCheckOptions, 'driver' | 'directory'>): Promise<string[]> {
  const names = await readdir(join(directory, 'probes')).catch(() => [])
  const left = await Promise.all(
    names.map(async (name): Promise<string[]> => {
      const [, slot] = namePattern.exec(name) ?? []
      if (slot === undefined) return []
      const probe = probeOf(directory, Number(slot))
      const remains = await driver.destroy(probe).then(
        () => [],
        () => [name],
      )
      if (remains.length === 0) await removeAll(probe.directory)
      return remains
    }),
  )
  return left.flat()
}

/**
 * Names the devices of probe machines whose process remains, so that their host is faulted, and no machine is refused
 * them without a reason that anybody sees. The next start of the agent tries again to end them.
 */
export async function withholdFromProbes(devices: HostDevices, probes: readonly string[]): Promise<void> {
  for (const id of probes) {
    const [, slot] = namePattern.exec(id) ?? []
    const check = { slot: Number(slot), checked_at: nowSeconds(), is_good: false }
    const held = devices.devicesOf(id).map(({ pci }) => pci)
    if (held.length > 0) await devices.noteCheck(check, held, 'a probe machine of an earlier agent still has it')
  }
}

function probeOf(directory: string, slot: number): MachineSpec {
  const id = `probe-${slot}`
  const size = { cpu_count: 1, memory_bytes: probeMemory, storage_bytes: null }
  return { id, directory: join(directory, 'probes', id), hostname: id, slot, size, network, image_file: null }
}

/**
 * Checks a slot, and records the result. Returns what is wrong; undefined if a machine sees all of its devices and no
 * others. Devices are kept back for what a machine sees of them, because it never shows anything, or because it does
 * not end and still has them. A machine that does not start says nothing of its devices, so it is tried again: after
 * the last try the slot is offered unchecked.
 */
export async function verifySlot(
  options: SlotCheckOptions,
  { slot, size }: Pick<ProbeRun<unknown>, 'slot' | 'size'>,
): Promise<string | undefined> {
  const { pauses } = options.timing ?? usualTiming
  let verdict = await tryProbe(options, { slot, size })
  for (const milliseconds of pauses) {
    if (verdict.is_final) break
    await pause(milliseconds)
    verdict = await tryProbe(options, { slot, size })
  }
  const { problem, devices } = verdict
  const check = { slot, checked_at: nowSeconds(), is_good: problem === undefined }
  await options.devices.noteCheck(check, devices, problem)
  return problem
}

async function tryProbe(
  options: SlotCheckOptions,
  { slot, size }: Pick<ProbeRun<unknown>, 'slot' | 'size'>,
): Promise<Verdict> {
  const image_file = join(options.directory, 'probes', `slot-${slot}.img`)
  await mkdir(join(options.directory, 'probes'), { recursive: true, mode: 0o700 })
  // The user of the slot reads it as the tool does that looks into images.
  await writeFile(image_file, probeDisk(), { mode: 0o444 })
  const { seconds_max } = options.timing ?? usualTiming
  const small = { ...size, cpu_count: 1, memory_bytes: probeMemory, storage_bytes: null }
  const { devices = [] } = size
  const wanted = { slot, size: small, image_file, user_data: null, read: idsSeen, seconds_max }
  try {
    const { shown, given } = await runProbe(options, wanted)
    if (!shown) return { problem: 'its probe machine shows no devices in time', is_final: false, devices }
    // A device may bring functions with it, as a GPU does its audio output.
    return {
      problem: probeProblem(shown, await Promise.all(given.map((pci) => idOf(options.tree, pci)))),
      is_final: true,
      devices,
    }
  } catch (error) {
    const { message } = error as Error
    const held = options.devices.devicesOf(probeOf(options.directory, slot).id).map(({ pci }) => pci)
    const found = held.length > 0 ? 'its probe machine still has it' : 'its probe machine fails'
    return { problem: `${found}: ${message.replace(/\.$/, '')}`, is_final: false, devices: held }
  } finally {
    await removeAll(image_file)
  }
}
