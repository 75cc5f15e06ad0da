import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type FirewallRules, type HostSetup, type NetworkedMachine, planNetworks } from './plan.rules.ts'
import { hostRuleset, networkRuleset } from './ruleset.rules.ts'

const setup: HostSetup = {
  tag: 'ab12cd',
  address: '192.0.2.1',
  first_port: 22_000,
  reachable: ['10.5.0.0/16'],
  nameservers: ['10.1.1.1'],
  tunnel_device: 'bw-ab12cd',
}

function machineOf(slot: number, public_ip: string | null, rules: FirewallRules | null, peers: string[] = []) {
  const network: NetworkedMachine['network'] = {
    mac: `02:00:00:00:00:0${slot}`,
    private_ip: `10.64.0.${slot + 4}`,
    subnet: null,
    vni: 7,
    cidr: '10.64.0.0/20',
    traffic: 'unencrypted',
    peers: peers.map((host_address, index) => ({
      private_ip: `10.64.1.${index}`,
      host_address,
      tunnel_address: null,
    })),
    public_ip,
    firewall_rules: rules,
    infiniband_partition: null,
    partition_key: null,
  }
  return { id: `inst_${slot}`, slot, network }
}

/** The rules of one chain, without its hook. */
function chainOf(ruleset: string, name: string): string[] {
  const [, body = ''] = new RegExp(`chain ${name} \\{\\n([^}]*(?:\\{[^}]*\\}[^}]*)*?)\\n  \\}`).exec(ruleset) ?? []
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('type '))
}

const planOf = (...machines: NetworkedMachine[]) => planNetworks(setup, machines, null)
const inside = (...machines: NetworkedMachine[]) => {
  const plan = planOf(...machines)
  return networkRuleset(setup, plan.networks[0] as (typeof plan.networks)[number])
}

test('a machine with a public address accepts what its firewall allows', () => {
  const rules: FirewallRules = [
    { protocol: 'tcp', port_from: 80, port_to: 81, source_cidr: '0.0.0.0/0' },
    { protocol: 'udp', port_from: 53, source_cidr: '198.51.100.0/24', description: 'names } accept' },
    { protocol: 'icmp', source_cidr: '0.0.0.0/0' },
    { protocol: 'all', source_cidr: '203.0.113.7/32' },
  ]
  assert.deepEqual(chainOf(inside(machineOf(0, '198.51.100.1', rules)), 'to_tap0'), [
    'ip saddr 169.254.32.254 tcp dport 22 accept',
    'tcp dport 80-81 accept',
    'ip saddr 198.51.100.0/24 udp dport 53-53 accept',
    'meta l4proto icmp accept',
    'ip saddr 203.0.113.7/32 accept',
    'drop',
  ])
})

test('without a public address only SSH is reachable, and with one and no rule nothing is', () => {
  const ruleset = inside(machineOf(0, null, null), machineOf(1, '198.51.100.1', []))
  const own = 'ip saddr 169.254.32.254 tcp dport 22 accept'
  assert.deepEqual(chainOf(ruleset, 'to_tap0'), [own, 'tcp dport 22 accept', 'drop'])
  assert.deepEqual(chainOf(ruleset, 'to_tap1'), [own, 'drop'])
})

test('a machine sends only from its own address, and reaches only the private networks of the operator', () => {
  const ruleset = inside(machineOf(0, null, null), machineOf(1, null, null))
  assert.match(
    ruleset,
    /elements = \{ "tap0" \. 02:00:00:00:00:00 \. 10\.64\.0\.4, "tap1" \. 02:00:00:00:00:01 \. 10\.64\.0\.5 \}/,
  )
  const rules = chainOf(ruleset, 'outbound')
  const place = (rule: string) => rules.findIndex((one) => one.startsWith(rule))
  const order = [
    'ct status dnat accept',
    'ip daddr 10.64.0.0/20 drop',
    'ip daddr 10.1.1.1 meta',
    'ip daddr 169.254.0.0/16 drop',
    'ip daddr 10.5.0.0/16 accept',
    'ip daddr 10.0.0.0/8 reject',
    'accept',
  ].map(place)
  assert.ok(!order.includes(-1))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  assert.equal(rules.at(-1), 'accept')
})

test('the namespace of a network opens no connections', () => {
  assert.deepEqual(chainOf(inside(machineOf(0, null, null)), 'output').slice(-1), ['meta l4proto icmp accept'])
  assert.match(inside(machineOf(0, null, null)), /hook output priority filter; policy drop;/)
})

