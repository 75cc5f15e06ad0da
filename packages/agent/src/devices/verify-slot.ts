/** Checks the devices of a slot by a machine that lists what it sees, before the slot is offered again. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import { nowSeconds, waitFor } from '../clock.ts'
import type { Driver, MachineSpec } from '../drivers/driver.ts'
import { removeAll } from '../files.ts'
import type { DeviceTree } from './device-tree.ts'
import type { HostDevices } from './host-devices.ts'
import { idsSeen, probeDisk, probeProblem } from './probe-sector.ts'
import { folderOf } from './read-functions.ts'

/** What a check needs. */
export type SlotCheckOptions = {
  readonly driver: Driver
  readonly devices: HostDevices
  readonly tree: DeviceTree
  /** The state directory of the agent. */
  readonly directory: string
}

/** A machine that is run for its console. */
export type ProbeRun<T> = {
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
const checkSeconds = 120
const consoleBytesMax = 262_144
const probeMemory = 128 * 2 ** 20
const every = 250
/** QEMU's own: no traffic leaves a probe machine. */
const network: MachineSpec['network'] = {
  mac: '02:00:00:00:00:01',
  ...{ private_ip: null, subnet: null, vni: null, cidr: null, traffic: 'encrypted', peers: [], public_ip: null },
  ...{ firewall_rules: null, infiniband_partition: null, partition_key: null },
}

/** Runs a machine with the devices of a slot until its console shows a result. Undefined: it does not in time. */
export async function runProbe<T>(
  { driver, devices, directory }: SlotCheckOptions,
  { slot, size, image_file, user_data, read, seconds_max }: ProbeRun<T>,
): Promise<T | undefined> {
  const id = `probe-${slot}`
  const folder = join(directory, 'probes', id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = { id, directory: folder, hostname: id, slot, size, network, image_file }
  try {
    await devices.take({ id, slot, size })
    const spec: MachineSpec = { ...own, firmware: 'bios', devices: devices.devicesOf(id) }
    await driver.prepare(spec, user_data)
    await driver.start(spec, new AbortController().signal)
    const look = async () => read((await driver.console(spec, 0, consoleBytesMax)).bytes.toString('latin1'))
    return await waitFor(look, { every, at_most: seconds_max * 1000 })
  } finally {
    await driver.destroy(own)
    await devices.release(id)
    await removeAll(folder)
  }
}

/**
 * Checks a slot, and records the result. Returns what is wrong; undefined if a machine sees all of its devices and no
 * others.
 */
export async function verifySlot(
  options: SlotCheckOptions,
  { slot, size }: Pick<ProbeRun<unknown>, 'slot' | 'size'>,
): Promise<string | undefined> {
  const image_file = join(options.directory, 'probes', `slot-${slot}.img`)
  await mkdir(join(options.directory, 'probes'), { recursive: true, mode: 0o700 })
  // The user of the slot reads it as the tool does that looks into images.
  await writeFile(image_file, probeDisk(), { mode: 0o444 })
  const small = { ...size, cpu_count: 1, memory_bytes: probeMemory, storage_bytes: null }
  const given = { slot, size: small, image_file, user_data: null, read: idsSeen, seconds_max: checkSeconds }
  const problem = await runProbe(options, given).then(
    async (seen) =>
      seen
        ? probeProblem(seen, await idsOf(options.tree, size.devices ?? []))
        : 'its probe machine shows no devices in time',
    (error: Error) => `its probe machine fails: ${error.message}`,
  )
  await removeAll(image_file)
  const check = { slot, checked_at: nowSeconds(), is_good: problem === undefined }
  await options.devices.noteCheck(check, size.devices ?? [], problem)
  return problem
}

async function idsOf(tree: DeviceTree, devices: readonly string[]): Promise<string[]> {
  return Promise.all(
    devices.map(async (pci) => {
      const [vendor, device] = await Promise.all(
        ['vendor', 'device'].map((name) => tree.text(`${folderOf(pci)}/${name}`)),
      )
      return `${vendor?.slice(2)}:${device?.slice(2)}`
    }),
  )
}
