// The packet filters: one table on the host, and one in the namespace of each network. Each is written completely and
// replaced in one transaction, so that it always applies as a whole. The default is to drop.
//
// The firewall of a machine checks every packet towards it, not only the first of a connection, so that removing a rule
// also ends open connections. Replies to connections that the machine opened are accepted.

import { hostEnd, metadataAddress, slotEnds } from './addresses.rules.ts'
import {
  carrierPort,
  dhcpPort,
  type FirewallRules,
  type HostSetup,
  metadataPort,
  type NetworkPlan,
  type PlannedNetwork,
  type Port,
  uplinkPrefix,
} from './plan.rules.ts'
import type { PlannedTunnel } from './tunnel.rules.ts'

/** Private networks (RFC 1918, RFC 6598), which machines can reach only if the operator allows it. */
const privateNetworks = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16']
/** Networks that machines never reach (RFC 6890). Many clouds serve credentials at a link-local address. */
const neverReached = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3']
const machineEnds = `"${uplinkPrefix}*"`

/** The prefix that makes a table replace an existing one. */
const replaced = (family: string) => `table ${family} bourse\ndelete table ${family} bourse\n`

/** The filter of the host. Without networks it is removed. */
export function hostRuleset(plan: NetworkPlan): string {
  const { setup, networks } = plan
  if (networks.length === 0) return replaced('inet')
  const ports = networks.flatMap((network) => network.ports)
  return `${replaced('inet')}table inet bourse {
${chain(
  'dstnat',
  'type nat hook prerouting priority dstnat',
  ports.flatMap((port) => waysIn(setup, port)),
)}
${chain(
  'dstnat_here',
  'type nat hook output priority -100',
  ports.flatMap((port) => waysIn(setup, port)),
)}
${chain('srcnat', 'type nat hook postrouting priority srcnat', [
  ...ports.flatMap(({ end, public_ip }) => (public_ip === null ? [] : [`ip saddr ${end} snat ip to ${public_ip}`])),
  // With the address of the host, a machine would take its neighbour for the host.
  `ip saddr ${slotEnds} oifname ${machineEnds} snat ip to ${setup.address}`,
  `ip saddr ${slotEnds} oifname != ${machineEnds} masquerade`,
])}
${chain('input', 'type filter hook input priority filter; policy accept', [
  `iifname ${machineEnds} ct state established,related accept`,
  `iifname ${machineEnds} ip saddr ${slotEnds} ip daddr ${hostEnd} tcp dport ${metadataPort} accept`,
  `iifname ${machineEnds} ip saddr ${slotEnds} ip daddr ${hostEnd} udp dport ${dhcpPort} accept`,
  `iifname ${machineEnds} drop`,
  `ip daddr ${hostEnd} iifname != "lo" meta l4proto { tcp, udp } th dport { ${metadataPort}, ${dhcpPort} } drop`,
  ...carried(plan),
])}
${chain('forward', 'type filter hook forward priority filter; policy accept', [
  ...(plan.tunnel ? apart(plan.tunnel) : []),
  `iifname ${machineEnds} udp dport ${carrierPort} drop`,
  `iifname ${machineEnds} ip saddr != ${slotEnds} drop`,
  `oifname ${machineEnds} ct state established,related accept`,
  // Only packets to a public address or to an SSH port.
  `oifname ${machineEnds} ct status dnat accept`,
  `oifname ${machineEnds} drop`,
])}
${chain('output', 'type filter hook output priority filter; policy accept', carriedOut(plan))}
}
`
}

