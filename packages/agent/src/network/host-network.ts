/**
 * The networks of the machines on this host. The members are stored in a file, so that an agent has all of them after a
 * restart and never removes a network that is in use. Changes are applied one after the other.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import type { NetworkAttachment, TerminationNotice } from '../drivers/driver.ts'
import { readIfThere, writeWhole } from '../files.ts'
import { startFailure } from '../problems.ts'
import { parseCidr } from './addresses.rules.ts'
import { applyPlan } from './apply.ts'
import type { MakePort } from './commands.rules.ts'
import type { Lease } from './dhcp.rules.ts'
import { openDhcp } from './dhcp.ts'
import { type HostTunnel, openHostTunnel } from './host-tunnel.ts'
import { openMetadata } from './metadata.ts'
import { changePartition, type PartitionOptions } from './partitions.ts'
import {
  type HostSetup,
  listUnusablePeers,
  type NetworkedMachine,
  type PlannedNetwork,
  type Port,
  planNetworks,
  refuseNetwork,
} from './plan.rules.ts'
import { listUnusableTunnels } from './tunnel.rules.ts'
import type { TunnelKind } from './tunnel.ts'

/** The options of the networks. */
export type NetworkOptions = PartitionOptions & {
  /** The state directory of the agent. */
  readonly directory: string
  readonly setup: HostSetup
  readonly makePort: MakePort
  /** How this host encrypts; undefined if it cannot. */
  readonly tunnel_kind: TunnelKind | undefined
  /** Records what could not be done and is not the answer to a call. */
  readonly log: (message: string, fields: object) => void
}

/** The network attachment of a machine. */
type PortPlacement = { readonly network: PlannedNetwork; readonly port: Port }

/** The networks of a host. */
export type HostNetwork = {
  /** Attaches a machine, or changes its network. Resolves when its rules apply. Throws a `StartFailure`. */
  attach(machine: NetworkedMachine): Promise<PortPlacement>
  /** The device of an attached machine; undefined if it is not attached. */
  attachmentOf(id: string): NetworkAttachment | undefined
  /** The address and port at which users reach SSH of an attached machine. */
  sshEndpointOf(id: string): { readonly hostname: string; readonly port: number } | undefined
  /** Detaches a machine. Resolves when nothing of it is left, also if it was not attached. */
  release(id: string): Promise<void>
  /** The peers on other hosts that are left out, because their addresses or tunnels cannot be used. */
  unusablePeers(): readonly string[]
  /** Whether this host can encrypt traffic to other hosts. */
  readonly encrypts: boolean
  /** Sets the tunnel of this host, and applies it. */
  setTunnel(tunnel: DesiredTunnel | null): Promise<void>
  /** Takes up the current key of the tunnel, after it has changed. */
  rekey(): Promise<void>
  /** Makes the tunnel again if it is gone, and follows peers that have changed their keys. Call it each second. */
  watchTunnel(): Promise<void>
  /** Why the tunnel could not be made; undefined if it could. */
  tunnelProblem(): string | undefined
  /** Why the last machine with an InfiniBand partition could not join it; undefined if it could. */
  partitionProblem(): string | undefined
  /** Sets the termination notice that the guest can read. */
  setNotice(id: string, notice: TerminationNotice | null): Promise<void>
  /** Restores the filter of the host, which other programs may have replaced. */
  repair(): Promise<void>
  /** Restores all networks, as after a restart of the host. */
  restore(): Promise<void>
  /** Ends the servers in this process. The networks stay. */
  close(): Promise<void>
}

type Member = { readonly machine: NetworkedMachine; readonly notice: TerminationNotice | null }
type Members = ReadonlyMap<string, Member>
type NetworkState = {
  readonly options: NetworkOptions
  members: Members
  services: AsyncDisposableStack | undefined
  /** The machines whose partitions this process has set. */
  readonly joined: Set<string>
  partition_problem: string | undefined
  /** Each network as last applied, by namespace. Networks that differ are applied again. */
  made: ReadonlyMap<string, PlannedNetwork>
  readonly tunnel: HostTunnel
  /** The tunnel as the server describes it. Stored, so that it is there again before the server is. */
  desired: DesiredTunnel | null
}

