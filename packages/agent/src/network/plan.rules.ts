// Which networks a host has to have, from the machines on it: one for each subnet, and one for each machine that is on
// none. Everything else here (links, rules) follows from this plan. Worked out whole each time, so that it does not
// matter what was there before. What comes from the server is checked here: below it becomes commands.

import type { DesiredNetwork } from '@bourse/api/fleet/agent.ts'
import {
  alone,
  type Cidr,
  carrierMac,
  endOfSlot,
  gatewayOf,
  isWithin,
  parseAddress,
  parseCidr,
} from './addresses.rules.ts'

/** What of a machine matters to its network. */
export type NetworkedMachine = { readonly id: string; readonly slot: number; readonly network: DesiredNetwork }

/** How this host takes part. */
export type HostSetup = {
  /** Tells the namespaces of this agent from those of others on the same kernel. */
  readonly tag: string
  /** The address that other hosts and users reach this one at. */
  readonly address: string
  /** The first of the ports that lead to secure shells, one for each slot. */
  readonly first_port: number
  /** Private networks that machines may reach all the same. */
  readonly reachable: readonly string[]
  /** The name servers that machines are told of. */
  readonly nameservers: readonly string[]
}

/** The rules of a firewall as they are desired. */
export type FirewallRules = NonNullable<DesiredNetwork['firewall_rules']>

/** One machine's way into its network. */
export type Port = {
  readonly slot: number
  /** Its device inside of the network's namespace. */
  readonly device: string
  readonly mac: string
  readonly address: string
  /** By which the host knows it: no tenant chooses it, so no two are equal. */
  readonly end: string
  readonly public_ip: string | null
  /** What the firewall lets in; null: it has no public address, so nothing but its secure shell is reached. */
  readonly rules: FirewallRules | null
}

/** One network of this host. */
export type PlannedNetwork = {
  readonly namespace: string
  /** The host's end of the link into it. */
  readonly uplink: string
  readonly cidr: string
  readonly gateway: string
  /** Under which it is carried between hosts; null: it is on this one only. */
  readonly vni: number | null
  readonly mtu: number
  readonly ports: readonly Port[]
  /** Its machines on other hosts. */
  readonly peers: readonly { readonly address: string; readonly host: string; readonly mac: string }[]
}

/** All networks of a host. */
export type NetworkPlan = { readonly setup: HostSetup; readonly networks: readonly PlannedNetwork[] }

/** Where packets of subnets go from host to host. Not VXLAN's usual one: operators have networks of their own there. */
export const carrierPort = 14_789
/** Where the host answers its guests, at its ends of the links. */
export const metadataPort = 14_790
export const dhcpPort = 14_791
/** Every host's ends are named so; 15 characters are the most that Linux takes. */
export const uplinkPrefix = 'bu-'
/** What an underlay of 1,500 bytes leaves of a packet that is carried in another. */
const CARRIED_MTU = 1_450
const USUAL_MTU = 1_500
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/

/** The networks for some machines. They have to be such that {@link refuseNetwork} has nothing against them. */
export function planNetworks(setup: HostSetup, machines: readonly NetworkedMachine[]): NetworkPlan {
  const groups = Map.groupBy(machines, ({ slot, network }) => (network.vni === null ? `m${slot}` : `${network.vni}`))
  const networks = [...groups].map(([key, group]) => planNetwork(setup, key, group))
  return { setup, networks: networks.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1)) }
}

/** Why a machine cannot be given the network that is desired for it; `undefined` where it can. */
export function refuseNetwork(setup: HostSetup, network: DesiredNetwork): string | undefined {
  const { mac, private_ip, vni, cidr, public_ip, firewall_rules, peers } = network
  if (!MAC.test(mac)) return `${mac} is no hardware address.`
  if (vni !== null) {
    const range = parseCidr(cidr ?? '')
    if (!Number.isInteger(vni) || vni < 1 || vni > 16_777_215) return `${vni} is no number of a network.`
    if (!range) return `${cidr} is no network.`
    if (!isAddressIn(private_ip, range)) return `${private_ip} is no address of ${cidr}.`
  }
  if (public_ip !== null && parseAddress(public_ip) === undefined) return `${public_ip} is no address.`
  if (public_ip === setup.address) return `${public_ip} is this host's own address: its machines cannot have it.`
  const bad = peers.find(({ private_ip: of, host_address }) => [of, host_address].some((one) => !isAddress(one)))
  if (bad) return `${bad.private_ip} at ${bad.host_address} is no peer.`
  return (firewall_rules ?? []).map(refuseRule).find((refusal) => refusal !== undefined)
}

function refuseRule({ protocol, port_from, port_to, source_cidr }: FirewallRules[number]): string | undefined {
  if (!parseCidr(source_cidr)) return `${source_cidr} is no network.`
  if (!['tcp', 'udp', 'icmp', 'all'].includes(protocol)) return `${protocol} is no protocol of a rule.`
  const bad = [port_from, port_to].find((port) => port !== undefined && !isPort(port))
  return bad === undefined ? undefined : `${bad} is no port.`
}

function planNetwork(setup: HostSetup, key: string, machines: readonly NetworkedMachine[]): PlannedNetwork {
  const [{ network }] = machines as [NetworkedMachine]
  const { vni } = network
  const carried = vni === null ? undefined : { cidr: network.cidr as string, vni }
  const cidr = carried?.cidr ?? alone.cidr
  return {
    namespace: `bourse-${setup.tag}-${key}`,
    uplink: `${uplinkPrefix}${key}`,
    cidr,
    gateway: carried ? gatewayOf(parseCidr(cidr) as Cidr) : alone.gateway,
    vni,
    mtu: carried ? CARRIED_MTU : USUAL_MTU,
    ports: machines.toSorted((a, b) => a.slot - b.slot).map((machine) => portOf(machine, carried !== undefined)),
    peers: carried ? peersOf(setup, machines) : [],
  }
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
    // A public address without a firewall lets nothing in.
    rules: public_ip === null ? null : (firewall_rules ?? []),
  }
}

/** What every machine of the subnet was told of the others; the newest word is the same for all. */
function peersOf(setup: HostSetup, machines: readonly NetworkedMachine[]): PlannedNetwork['peers'] {
  const here = new Set(machines.map(({ network }) => network.private_ip))
  const there = new Map(machines.flatMap(({ network }) => network.peers).map((peer) => [peer.private_ip, peer]))
  return [...there.values()]
    .filter(({ private_ip, host_address }) => !here.has(private_ip) && host_address !== setup.address)
    .map(({ private_ip, host_address }) => ({
      address: private_ip,
      host: host_address,
      mac: carrierMac(host_address),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

function isAddressIn(text: string | null, range: Cidr): boolean {
  const address = parseAddress(text ?? '')
  return address !== undefined && isWithin(address, range)
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined
}
