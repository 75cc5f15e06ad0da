/**
 * The networks of this host's machines: who is in them, kept in a file, so that an agent that comes back still knows
 * all of them and never takes away what a machine stands on. Changes are carried out one after the other.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { TerminationNotice, Wiring } from '../drivers/driver.ts'
import { readIfThere, writeWhole } from '../files.ts'
import { startFailure } from '../problems.ts'
import { parseCidr } from './addresses.rules.ts'
import { applyPlan } from './apply.ts'
import type { MakePort } from './commands.rules.ts'
import type { Lease } from './dhcp.rules.ts'
import { openDhcp } from './dhcp.ts'
import { openMetadata } from './metadata.ts'
import { changePartition } from './partitions.ts'
import {
  type HostSetup,
  type NetworkedMachine,
  type PlannedNetwork,
  type Port,
  planNetworks,
  refuseNetwork,
} from './plan.rules.ts'

/** How the networks are set up. */
export type NetworkWish = {
  /** Where the agent keeps its state. */
  readonly directory: string
  readonly setup: HostSetup
  /** What is told of machines that join or leave an InfiniBand partition. */
  readonly partition_command?: string | undefined
  readonly makePort: MakePort
}

/** Where a machine's network card is to be put. */
export type Attachment = { readonly network: PlannedNetwork; readonly port: Port }

/** The networks of a host. */
export type HostNetwork = {
  /** Gives a machine its network, or changes it; done when its rules hold. Throws a `StartFailure`. */
  attach(machine: NetworkedMachine): Promise<Attachment>
  /** The device of a machine that is in one; undefined: it is in none. */
  wiringOf(id: string): Wiring | undefined
  /** Under which address and port users reach the secure shell of a machine that is in a network. */
  shellOf(id: string): { readonly hostname: string; readonly port: number } | undefined
  /** Takes a machine off; done when nothing of it is left. One that is not there is off already. */
  release(id: string): Promise<void>
  /** What the guest may read of its end. */
  tell(id: string, notice: TerminationNotice | null): Promise<void>
  /** Puts back what somebody may have taken away of the host's own part, as whoever loads a filter of theirs does. */
  mend(): Promise<void>
  /** Brings everything to what is known, as after a restart of the host. */
  restore(): Promise<void>
  /** Ends what runs in this process; the networks stay. */
  close(): Promise<void>
}

type Member = { readonly machine: NetworkedMachine; readonly notice: TerminationNotice | null }
type Members = ReadonlyMap<string, Member>
type Household = {
  readonly wish: NetworkWish
  members: Members
  services: AsyncDisposableStack | undefined
  /** The machines that this process has put into their partitions. */
  readonly joined: Set<string>
  /** Each network as it was made last, by its namespace; what is not known to be so is made again. */
  made: ReadonlyMap<string, PlannedNetwork>
}

const membersFile = 'network.json'
const shellPort = 22

/** Opens the networks of a host, with the machines that were in them before. */
export async function openHostNetwork(wish: NetworkWish): Promise<HostNetwork> {
  const known = await readIfThere(join(wish.directory, membersFile))
  const members = new Map(
    (known === undefined ? [] : (JSON.parse(known) as Member[])).map((one) => [one.machine.id, one]),
  )
  const household: Household = { wish, members, services: undefined, joined: new Set(), made: new Map() }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
  return {
    attach: (machine) => inTurn(() => attach(household, machine)),
    wiringOf: (id) => wiringOf(household, id),
    shellOf: (id) => shellOf(household, id),
    release: (id) => inTurn(() => release(household, id)),
    tell: (id, notice) =>
      inTurn(async () => {
        const member = household.members.get(id)
        if (member) await keep(household, new Map(household.members).set(id, { ...member, notice }))
      }),
    mend: () => inTurn(() => (household.members.size === 0 ? Promise.resolve() : carryOut(household))),
    restore: () =>
      inTurn(() => {
        household.made = new Map()
        return carryOut(household)
      }),
    close: () =>
      inTurn(async () => {
        await household.services?.disposeAsync()
        household.services = undefined
      }),
  }
}

