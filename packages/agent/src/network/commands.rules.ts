// The commands that change the existing networks into the planned ones. Each object (an address, a route, …) is an
// entry with the line that adds it and the line that removes it. Missing entries are added and surplus ones removed, so
// a second run has nothing to do.

import { carrierMac, hostEnd, metadataAddress } from './addresses.rules.ts'
import { carrierPort, type NetworkPlan, type PlannedNetwork, type Port, uplinkPrefix } from './plan.rules.ts'

/** One command, with its input, inside of a namespace if one is given. */
export type NetworkCommand = {
  readonly program: 'ip' | 'bridge' | 'nft' | 'nsenter' | 'sysctl' | 'sh' | 'wg' | 'wireguard-go'
  readonly namespace: string | null
  readonly words: readonly string[]
  readonly input: string | null
}

/** Entries by key. The value is the line that adds the entry. */
type TableEntries = ReadonlyMap<string, string>

/** The existing networks, as the tools print them. */
export type PresentState = {
  readonly namespaces: readonly string[]
  /** The link ends on the host, with their addresses. */
  readonly uplinks: readonly PresentLink[]
  readonly uplink_routes: readonly PresentRoute[]
}

/** The existing objects inside of one namespace. */
export type PresentNetwork = {
  readonly links: readonly PresentLink[]
  readonly routes: readonly PresentRoute[]
  readonly neighbours: readonly {
    readonly dst: string
    readonly dev: string
    readonly lladdr?: string
    readonly state: readonly string[]
  }[]
  readonly forwards: readonly { readonly mac: string; readonly ifname: string; readonly dst?: string }[]
}

type PresentLink = {
  readonly ifname: string
  readonly addr_info: readonly { readonly family?: string; readonly local?: string; readonly prefixlen?: number }[]
  readonly linkinfo?: { readonly info_data?: { readonly local?: string; readonly id?: number } }
}
type PresentRoute = { readonly dst: string; readonly dev?: string; readonly gateway?: string; readonly type?: string }

/** The type of the device of a port. Only ports without a machine have another type. */
export type MakePort = (network: PlannedNetwork, port: Port) => NetworkCommand

/** Creates the tap device of a machine, owned by the user of its slot. */
export function makeTap(ownerOf: (slot: number) => number): MakePort {
  return ({ namespace }, { device, slot }) =>
    ip(namespace, ['tuntap', 'add', 'dev', device, 'mode', 'tap', 'user', `${ownerOf(slot)}`])
}

/**
 * Removes networks that are no longer planned. Link ends are removed first, because with the namespace it takes longer.
 */
export function removeNetworks({ setup, networks }: NetworkPlan, present: PresentState): NetworkCommand[] {
  const planned = new Set(networks.map(({ namespace }) => namespace))
  const own = `bourse-${setup.tag}-`
  const gone = present.namespaces.filter((name) => name.startsWith(own) && !planned.has(name))
  const uplinks = new Set(networks.map(({ uplink }) => uplink))
  const ends = present.uplinks.filter(({ ifname }) => ifname.startsWith(uplinkPrefix) && !uplinks.has(ifname))
  return [
    ...ends.map(({ ifname }) => ip(null, ['link', 'del', ifname])),
    ...gone.map((name) => ip(null, ['netns', 'del', name])),
  ]
}

/** Creates the namespace of a network. Its filter is loaded before any link exists. */
export function makeNamespace({ namespace }: PlannedNetwork): NetworkCommand[] {
  const settings = [
    'net.ipv4.ip_forward=1',
    'net.ipv4.conf.all.rp_filter=1',
    // The default for links that are created later: proxy ARP, so that guests see their subnet as one segment.
    'net.ipv4.conf.default.proxy_arp=1',
    'net.ipv6.conf.all.disable_ipv6=1',
    'net.ipv6.conf.default.disable_ipv6=1',
  ]
  return [
    ip(null, ['netns', 'add', namespace]),
    { program: 'sysctl', namespace, words: ['-q', '-w', ...settings], input: null },
  ]
}

/** The links of a network: to the host, to other hosts and to machines. Unused links are removed. */
export function changeLinks(
  network: PlannedNetwork,
  { uplinks, links, makePort }: { uplinks: PresentState['uplinks']; links: readonly PresentLink[]; makePort: MakePort },
): NetworkCommand[] {
  const { namespace, uplink, vni, local, mtu, ports } = network
  const there = new Map(links.map((link) => [link.ifname, link]))
  const devices = new Set(ports.map(({ device }) => device))
  const isLinked = uplinks.some(({ ifname }) => ifname === uplink) && there.has('up0')
  const carrier = there.get('vx0')
  const isCarried = local !== null && carrier?.linkinfo?.info_data?.local === local
  const commands = [...there.keys()]
    .filter((name) => name.startsWith('tap') && !devices.has(name))
    .map((name) => ip(namespace, ['link', 'del', name]))
  if (!isLinked) {
    if (there.has('up0')) commands.push(ip(namespace, ['link', 'del', 'up0']))
    commands.push(ip(null, ['link', 'add', uplink, 'type', 'veth', 'peer', 'name', 'up0', 'netns', namespace]))
    commands.push(ip(null, ['link', 'set', uplink, 'up']), ip(namespace, ['link', 'set', 'up0', 'up']))
    commands.push(ip(namespace, ['link', 'set', 'lo', 'up']))
  }
  if (carrier && !isCarried) commands.push(ip(namespace, ['link', 'del', 'vx0']))
  if (vni !== null && local !== null && !isCarried) {
    // Created on the host and then moved inside, so that its traffic uses the network of the host.
    const carry = ['id', `${vni}`, 'local', local, 'dstport', `${carrierPort}`, 'nolearning']
    commands.push(ip(null, ['link', 'add', 'vx0', 'netns', namespace, 'type', 'vxlan', ...carry]))
    const address = carrierMac(local)
    commands.push(ip(namespace, ['link', 'set', 'vx0', 'address', address, 'mtu', `${mtu}`, 'up']))
  }
  for (const port of ports.filter(({ device }) => !there.has(device))) {
    commands.push(makePort(network, port))
    commands.push(ip(namespace, ['link', 'set', port.device, 'mtu', `${mtu}`, 'up']))
    // Otherwise the kernel delays proxy ARP replies by up to 0.8 s.
    const words = ['-q', '-w', `net.ipv4.neigh.${port.device}.proxy_delay=0`]
    commands.push({ program: 'sysctl', namespace, words, input: null })
  }
  return commands
}

