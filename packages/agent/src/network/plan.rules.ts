// The networks of a host, from its machines: one for each subnet, and one for each machine without a subnet. Links and
// rules follow from this plan. It is computed completely each time, so the former state does not matter. Input from the
// server is checked here, because it later becomes part of commands.

import type { DesiredNetwork, DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import {
  alone,
  type Cidr,
  carrierMac,
  endOfSlot,
  gatewayOf,
  isHostAddress,
  isWithin,
  parseAddress,
  parseCidr,
} from './addresses.rules.ts'
import { type PlannedTunnel, planTunnel, tunnelMtu } from './tunnel.rules.ts'

/** The network settings of a machine. */
export type NetworkedMachine = {
  readonly id: string
  readonly slot: number
  readonly network: DesiredNetwork
  /** Its InfiniBand adapters. Absent: none. */
  readonly adapters?: readonly { readonly pci: string; readonly guid: string | null }[]
}

/** The network settings of this host. */
export type HostSetup = {
  /** Separates the namespaces of this agent from those of other agents on the same kernel. */
  readonly tag: string
  /** The address at which other hosts and users reach this host. */
  readonly address: string
  /** The first of the SSH ports, one for each slot. */
  readonly first_port: number
  /** Private networks that machines can reach. */
  readonly reachable: readonly string[]
  /** The name servers of machines. */
  readonly nameservers: readonly string[]
  /** The WireGuard device, of which no other network namespace of this kernel has the name. */
  readonly tunnel_device: string
}

type Peer = DesiredNetwork['peers'][number]

/** The rules of a firewall in the desired state. */
export type FirewallRules = NonNullable<DesiredNetwork['firewall_rules']>

/** The port of a machine in its network. */
export type Port = {
  readonly slot: number
  /** Its device inside of the namespace. */
  readonly device: string
  readonly mac: string
  readonly address: string
  /** Its link-local address on the host, unique because customers cannot choose it. */
  readonly end: string
  readonly public_ip: string | null
  /** The firewall rules. Null: it has no public address, so only SSH is reached. */
  readonly rules: FirewallRules | null
}

/** One network of this host. */
export type PlannedNetwork = {
  readonly namespace: string
  /** The link end on the host. */
  readonly uplink: string
  readonly cidr: string
  readonly gateway: string
  /** The VXLAN id that carries it between hosts. Null: it exists only on this host. */
  readonly vni: number | null
  /** The address from which its VXLAN packets are sent. Null: nothing is carried. */
  readonly local: string | null
  /** Whether they go through the tunnel, and through nothing else. */
  readonly is_encrypted: boolean
  readonly mtu: number
  readonly ports: readonly Port[]
  /** Its machines on other hosts. `host` is where VXLAN packets for them are sent. */
  readonly peers: readonly { readonly address: string; readonly host: string; readonly mac: string }[]
}

/** All networks of a host. */
export type NetworkPlan = {
  readonly setup: HostSetup
  readonly networks: readonly PlannedNetwork[]
  /** Null: no network needs the tunnel, or this host has no address in it. */
  readonly tunnel: PlannedTunnel | null
}

/** The VXLAN port. Not the default one, because operators may use that for their own networks. */
export const carrierPort = 14_789
/** The ports of the servers for guests, at the link ends on the host. */
export const metadataPort = 14_790
export const dhcpPort = 14_791
/** The prefix of link ends on the host. Linux allows 15 characters for a name. */
export const uplinkPrefix = 'bu-'
const usualMtu = 1_500
/** What VXLAN adds: the headers of IPv4, UDP, VXLAN and Ethernet. */
const vxlanBytes = 50
const macPattern = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/

/** Plans the networks of machines that {@link refuseNetwork} has accepted. `desired` is the tunnel, if there is one. */
export function planNetworks(
  setup: HostSetup,
  machines: readonly NetworkedMachine[],
  desired: DesiredTunnel | null,
): NetworkPlan {
  const tunnel = desired && planTunnel(setup.tunnel_device, desired)
  const groups = Map.groupBy(machines, ({ slot, network }) => (network.vni === null ? `m${slot}` : `${network.vni}`))
  const networks = [...groups].map(([key, group]) => planNetwork(setup, tunnel, { key, machines: group }))
  return {
    setup,
    networks: networks.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1)),
    tunnel: networks.some(({ is_encrypted, local }) => is_encrypted && local !== null) ? tunnel : null,
  }
}

/** Why the desired network of a machine cannot be used; `undefined` if it can. */
export function refuseNetwork(setup: HostSetup, network: DesiredNetwork): string | undefined {
  const { mac, private_ip, vni, cidr, public_ip, firewall_rules } = network
  if (!macPattern.test(mac)) return `${mac} is not a hardware address.`
  if (vni !== null) {
    const range = parseCidr(cidr ?? '')
    if (!Number.isInteger(vni) || vni < 1 || vni > 16_777_215) return `${vni} is not a network number.`
    if (!range) return `${cidr} is not a network.`
    if (!isAddressIn(private_ip, range)) return `${private_ip} is not an address of ${cidr}.`
  }
  if (public_ip !== null && parseAddress(public_ip) === undefined) return `${public_ip} is not an address.`
  if (public_ip === setup.address) return `${public_ip} is the address of this host. Machines cannot have it.`
  return (firewall_rules ?? []).map(refuseRule).find((refusal) => refusal !== undefined)
}