test('the host forwards a public address, or else one port, to a machine, for traffic from outside and its own', () => {
  const ruleset = hostRuleset(planOf(machineOf(0, null, null), machineOf(3, '198.51.100.1', [])))
  const ways = [
    'ip daddr 192.0.2.1 tcp dport 22000 dnat ip to 169.254.32.1:22',
    'ip daddr 198.51.100.1 dnat ip to 169.254.32.4',
  ]
  assert.deepEqual(chainOf(ruleset, 'dstnat'), ways)
  assert.deepEqual(chainOf(ruleset, 'dstnat_here'), ways)
  assert.equal(chainOf(ruleset, 'srcnat')[0], 'ip saddr 169.254.32.4 snat ip to 198.51.100.1')
})

test('VXLAN packets are accepted from the hosts of a subnet for this subnet only', () => {
  const carried = (...machines: NetworkedMachine[]) =>
    chainOf(hostRuleset(planOf(...machines)), 'input').filter((rule) => rule.startsWith('udp dport 14789'))
  const first = machineOf(0, null, null, ['192.0.2.3', '192.0.2.2', '192.0.2.3'])
  const other = machineOf(1, null, null, ['192.0.2.4'])
  const second = { ...other, network: { ...other.network, vni: 8 } }
  assert.deepEqual(carried(first, second), [
    'udp dport 14789 @th,96,24 7 ip saddr { 192.0.2.2, 192.0.2.3 } accept',
    'udp dport 14789 @th,96,24 8 ip saddr { 192.0.2.4 } accept',
    'udp dport 14789 drop',
  ])
  assert.deepEqual(carried(machineOf(0, null, null)), ['udp dport 14789 drop'])
})

/** The machine of a subnet that is encrypted, with peers by the addresses of their hosts inside of tunnels. */
function encryptedMachine(slot: number, vni: number, peers: string[]): NetworkedMachine {
  const machine = machineOf(slot, null, null, peers)
  const inside = machine.network.peers.map((peer) => ({ ...peer, tunnel_address: peer.host_address, host_address: '' }))
  return { ...machine, network: { ...machine.network, vni, traffic: 'encrypted', peers: inside } }
}

const keyOf = (number: number) => Buffer.alloc(32, number).toString('base64')
const peers = [2, 3].map((number) => {
  const keys = { public_key: keyOf(number), next_public_key: null, port: 14_790 + number }
  return { ...keys, address: `100.112.0.${number}`, host_address: `192.0.2.${number}` }
})
const tunnel = { address: '100.112.0.1', public_key: keyOf(1), next_public_key: null, port: 14_792, peers }
const tunnelled = (...machines: NetworkedMachine[]) => hostRuleset(planNetworks(setup, machines, tunnel))

test('VXLAN packets of encrypted subnets are accepted from the tunnel only, and nothing else from it', () => {
  const plain = machineOf(2, null, null, ['192.0.2.9'])
  const ruleset = tunnelled(
    encryptedMachine(0, 7, ['100.112.0.3', '100.112.0.2']),
    encryptedMachine(1, 8, ['100.112.0.3']),
    { ...plain, network: { ...plain.network, vni: 9 } },
  )
  assert.deepEqual(chainOf(ruleset, 'input').slice(-7), [
    'iifname "bw-ab12cd" udp dport 14789 @th,96,24 7 ip saddr { 100.112.0.2, 100.112.0.3 } accept',
    'iifname "bw-ab12cd" udp dport 14789 @th,96,24 8 ip saddr { 100.112.0.3 } accept',
    'iifname "bw-ab12cd" drop',
    'udp dport 14789 @th,96,24 9 ip saddr { 192.0.2.9 } accept',
    'udp dport 14789 drop',
    'udp dport 14792 ip saddr { 192.0.2.2, 192.0.2.3 } accept',
    'udp dport 14792 drop',
  ])
  assert.deepEqual(chainOf(ruleset, 'output'), [
    'oifname "bw-ab12cd" udp dport 14789 accept',
    'udp dport 14789 @th,96,24 9 ip daddr { 192.0.2.9 } accept',
    'udp dport 14789 drop',
  ])
  assert.deepEqual(chainOf(ruleset, 'forward').slice(0, 3), [
    'iifname "bw-ab12cd" drop',
    'oifname "bw-ab12cd" drop',
    'iifname "bu-*" ip daddr . udp dport { 192.0.2.2 . 14792, 192.0.2.3 . 14793 } drop',
  ])
})

test('before the server gives a host its tunnel, no packet of an encrypted subnet leaves or enters', () => {
  const ruleset = hostRuleset(planOf(encryptedMachine(0, 7, ['100.112.0.2'])))
  assert.deepEqual(chainOf(ruleset, 'input').slice(-2), ['iifname "bw-ab12cd" drop', 'udp dport 14789 drop'])
  assert.equal(chainOf(ruleset, 'output').at(-1), 'udp dport 14789 drop')
  assert.doesNotMatch(ruleset, /@th,96,24/)
})

test('without machines the filter is removed', () => {
  assert.equal(hostRuleset(planOf()), 'table inet bourse\ndelete table inet bourse\n')
})