/** The addresses and routes of the link ends on the host. */
export function changeUplinks({ networks }: NetworkPlan, { uplinks, uplink_routes }: PresentState): NetworkCommand[] {
  const planned = networks.flatMap(({ uplink, ports }) => [
    address(hostEnd, uplink),
    ...ports.flatMap(({ public_ip }) => (public_ip === null ? [] : [address(public_ip, uplink)])),
    ...ports.map(({ end }) => entry('route', `${end} dev ${uplink} src ${hostEnd}`)),
  ])
  const present = [
    ...uplinks.filter(({ ifname }) => ifname.startsWith(uplinkPrefix)).flatMap(addressesOf),
    ...uplink_routes
      .filter(({ dev }) => dev?.startsWith(uplinkPrefix))
      .map(({ dst, dev }) => entry('route', `${dst} dev ${dev} src ${hostEnd}`)),
  ]
  return batch('ip', null, differences(new Map(planned), new Map(present)))
}

/** The addresses, routes and neighbours inside of a network. */
export function changeAddresses(network: PlannedNetwork, present: PresentNetwork): NetworkCommand[] {
  const { namespace, cidr, gateway, ports, peers } = network
  const planned = [
    ...[gateway, metadataAddress].map((one) => address(one, 'lo')),
    ...ports.map(({ end }) => address(end, 'up0')),
    entry('route', `${hostEnd} dev up0`),
    entry('route', `default via ${hostEnd} dev up0`),
    // Addresses of the subnet that no machine has get no answer.
    entry('route', `unreachable ${cidr}`),
    ...ports.map(({ address: of, device }) => entry('route', `${of} dev ${device}`)),
    ...peers.map(({ address: of }) => entry('route', `${of} dev vx0`)),
    ...ports.map(({ address: of, mac, device }) => neighbour(of, mac, device)),
    ...peers.map(({ address: of, mac }) => neighbour(of, mac, 'vx0')),
  ]
  const there = [
    ...present.links.flatMap(addressesOf).filter(([key]) => key !== 'addr 127.0.0.1/8 dev lo'),
    ...present.routes.map(routeOf),
    ...present.neighbours
      .filter(({ state }) => state.includes('PERMANENT'))
      .map(({ dst, dev, lladdr }) => neighbour(dst, lladdr ?? '', dev)),
  ]
  const forwards = new Map(peers.map(({ mac, host }) => entry('fdb', `${mac} dev vx0 dst ${host}`)))
  const presentForwards = present.forwards
    .filter(({ ifname, dst }) => ifname === 'vx0' && dst !== undefined)
    .map(({ mac, dst }) => entry('fdb', `${mac} dev vx0 dst ${dst}`))
  return [
    ...batch('ip', namespace, differences(new Map(planned), new Map(there))),
    ...batch('bridge', namespace, differences(forwards, new Map(presentForwards))),
  ]
}

/** Replaces a complete filter. */
export function swapRuleset(namespace: string | null, ruleset: string): NetworkCommand {
  return { program: 'nft', namespace, words: ['-f', '-'], input: ruleset }
}

function differences(planned: TableEntries, present: TableEntries): string[] {
  const gone = [...present].filter(([key]) => !planned.has(key))
  const missing = [...planned].filter(([key]) => !present.has(key))
  return [...gone.map(([, line]) => turned(line)), ...missing.map(([, line]) => line)]
}

function turned(line: string): string {
  return line.replace(' replace ', ' del ').replace(' nud permanent', '')
}

function entry(kind: string, what: string): [string, string] {
  return [`${kind} ${what}`, `${kind} replace ${what}`]
}

function address(of: string, device: string): [string, string] {
  return entry('addr', `${of}/32 dev ${device}`)
}

function neighbour(of: string, mac: string, device: string): [string, string] {
  return [`neigh ${of} ${mac} ${device}`, `neigh replace ${of} lladdr ${mac} dev ${device} nud permanent`]
}

function addressesOf({ ifname, addr_info }: PresentLink): [string, string][] {
  const own = addr_info.filter(({ family }) => family === 'inet')
  return own.map(({ local, prefixlen }) => entry('addr', `${local}/${prefixlen} dev ${ifname}`))
}

function routeOf({ dst, dev, gateway, type }: PresentRoute): [string, string] {
  const kind = type === undefined || type === 'unicast' ? '' : `${type} `
  const via = gateway === undefined ? '' : ` via ${gateway}`
  const on = dev === undefined ? '' : ` dev ${dev}`
  return entry('route', `${kind}${dst}${via}${on}`)
}

function batch(program: 'ip' | 'bridge', namespace: string | null, lines: readonly string[]): NetworkCommand[] {
  if (lines.length === 0) return []
  return [{ program, namespace, words: ['-batch', '-'], input: `${lines.join('\n')}\n` }]
}

function ip(namespace: string | null, words: readonly string[]): NetworkCommand {
  return { program: 'ip', namespace, words, input: null }
}