/** The filter of one network. */
export function networkRuleset(setup: HostSetup, network: PlannedNetwork): string {
  const { ports, cidr, gateway } = network
  const bound = ports.map(({ device, mac, address }) => `"${device}" . ${mac} . ${address}`).join(', ')
  return `${replaced('inet')}${replaced('arp')}table inet bourse {
  set machines { type ifname . ether_addr . ipv4_addr; elements = { ${bound} }; }
${chain('unforged', 'type filter hook prerouting priority raw; policy accept', [
  ...ports.map((port) => asksForAddress(port, gateway)),
  'iifname "tap*" iifname . ether saddr . ip saddr @machines accept',
  'iifname "tap*" drop',
  `iifname "vx0" ip saddr != ${cidr} drop`,
  'meta nfproto ipv6 drop',
])}
${chain('dstnat', 'type nat hook prerouting priority dstnat', [
  `iifname "tap*" ip daddr ${metadataAddress} tcp dport 80 dnat ip to ${hostEnd}:${metadataPort}`,
  `iifname "tap*" ip daddr ${gateway} udp dport 67 dnat ip to ${hostEnd}:${dhcpPort}`,
  ...ports.map(({ end, address }) => `iifname "up0" ip daddr ${end} dnat ip to ${address}`),
])}
${chain(
  'srcnat',
  'type nat hook postrouting priority srcnat',
  ports.map(({ end, address }) => `oifname "up0" ip saddr ${address} snat ip to ${end}`),
)}
${chain('input', 'type filter hook input priority filter; policy drop', [
  'iifname "tap*" icmp type echo-request limit rate 10/second accept',
])}
${chain('output', 'type filter hook output priority filter; policy drop', [
  // The namespace itself sends only ICMP errors, so that a machine that escapes into it gets no further.
  'meta l4proto icmp accept',
])}
${ports.map((port) => chain(`to_${port.device}`, undefined, letIn(port))).join('\n')}
${chain('outbound', undefined, outbound(setup, network))}
${chain('forward', 'type filter hook forward priority filter; policy drop', [
  'ct state invalid drop',
  'iifname { "vx0", "up0" } oifname { "vx0", "up0" } drop',
  'iifname "tap*" oifname "up0" jump outbound',
  'iifname "up0" ct direction reply ct state established,related accept',
  'iifname "up0" ct state related accept',
  ...ports.map(({ device }) => `iifname "up0" oifname "${device}" jump to_${device}`),
  // Machines of one subnet can reach each other.
  `iifname "tap*" oifname { ${devicesOf(network)} } accept`,
  ...ports.map(({ device }) => `iifname "vx0" oifname "${device}" accept`),
])}
}
table arp bourse {
  set machines { type ifname . ether_addr . ipv4_addr; elements = { ${bound} }; }
${chain('unforged', 'type filter hook input priority filter; policy accept', [
  // Otherwise one guest could fill the neighbour table, which all namespaces of the host share.
  'iifname "tap*" iifname . arp saddr ether . arp saddr ip != @machines drop',
])}
}
`
}

/** Inbound traffic to a machine: all of its public address, else only the SSH port. */
function waysIn({ address, first_port }: HostSetup, { slot, end, public_ip }: Port): string[] {
  if (public_ip !== null) return [`ip daddr ${public_ip} dnat ip to ${end}`]
  return [`ip daddr ${address} tcp dport ${first_port + slot} dnat ip to ${end}:22`]
}

/**
 * A host is trusted in the subnets that it shares with this one, and in no other: its VXLAN packets are accepted for
 * their numbers. Those of encrypted subnets are accepted from the tunnel only, where WireGuard has verified that the
 * source address is that of the peer. Nothing else of this host can be reached through the tunnel.
 */
function carried({ setup, networks, tunnel }: NetworkPlan): string[] {
  const accepted = (isEncrypted: boolean, from: string) =>
    networks
      .filter((network) => network.is_encrypted === isEncrypted)
      .flatMap((network) => matchVxlan(network, 'saddr').map((match) => `${from}${match} accept`))
  const device = `iifname "${setup.tunnel_device}"`
  return [
    ...accepted(true, `${device} `),
    `${device} drop`,
    ...accepted(false, ''),
    `udp dport ${carrierPort} drop`,
    ...(tunnel ? reachableBy(tunnel) : []),
  ]
}

/** VXLAN packets leave through the tunnel only, also while it is down and they would follow the default route. */
function carriedOut({ setup, networks }: NetworkPlan): string[] {
  const plain = networks.filter(({ is_encrypted }) => !is_encrypted)
  return [
    `oifname "${setup.tunnel_device}" udp dport ${carrierPort} accept`,
    ...plain.flatMap((network) => matchVxlan(network, 'daddr').map((match) => `${match} accept`)),
    `udp dport ${carrierPort} drop`,
  ]
}

