import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  changeAddresses,
  changeLinks,
  changeUplinks,
  makeTap,
  type NetworkCommand,
  type PresentNetwork,
  removeNetworks,
} from './commands.rules.ts'
import { type HostSetup, type NetworkPlan, planNetworks } from './plan.rules.ts'

const setup: HostSetup = {
  tag: 'ab12cd',
  address: '192.0.2.1',
  first_port: 22_000,
  reachable: [],
  nameservers: [],
  tunnel_device: 'bw-ab12cd',
}
const network = {
  mac: '02:00:00:00:00:01',
  private_ip: '10.64.0.4',
  subnet: null,
  vni: 7,
  cidr: '10.64.0.0/20',
  traffic: 'unencrypted' as const,
  public_ip: '198.51.100.1',
  firewall_rules: [],
  infiniband_partition: null,
  partition_key: null,
  peers: [{ private_ip: '10.64.0.5', host_address: '192.0.2.2', tunnel_address: null }],
}
const plan = planNetworks(setup, [{ id: 'inst_a', slot: 1, network }], null)
const [planned] = plan.networks as [NetworkPlan['networks'][number]]
const empty: PresentNetwork = { links: [], routes: [], neighbours: [], forwards: [] }

const words = (commands: readonly NetworkCommand[]) =>
  commands.map(({ program, namespace, words: text }) => [namespace ?? 'host', program, ...text].join(' '))
const lines = (commands: readonly NetworkCommand[]) => commands.flatMap(({ input }) => input?.trim().split('\n') ?? [])
const on = (ifname: string, ...addresses: string[]) => ({
  ifname,
  addr_info: addresses.map((one) => ({
    family: 'inet',
    local: one.split('/')[0] as string,
    prefixlen: Number(one.split('/')[1]),
  })),
})

test('a new network gets its links: to the host, to other hosts, to its machine', () => {
  const made = changeLinks(planned, { uplinks: [], links: [], makePort: makeTap((slot) => 59_000 + slot) })
  assert.deepEqual(words(made), [
    'host ip link add bu-7 type veth peer name up0 netns bourse-ab12cd-7',
    'host ip link set bu-7 up',
    'bourse-ab12cd-7 ip link set up0 up',
    'bourse-ab12cd-7 ip link set lo up',
    'host ip link add vx0 netns bourse-ab12cd-7 type vxlan id 7 local 192.0.2.1 dstport 14789 nolearning',
    'bourse-ab12cd-7 ip link set vx0 address 02:62:c0:00:02:01 mtu 1450 up',
    'bourse-ab12cd-7 ip tuntap add dev tap1 mode tap user 59001',
    'bourse-ab12cd-7 ip link set tap1 mtu 1450 up',
    'bourse-ab12cd-7 sysctl -q -w net.ipv4.neigh.tap1.proxy_delay=0',
  ])
})

test('existing links are kept, and unused links are removed', () => {
  const carrier = { ...on('vx0'), linkinfo: { info_data: { local: '192.0.2.1' } } }
  const links = [on('lo'), on('up0'), carrier, on('tap1'), on('tap9')]
  const change = (present: typeof links) =>
    words(changeLinks(planned, { uplinks: [on('bu-7')], links: present, makePort: makeTap(() => 0) }))
  assert.deepEqual(change(links), ['bourse-ab12cd-7 ip link del tap9'])
  // The host has a new address.
  const moved = { ...carrier, linkinfo: { info_data: { local: '192.0.2.99' } } }
  assert.equal(change([on('up0'), moved, on('tap1')])[0], 'bourse-ab12cd-7 ip link del vx0')
})

test('a subnet that is not carried has no link to other hosts', () => {
  const carrier = { ...on('vx0'), linkinfo: { info_data: { local: '192.0.2.1' } } }
  const links = [on('up0'), carrier, on('tap1')]
  const there = { uplinks: [on('bu-7')], links, makePort: makeTap(() => 0) }
  assert.deepEqual(words(changeLinks({ ...planned, local: null }, there)), ['bourse-ab12cd-7 ip link del vx0'])
})

