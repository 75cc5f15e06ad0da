// The agent's own code on a host with an IOMMU and two devices: facts, slots, checks of slots, machines. It runs in the
// outer machine of vfio.test.ts, and writes what happens as lines of JSON.

import { writeFileSync } from 'node:fs'
import { fitOf } from '@bourse/api/fleet/fit.ts'
import { countsOf } from '@bourse/api/fleet/hardware.ts'
import { waitFor } from '../../src/clock.ts'
import { openDeviceTree } from '../../src/devices/device-tree.ts'
import { openHostDevices } from '../../src/devices/host-devices.ts'
import { idsSeen, probeDisk } from '../../src/devices/probe-sector.ts'
import { verifySlot } from '../../src/devices/verify-slot.ts'
import type { MachineSpec } from '../../src/drivers/driver.ts'
import { processOf } from '../../src/drivers/qemu/process.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { readHostHardware } from '../../src/facts/facts.ts'
import { newSpec } from '../support/new-spec.ts'

const say = (what: string, value: unknown) => console.log(`\n${JSON.stringify({ what, value })}`)
const tree = openDeviceTree('/')
const directory = '/state'
const driver = qemuDriver({ directory, allow_tcg: true, host_address: '127.0.0.1' })
const { is_fit, findings } = await driver.probe()
say('probe', is_fit ? 'fit' : findings)

const log = (message: string, fields: object) => say('log', { message, ...fields })
const ownerOf = (slot: number) => driver.ownerOf?.(slot) ?? 0
const devices = await openHostDevices({ directory, tree, ownerOf, log })
const model = { kind: 'drive', name: 'A drive in place of an accelerator', form_factor: null, memory_bytes: null }
const table = new Map(['1b36:0010', '8086:5845'].map((ids) => [ids, model]))
const hardware = await readHostHardware({ directory, table, driver, devices })
const drive = { count: 1, kind: 'drive', form: null }
const needs = {
  vcpus: null,
  memory_bytes: null,
  storage_bytes: null,
  accelerators: drive,
  rdma: null,
  is_simulated: false,
}
const { fits, slots } = fitOf({ ...countsOf(hardware), hardware }, needs, 2)
const assigned = slots.map(({ accelerators }) => accelerators.map(({ pci }) => pci))
say('fit', { fits, assigned, problems: hardware.problems })
const driverOf = (pci: string) => tree.target(`/sys/bus/pci/devices/${pci}/driver`)
const drivers = () => Promise.all(assigned.flat().map(driverOf))
say('drivers before', await drivers())

const image_file = '/state/probe.img'
writeFileSync(image_file, probeDisk())
const machines = assigned.map((own, slot): MachineSpec => {
  const spec = newSpec(directory, image_file)
  return { ...spec, slot, size: { ...spec.size, accelerators: 1, devices: own } }
})

/** Gives a machine its device, starts it, and returns the ids that its guest sees. */
async function run(spec: MachineSpec): Promise<string[] | undefined> {
  await devices.take(spec)
  const own: MachineSpec = { ...spec, firmware: 'bios', devices: devices.devicesOf(spec.id) }
  await driver.prepare(own, null)
  await driver.start(own, new AbortController().signal)
  const look = async () => idsSeen((await driver.console(own, 0, 65_536)).bytes.toString('latin1'))
  return waitFor(look, { every: 500, at_most: 100_000 })
}

const seen = await Promise.all(machines.map(run))
say('seen', seen)
say('drivers of machines', await drivers())
const [first, second] = machines as [MachineSpec, MachineSpec]
const status = await tree.text(`/proc/${await processOf(first)}/status`)
say('user', /^Uid:\s+(\d+)/m.exec(status ?? '')?.[1])
const stolen = { ...second, id: 'inst_third', size: first.size }
say('stolen', await devices.take(stolen).catch((error: { reason: string }) => error.reason))
await driver.stop(first, 0)
await devices.release(first.id)
say('withheld', [...devices.withheld()])
const { slot, size } = first
say('verified', (await verifySlot({ driver, devices, tree, directory }, { slot, size })) ?? 'good')
say('problems', await devices.problems())
await driver.destroy(second)
await devices.release(second.id)
await devices.giveBack()
say('drivers after', await drivers())
driver.close?.()
say(
  'end',
  devices.checks().map(({ is_good }) => is_good),
)
process.exit(0)