/**
 * The peers of machines that are left out, because their addresses cannot be used. Other hosts report them, so one of
 * them must not stop the network of this host.
 */
export function listUnusablePeers(machines: readonly NetworkedMachine[]): string[] {
  const bad = machines.flatMap(({ network }) => {
    return network.peers
      .filter((peer) => !isUsable(peer, { cidr: network.cidr, is_encrypted: isEncrypted(network) }))
      .map(({ private_ip, host_address, tunnel_address }) => {
        const lack = isEncrypted(network) && !tunnel_address ? ', which has no tunnel' : ''
        return `${network.vni}: ${private_ip} at ${host_address}${lack}`
      })
  })
  return [...new Set(bad)].toSorted()
}

type PeerPlace = { readonly cidr: string | null; readonly is_encrypted: boolean }

function isUsable(peer: Peer, { cidr, is_encrypted }: PeerPlace): boolean {
  const range = parseCidr(cidr ?? '')
  return range !== undefined && isAddressIn(peer.private_ip, range) && isHostAddress(whereTo(peer, is_encrypted))
}

/** Traffic is encrypted, unless the server says in so many words that it is not. */
function isEncrypted({ traffic }: DesiredNetwork): boolean {
  return traffic !== 'unencrypted'
}

function whereTo({ host_address, tunnel_address }: Peer, is_encrypted: boolean): string {
  return is_encrypted ? (tunnel_address ?? '') : host_address
}

function refuseRule({ protocol, port_from, port_to, source_cidr }: FirewallRules[number]): string | undefined {
  if (!parseCidr(source_cidr)) return `${source_cidr} is not a network.`
  if (!['tcp', 'udp', 'icmp', 'all'].includes(protocol)) return `${protocol} is not a protocol of firewall rules.`
  const bad = [port_from, port_to].find((port) => port !== undefined && !isPort(port))
  return bad === undefined ? undefined : `${bad} is not a port.`
}

type NetworkMembers = { readonly key: string; readonly machines: readonly NetworkedMachine[] }

function planNetwork(setup: HostSetup, tunnel: PlannedTunnel | null, { key, machines }: NetworkMembers) {
  const [{ network }] = machines as [NetworkedMachine]
  const { vni } = network
  // All machines of a subnet get the same answer, but they may have got it at different times.
  const is_encrypted = machines.some((one) => isEncrypted(one.network))
  const local = is_encrypted ? (tunnel?.address ?? null) : setup.address
  const carried = vni === null ? undefined : { cidr: network.cidr as string, vni }
  const cidr = carried?.cidr ?? alone.cidr
  return {
    namespace: `bourse-${setup.tag}-${key}`,
    uplink: `${uplinkPrefix}${key}`,
    cidr,
    gateway: carried ? gatewayOf(parseCidr(cidr) as Cidr) : alone.gateway,
    vni,
    local: carried ? local : null,
    is_encrypted,
    mtu: carried ? (is_encrypted ? tunnelMtu : usualMtu) - vxlanBytes : usualMtu,
    ports: machines.toSorted((a, b) => a.slot - b.slot).map((machine) => portOf(machine, carried !== undefined)),
    peers: carried && local !== null ? peersOf({ local, is_encrypted }, machines) : [],
  } satisfies PlannedNetwork
}

function portOf({ slot, network }: NetworkedMachine, isCarried: boolean): Port {
  const { mac, private_ip, public_ip, firewall_rules } = network
  return {
    slot,
    device: `tap${slot}`,
    mac,
    address: isCarried ? (private_ip as string) : alone.address,
    end: endOfSlot(slot),
    public_ip,
    // Without a firewall a public address accepts nothing.
    rules: public_ip === null ? null : (firewall_rules ?? []),
  }
}

/** The peers of a subnet. All of its machines have the same, newest list. */
function peersOf(
  { local, is_encrypted }: { readonly local: string; readonly is_encrypted: boolean },
  machines: readonly NetworkedMachine[],
): PlannedNetwork['peers'] {
  const here = new Set(machines.map(({ network }) => network.private_ip))
  const usable = machines.flatMap(({ network: { cidr, peers } }) =>
    peers.filter((peer) => isUsable(peer, { cidr, is_encrypted })),
  )
  const there = new Map(usable.map((peer) => [peer.private_ip, peer]))
  return [...there.values()]
    .map((peer) => ({ address: peer.private_ip, host: whereTo(peer, is_encrypted) }))
    .filter(({ address, host }) => !here.has(address) && host !== local)
    .map((peer) => ({ ...peer, mac: carrierMac(peer.host) }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

function isAddressIn(text: string | null, range: Cidr): boolean {
  const address = parseAddress(text ?? '')
  return address !== undefined && isWithin(address, range)
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}