const membersFile = 'network.json'
const tunnelFile = 'tunnel.json'
const shellPort = 22

/** Opens the networks of a host, with the machines that were attached before. */
export async function openHostNetwork(options: NetworkOptions): Promise<HostNetwork> {
  const { directory, setup, tunnel_kind: kind } = options
  const [known, tunnel] = await Promise.all([membersFile, tunnelFile].map((name) => readIfThere(join(directory, name))))
  const members = new Map(
    (known === undefined ? [] : (JSON.parse(known) as Member[])).map((serial) => [serial.machine.id, serial]),
  )
  const state: NetworkState = {
    options,
    members,
    services: undefined,
    joined: new Set(),
    partition_problem: undefined,
    made: new Map(),
    tunnel: openHostTunnel({ directory, device: setup.tunnel_device, kind }),
    desired: tunnel === undefined ? null : (JSON.parse(tunnel) as DesiredTunnel | null),
  }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
  return {
    attach: (machine) => inTurn(() => attach(state, machine)),
    attachmentOf: (id) => attachmentOf(state, id),
    sshEndpointOf: (id) => sshEndpointOf(state, id),
    unusablePeers: () => [...listUnusablePeers(machinesOf(state.members)), ...listUnusableTunnels(state.desired)],
    encrypts: kind !== undefined,
    setTunnel: (desired) => inTurn(() => setTunnel(state, desired)),
    rekey: () => inTurn(() => reapply(state)),
    watchTunnel: () => inTurn(() => state.tunnel.watch()),
    tunnelProblem: () => state.tunnel.problem(),
    partitionProblem: () => state.partition_problem,
    release: (id) => inTurn(() => release(state, id)),
    setNotice: (id, notice) =>
      inTurn(async () => {
        const member = state.members.get(id)
        if (member) await keep(state, new Map(state.members).set(id, { ...member, notice }))
      }),
    repair: () => inTurn(() => reapply(state)),
    restore: () =>
      inTurn(() => {
        state.made = new Map()
        state.tunnel.invalidate()
        return carryOut(state)
      }),
    close: () =>
      inTurn(async () => {
        await state.services?.disposeAsync()
        state.services = undefined
      }),
  }
}

async function setTunnel(state: NetworkState, desired: DesiredTunnel | null): Promise<void> {
  if (isDeepStrictEqual(desired, state.desired)) return
  await writeWhole(join(state.options.directory, tunnelFile), JSON.stringify(desired))
  state.desired = desired
  if (state.members.size > 0) await carryOut(state)
}

/** Applies the filter of the host and the tunnel again, which other programs may have changed. */
async function reapply(state: NetworkState): Promise<void> {
  if (state.members.size === 0) return
  state.tunnel.invalidate()
  await carryOut(state)
}

function machinesOf(members: Members): NetworkedMachine[] {
  return [...members.values()].map(({ machine }) => machine)
}

async function attach(state: NetworkState, machine: NetworkedMachine): Promise<PortPlacement> {
  const refusal = refuseNetwork(state.options.setup, machine.network)
  if (refusal !== undefined) throw startFailure('network_refused', refusal)
  // The device of the former machine of the slot is not reused.
  for (const { machine: other } of [...state.members.values()]) {
    if (other.slot === machine.slot && other.id !== machine.id) await release(state, other.id)
  }
  const before = state.members
  const known = before.get(machine.id)
  // Stored first, so that after a restart the agent has a record of everything that is created below.
  await keep(state, new Map(before).set(machine.id, { machine, notice: known?.notice ?? null }))
  try {
    await joinPartition(state, machine)
    await carryOut(state).catch(({ message }: Error) => {
      throw startFailure('network_failed', `The network of the machine could not be created: ${message}`)
    })
  } catch (error) {
    // A machine that cannot be attached must not block the others.
    const logLeftover = (err: unknown) =>
      state.options.log('A machine could not be attached, and not all of its network could be removed again.', {
        instance: machine.id,
        problem: (err as Error).message,
      })
    if (!known && state.joined.has(machine.id)) await leavePartition(state, machine).catch(logLeftover)
    await keep(state, before)
    await carryOut(state).catch(logLeftover)
    throw error
  }
  return placeOf(state, machine)
}

