import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineSpec } from '../../src/drivers/driver.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { makeTap } from '../../src/network/commands.rules.ts'
import { openHostNetwork } from '../../src/network/host-network.ts'
import type { NetworkedMachine } from '../../src/network/plan.rules.ts'
import { answerLines } from './conversation.ts'
import { setupOf } from './setup.ts'

// One host with real machines behind real taps, as its agent would hold them.

const [run = '', name = '', address = '', directory = ''] = process.argv.slice(2)
const driver = qemuDriver({ directory, allow_tcg: true, host_address: address })
const makePort = makeTap(driver.ownerOf as (slot: number) => number)
const network = await openHostNetwork({ directory, setup: setupOf(run, name, address), makePort })
const specs = new Map<string, MachineSpec>()

/** Starts a machine; `user_data` is a script. */
async function start(machine: NetworkedMachine, image_file: string, user_data: string): Promise<void> {
  const { id, slot } = machine
  await network.attach(machine)
  const folder = join(directory, 'machines', id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const size = { cpu_count: 1, memory_bytes: 2 ** 27, storage_bytes: null }
  const spec: MachineSpec = {
    ...{ id, slot, hostname: id, size, image_file, directory: folder },
    ...{ network: machine.network, wiring: network.wiringOf(id) },
  }
  specs.set(id, spec)
  await driver.prepare(spec, Buffer.from(user_data))
  await driver.start(spec, new AbortController().signal)
}

const specOf = (id: string) => specs.get(id) as MachineSpec

await answerLines({
  probe: () => driver.probe(),
  start,
  tell: (id, notice) => network.tell(id, notice),
  keys: async (id) => (await driver.endpoints(specOf(id)))?.host_keys ?? null,
  shell: (id) => network.shellOf(id),
  console: async (id) => String(await driver.console(specOf(id), 0, 2 ** 20)),
  end: async (id) => {
    await driver.destroy(specOf(id))
    await network.release(id)
    specs.delete(id)
  },
})
for (const spec of specs.values()) await driver.destroy(spec)
await network.close()