test('missing entries are added, surplus ones are removed, and a second run changes nothing', () => {
  const first = lines(changeAddresses(planned, empty))
  assert.deepEqual(first, [
    'addr replace 10.64.0.1/32 dev lo',
    'addr replace 169.254.169.254/32 dev lo',
    'addr replace 169.254.32.2/32 dev up0',
    'route replace 169.254.32.254 dev up0',
    'route replace default via 169.254.32.254 dev up0',
    'route replace unreachable 10.64.0.0/20',
    'route replace 10.64.0.4 dev tap1',
    'route replace 10.64.0.5 dev vx0',
    'neigh replace 10.64.0.4 lladdr 02:00:00:00:00:01 dev tap1 nud permanent',
    'neigh replace 10.64.0.5 lladdr 02:62:c0:00:02:02 dev vx0 nud permanent',
    'fdb replace 02:62:c0:00:02:02 dev vx0 dst 192.0.2.2',
  ])
  const present: PresentNetwork = {
    links: [on('lo', '127.0.0.1/8', '10.64.0.1/32', '169.254.169.254/32'), on('up0', '169.254.32.2/32')],
    routes: [
      { dst: '169.254.32.254', dev: 'up0' },
      { dst: 'default', gateway: '169.254.32.254', dev: 'up0' },
      { dst: '10.64.0.0/20', type: 'unreachable' },
      { dst: '10.64.0.4', dev: 'tap1' },
      { dst: '10.64.0.5', dev: 'vx0' },
    ],
    neighbours: [
      { dst: '10.64.0.4', dev: 'tap1', lladdr: '02:00:00:00:00:01', state: ['PERMANENT'] },
      { dst: '10.64.0.5', dev: 'vx0', lladdr: '02:62:c0:00:02:02', state: ['PERMANENT'] },
      { dst: '169.254.32.254', dev: 'up0', lladdr: '02:00:00:00:00:99', state: ['REACHABLE'] },
    ],
    forwards: [{ mac: '02:62:c0:00:02:02', ifname: 'vx0', dst: '192.0.2.2' }],
  }
  assert.deepEqual(changeAddresses(planned, present), [])
  // One machine of the subnet has ended, and another has moved to a third host.
  const old = {
    ...present,
    routes: [...present.routes, { dst: '10.64.0.6', dev: 'vx0' }],
    forwards: [{ mac: '02:62:c0:00:02:02', ifname: 'vx0', dst: '192.0.2.3' }],
  }
  assert.deepEqual(lines(changeAddresses(planned, old)), [
    'route del 10.64.0.6 dev vx0',
    'fdb del 02:62:c0:00:02:02 dev vx0 dst 192.0.2.3',
    'fdb replace 02:62:c0:00:02:02 dev vx0 dst 192.0.2.2',
  ])
})

test('the host has its link end, the route to the machine and the public address', () => {
  assert.deepEqual(
    lines(
      changeUplinks(plan, { namespaces: [], uplinks: [on('bu-7'), on('eth0', '192.0.2.1/24')], uplink_routes: [] }),
    ),
    [
      'addr replace 169.254.32.254/32 dev bu-7',
      'addr replace 198.51.100.1/32 dev bu-7',
      'route replace 169.254.32.2 dev bu-7 src 169.254.32.254',
    ],
  )
  const uplinks = [on('bu-7', '169.254.32.254/32', '198.51.100.2/32')]
  assert.deepEqual(
    lines(changeUplinks(plan, { namespaces: [], uplinks, uplink_routes: [{ dst: '169.254.32.9', dev: 'bu-7' }] })),
    [
      'addr del 198.51.100.2/32 dev bu-7',
      'route del 169.254.32.9 dev bu-7 src 169.254.32.254',
      'addr replace 198.51.100.1/32 dev bu-7',
      'route replace 169.254.32.2 dev bu-7 src 169.254.32.254',
    ],
  )
})

test('networks without machines are removed, and those of other agents and programs are kept', () => {
  const namespaces = ['bourse-ab12cd-7', 'bourse-ab12cd-8', 'bourse-ffffff-8', 'other']
  const uplinks = [on('bu-7'), on('bu-8'), on('eth0', '192.0.2.1/24')]
  assert.deepEqual(words(removeNetworks(plan, { namespaces, uplinks, uplink_routes: [] })), [
    'host ip link del bu-8',
    'host ip netns del bourse-ab12cd-8',
  ])
})