/** The number of a subnet is 24 bits long, 4 bytes after the UDP header of 8 (RFC 7348). */
function matchVxlan({ vni, peers }: PlannedNetwork, side: 'saddr' | 'daddr'): string[] {
  const hosts = [...new Set(peers.map(({ host }) => host))].toSorted()
  if (vni === null || hosts.length === 0) return []
  return [`udp dport ${carrierPort} @th,96,24 ${vni} ip ${side} { ${hosts.join(', ')} }`]
}

/** The port of the tunnel answers peers only. */
function reachableBy({ port, peers }: PlannedTunnel): string[] {
  const hosts = [...new Set(peers.map(({ host_address }) => host_address))].toSorted()
  const accepted = hosts.length === 0 ? [] : [`udp dport ${port} ip saddr { ${hosts.join(', ')} } accept`]
  return [...accepted, `udp dport ${port} drop`]
}

/** The tunnel forwards nothing, and guests do not send to those of peers, where their packets would seem to be ours. */
function apart({ device, peers }: PlannedTunnel): string[] {
  const ends = [...new Set(peers.map(({ host_address, port }) => `${host_address} . ${port}`))].toSorted()
  const kept = ends.length === 0 ? [] : [`iifname ${machineEnds} ip daddr . udp dport { ${ends.join(', ')} } drop`]
  return [`iifname "${device}" drop`, `oifname "${device}" drop`, ...kept]
}

/** A DHCP request has no source address and a broadcast destination, so both are rewritten before routing. */
function asksForAddress({ device, mac, address }: Port, gateway: string): string {
  const isAsking = 'ip saddr 0.0.0.0 ip daddr 255.255.255.255 udp sport 68 udp dport 67'
  const made = `ip saddr set ${address} ip daddr set ${gateway} meta pkttype set host`
  return `iifname "${device}" ether saddr ${mac} ${isAsking} ${made} accept`
}

function letIn({ rules }: Port): string[] {
  // The host checks whether SSH answers and reads its host keys.
  const own = `ip saddr ${hostEnd} tcp dport 22 accept`
  return [own, ...(rules === null ? ['tcp dport 22 accept'] : rules.flatMap(matchOf)), 'drop']
}

function matchOf({ protocol, port_from, port_to, source_cidr }: FirewallRules[number]): string[] {
  const source = source_cidr === '0.0.0.0/0' ? '' : `ip saddr ${source_cidr} `
  if (protocol === 'all') return [`${source}accept`]
  if (protocol === 'icmp') return [`${source}meta l4proto icmp accept`]
  if (port_from === undefined) return []
  return [`${source}${protocol} dport ${port_from}-${port_to ?? port_from} accept`]
}

function outbound({ nameservers, reachable }: HostSetup, { cidr }: PlannedNetwork): string[] {
  return [
    // Replies, and requests to the metadata address.
    'ct status dnat accept',
    `ip daddr ${cidr} drop`,
    ...nameservers.map((server) => `ip daddr ${server} meta l4proto { tcp, udp } th dport 53 accept`),
    ...neverReached.map((one) => `ip daddr ${one} drop`),
    ...reachable.map((one) => `ip daddr ${one} accept`),
    ...privateNetworks.map((one) => `ip daddr ${one} reject with icmp type admin-prohibited`),
    'accept',
  ]
}

function devicesOf({ ports, vni }: PlannedNetwork): string {
  const devices = ports.map(({ device }) => device)
  return [...devices, ...(vni === null ? [] : ['vx0'])].map((device) => `"${device}"`).join(', ')
}

function chain(name: string, hook: string | undefined, rules: readonly string[]): string {
  const lines = [...(hook === undefined ? [] : [`${hook};`]), ...rules]
  return `  chain ${name} {\n${lines.map((line) => `    ${line}\n`).join('')}  }`
}