/** Sets the partition of a machine once. Repeating it after a restart of the agent is harmless. */
async function joinPartition(state: NetworkState, machine: NetworkedMachine): Promise<void> {
  const { options, joined } = state
  if (joined.has(machine.id)) return
  await changePartition(options, 'join', machine).catch((error: Error) => {
    state.partition_problem = error.message
    throw error
  })
  if (machine.network.partition_key !== null) state.partition_problem = undefined
  joined.add(machine.id)
}

async function leavePartition({ options, joined }: NetworkState, machine: NetworkedMachine): Promise<void> {
  await changePartition(options, 'leave', machine)
  joined.delete(machine.id)
}

function attachmentOf(state: NetworkState, id: string): NetworkAttachment | undefined {
  const member = state.members.get(id)
  if (!member) return undefined
  const { network, port } = placeOf(state, member.machine)
  return { namespace: network.namespace, device: port.device, address: port.end, port: shellPort }
}

/** A machine with a public address is reached there, if its firewall allows it; others at the port of their slot. */
function sshEndpointOf(
  { options: { setup }, members }: NetworkState,
  id: string,
): ReturnType<HostNetwork['sshEndpointOf']> {
  const member = members.get(id)
  if (!member) return undefined
  const { slot, network } = member.machine
  if (network.public_ip !== null) return { hostname: network.public_ip, port: shellPort }
  return { hostname: setup.address, port: setup.first_port + slot }
}

/** The planned port of a member. */
function placeOf({ options, members, desired }: NetworkState, { id, slot }: NetworkedMachine): PortPlacement {
  const { networks } = planNetworks(options.setup, machinesOf(members), desired)
  for (const network of networks) {
    const port = network.ports.find((one) => one.slot === slot)
    if (port) return { network, port }
  }
  throw new Error(`No network is planned for ${id}.`)
}

async function release(state: NetworkState, id: string): Promise<void> {
  const member = state.members.get(id)
  if (!member) return
  await leavePartition(state, member.machine)
  const rest = [...state.members.values()].filter(({ machine }) => machine.id !== id)
  // Removed from the members last, so that a failed removal is retried.
  await carryOut(state, byId(rest))
  await keep(state, byId(rest))
}

async function carryOut(state: NetworkState, members: Members = state.members): Promise<void> {
  const { setup, makePort } = state.options
  const plan = planNetworks(setup, machinesOf(members), state.desired)
  const { made } = state
  const changed = plan.networks.filter((network) => !isDeepStrictEqual(network, made.get(network.namespace)))
  state.made = new Map()
  await applyPlan(plan, { changed, makePort, applyTunnel: () => state.tunnel.apply(plan.tunnel) })
  state.made = new Map(plan.networks.map((network) => [network.namespace, network]))
  if (plan.networks.length > 0) state.services ??= await openServices(state)
}

/** The DHCP and metadata servers. They listen at the link ends, so they start with the first network. */
async function openServices(state: NetworkState): Promise<AsyncDisposableStack> {
  await using opened = new AsyncDisposableStack()
  const memberAt = (slot: number) => [...state.members.values()].find(({ machine }) => machine.slot === slot)
  opened.use(await openMetadata((slot) => memberAt(slot)?.notice))
  opened.use(
    await openDhcp((slot) => {
      const member = memberAt(slot)
      return member && leaseOf(state.options.setup, placeOf(state, member.machine))
    }),
  )
  return opened.move()
}

function leaseOf({ nameservers }: HostSetup, { network, port }: PortPlacement): Lease {
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

async function keep(state: NetworkState, members: Members): Promise<void> {
  await writeWhole(join(state.options.directory, membersFile), JSON.stringify([...members.values()]))
  state.members = members
}

function byId(members: readonly Member[]): Members {
  return new Map(members.map((member) => [member.machine.id, member]))
}
