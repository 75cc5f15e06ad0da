import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually, limitSeconds } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { startTestServer } from '../../../server/test/support/server.ts'
import { areCleared, holdProbes, markDevice, type Pci } from '../support/marked-devices.ts'
import { agentLine, type OuterMachine, startOuterMachine } from '../support/outer-machine.ts'
import { missingTools } from '../support/tiny-image.ts'
import { type BoughtMachine, type DeviceMarket, openDeviceMarket } from './device-market.ts'

const skip = await missingTools()
/** Everything is emulated twice: 50 to 75 seconds alone, more where QEMU cannot go before other tests. */
const secondsMax = limitSeconds(100)
/** Most of that may be one wait. */
const soon = { usual_seconds: 50, every_milliseconds: 250 }

/** The devices of the outer machine, in the order of its slots. They take the place of accelerators. */
const devices = { '0000:01:00.0': '1b36:0010', '0000:02:00.0': '8086:5845' } as const
const slots = Object.keys(devices) as (keyof typeof devices)[]
const state = '/state/agent'

test(
  'an agent gives each customer the device of a slot through VFIO, and takes it back reset',
  leftOut(skip),
  async () => {
    const server = await startTestServer()
    const agent = Buffer.from(await (await fetch(`${server.url}/agent/v1/bundle.tgz`)).arrayBuffer())
    const booting = startOuterMachine({ port: Number(new URL(server.url).port), seconds_max: secondsMax, agent })
    const market = await openDeviceMarket(server, soon)
    const outer = await booting
    try {
      await sellAndTakeBack(outer, server.url, market)
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${outer.said()}`, { cause: error })
    }
  },
)

async function sellAndTakeBack(outer: OuterMachine, server: string, market: DeviceMarket): Promise<void> {
  assert.deepEqual(await driversOf(outer), ['nvme', 'nvme'])
  await runAgent(outer, server, market.permit)
  const host = await market.enrolled()
  await market.sell(host)
  const machines = await Promise.all(market.customers.map((customer) => customer.launch()))
  await seeTheirOwn(outer, machines)
  await Promise.all(machines.map((machine) => kill(outer, machine)))
  await handBack(outer, machines)
  await market.isFree(host)
  const { checks, blocked } = JSON.parse(await outer.run(`cat /root${state}/devices.json`))
  const results = checks.map(({ slot, is_good }: { slot: number; is_good: boolean }) => [slot, is_good]).sort()
  assert.deepEqual(
    [results, blocked],
    [
      [
        [0, true],
        [1, true],
      ],
      [],
    ],
  )
  await market.retire(host)
  const isBack = async () => (await driversOf(outer)).join() === 'nvme,nvme'
  await eventually('the devices are back with their driver', isBack, soon)
}

/** Enrols the host, and runs its machines. */
async function runAgent(outer: OuterMachine, server: string, permit: string): Promise<void> {
  const models = Object.values(devices).map((pci_id) => ({ pci_id, kind: 'drive', name: 'A drive for tests' }))
  await outer.run(`echo '${JSON.stringify(models)}' > /root/state/models.json; echo ${permit} > /root/state/permit`)
  const setup = [
    '--directory',
    state,
    '--accelerators-file',
    '/state/models.json',
    '--network',
    'ssh_only',
    '--allow-tcg',
    '--host-address',
    '127.0.0.1',
  ]
  const enrol = ['agent', 'enrol', ...setup, '--server', server, '--token-file', '/state/permit']
  const run = ['agent', 'run', ...setup, '--verify-slots']
  await outer.run(`${agentLine(enrol, run)} > /dev/ttyS0 2>&1 &`)
}

/** Each guest sees the device that its instance names, and not the other. */
async function seeTheirOwn(outer: OuterMachine, machines: readonly BoughtMachine[]): Promise<void> {
  for (const machine of machines) await machine.is('running')
  const consoles = await Promise.all(machines.map((machine) => machine.idsOnConsole()))
  const given = await Promise.all(machines.map(async (machine) => (await machine.read()).hardware.accelerators))
  const addresses = given.flat().map(({ pci }) => pci as keyof typeof devices)
  assert.deepEqual([...addresses].sort(), slots)
  const seen = consoles.map((ids) => Object.values(devices).filter((one) => ids.includes(one)))
  const own = addresses.map((pci) => [devices[pci]])
  assert.deepEqual(seen, own)
  assert.deepEqual(await driversOf(outer), ['vfio-pci', 'vfio-pci'])
}

/** Ends the process of a machine, as a fault would. The kernel then closes its device. */
async function kill(outer: OuterMachine, machine: BoughtMachine): Promise<void> {
  const pid = (await outer.run(`cat /root${state}/machines/${machine.id}/qemu.pid`)).split(' ')[0]?.trim()
  assert.match(await outer.run(`grep ^Uid: /proc/${pid}/status`), /^Uid:(\s+5900[01]){4}$/m)
  await outer.run(`kill -9 ${pid}`)
  const isGone = async () => (await outer.run(`if [ -e /proc/${pid} ]; then echo there; fi`)) === ''
  await eventually(`the process of ${machine.id} has ended`, isGone, soon)
  await machine.is('failed')
}

/**
 * The agent resets devices when their machines have been terminated, before anyone else gets them. Until then nobody
 * has them open, so they keep their marks.
 */
async function handBack(outer: OuterMachine, machines: readonly BoughtMachine[]): Promise<void> {
  const marked = await Promise.all(slots.map((pci) => markDevice(outer, pci)))
  const letGo = await holdProbes(outer, `/root${state}/probes`, slots.length)
  await Promise.all(machines.map((machine) => machine.terminate()))
  await eventually('both devices are reset', () => areCleared(outer, marked), soon)
  await letGo()
}

async function driversOf(outer: OuterMachine): Promise<string[]> {
  const links = slots.map((pci: Pci) => `/sys/bus/pci/devices/${pci}/driver`)
  const output = await outer.run(`for link in ${links.join(' ')}; do basename "$(readlink $link || echo none)"; done`)
  return output.trim().split('\n')
}