async function attach(household: Household, machine: NetworkedMachine): Promise<Attachment> {
  const refusal = refuseNetwork(household.wish.setup, machine.network)
  if (refusal !== undefined) throw startFailure('network_refused', refusal)
  // What the slot's last machine stood on is not handed on.
  for (const { machine: other } of [...household.members.values()]) {
    if (other.slot === machine.slot && other.id !== machine.id) await release(household, other.id)
  }
  const before = household.members
  const known = before.get(machine.id)
  // Written first: whatever is made below is known to the next agent too.
  await keep(household, new Map(before).set(machine.id, { machine, notice: known?.notice ?? null }))
  try {
    await joinPartition(household, machine)
    await carryOut(household).catch(({ message }: Error) => {
      throw startFailure('network_failed', `The network of the machine could not be made: ${message}`)
    })
  } catch (error) {
    // One machine that cannot be connected must not keep the others from it.
    if (!known && household.joined.has(machine.id)) await leavePartition(household, machine).catch(() => {})
    await keep(household, before)
    await carryOut(household).catch(() => {})
    throw error
  }
  return placeOf(household, machine)
}

/** Once is enough for a machine that stays, and once more after a restart of the agent does no harm. */
async function joinPartition({ wish, joined }: Household, machine: NetworkedMachine): Promise<void> {
  if (joined.has(machine.id)) return
  await changePartition(wish.partition_command, 'join', machine)
  joined.add(machine.id)
}

async function leavePartition({ wish, joined }: Household, machine: NetworkedMachine): Promise<void> {
  await changePartition(wish.partition_command, 'leave', machine)
  joined.delete(machine.id)
}

function wiringOf(household: Household, id: string): Wiring | undefined {
  const member = household.members.get(id)
  if (!member) return undefined
  const { network, port } = placeOf(household, member.machine)
  return { namespace: network.namespace, device: port.device, address: port.end, port: shellPort }
}

/** A public address is reached as itself, as far as its firewall says so; others by the host's port for their slot. */
function shellOf({ wish: { setup }, members }: Household, id: string): ReturnType<HostNetwork['shellOf']> {
  const member = members.get(id)
  if (!member) return undefined
  const { slot, network } = member.machine
  if (network.public_ip !== null) return { hostname: network.public_ip, port: shellPort }
  return { hostname: setup.address, port: setup.first_port + slot }
}

/** Where a machine that is a member has its place. */
function placeOf({ wish, members }: Household, { id, slot }: NetworkedMachine): Attachment {
  const { networks } = planNetworks(
    wish.setup,
    [...members.values()].map(({ machine }) => machine),
  )
  for (const network of networks) {
    const port = network.ports.find((one) => one.slot === slot)
    if (port) return { network, port }
  }
  throw new Error(`No network is planned for ${id}.`)
}

async function release(household: Household, id: string): Promise<void> {
  const member = household.members.get(id)
  if (!member) return
  await leavePartition(household, member.machine)
  const rest = [...household.members.values()].filter(({ machine }) => machine.id !== id)
  // Forgotten last: what could not be taken away is tried again.
  await carryOut(household, byId(rest))
  await keep(household, byId(rest))
}

async function carryOut(household: Household, members: Members = household.members): Promise<void> {
  const { setup, makePort } = household.wish
  const plan = planNetworks(
    setup,
    [...members.values()].map(({ machine }) => machine),
  )
  const { made } = household
  const due = plan.networks.filter((network) => !isDeepStrictEqual(network, made.get(network.namespace)))
  household.made = new Map()
  await applyPlan(plan, { due, makePort })
  household.made = new Map(plan.networks.map((network) => [network.namespace, network]))
  if (plan.networks.length > 0) household.services ??= await openServices(household)
}

/** What answers guests. It listens at the host's ends, so it is there once a network is. */
async function openServices(household: Household): Promise<AsyncDisposableStack> {
  await using opened = new AsyncDisposableStack()
  const memberAt = (slot: number) => [...household.members.values()].find(({ machine }) => machine.slot === slot)
  opened.use(await openMetadata((slot) => memberAt(slot)?.notice))
  opened.use(
    await openDhcp((slot) => {
      const member = memberAt(slot)
      return member && leaseOf(household.wish.setup, placeOf(household, member.machine))
    }),
  )
  return opened.move()
}

function leaseOf({ nameservers }: HostSetup, { network, port }: Attachment): Lease {
  const { cidr, gateway, mtu } = network
  return {
    gateway,
    mtu,
    nameservers,
    prefix: parseCidr(cidr)?.prefix ?? 0,
    address: port.address,
    mac: port.mac,
  }
}

async function keep(household: Household, members: Members): Promise<void> {
  await writeWhole(join(household.wish.directory, membersFile), JSON.stringify([...members.values()]))
  household.members = members
}

function byId(members: readonly Member[]): Members {
  return new Map(members.map((member) => [member.machine.id, member]))
}
