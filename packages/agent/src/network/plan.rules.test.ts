import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { endOfSlot, formatAddress, parseAddress, parseCidr, slotOfEnd } from './addresses.rules.ts'
import { type HostSetup, listUnusablePeers, type NetworkedMachine, planNetworks, refuseNetwork } from './plan.rules.ts'

const setup: HostSetup = {
  tag: 'ab12cd',
  address: '192.0.2.1',
  first_port: 22_000,
  reachable: [],
  nameservers: [],
  tunnel_device: 'bw-ab12cd',
}

function machineOf(slot: number, changes: Partial<NetworkedMachine['network']> = {}): NetworkedMachine {
  const network: NetworkedMachine['network'] = {
    mac: `02:00:00:00:00:0${slot}`,
    private_ip: null,
    subnet: null,
    vni: null,
    cidr: null,
    traffic: 'unencrypted',
    peers: [],
    public_ip: null,
    firewall_rules: null,
    infiniband_partition: null,
    partition_key: null,
    ...changes,
  }
  return { id: `inst_${slot}`, slot, network }
}

const inSubnet = (private_ip: string, vni = 7) => ({ private_ip, vni, cidr: '10.64.0.0/20' })

test('machines of a subnet share one network, and a machine without a subnet has its own', () => {
  const peers = [{ private_ip: '10.64.0.9', host_address: '192.0.2.2', tunnel_address: null }]
  const machines = [
    machineOf(2, inSubnet('10.64.0.5')),
    machineOf(1, { ...inSubnet('10.64.0.4'), peers }),
    machineOf(3, inSubnet('10.64.0.4', 8)),
    machineOf(4),
    machineOf(5),
  ]
  const { networks } = planNetworks(setup, machines, null)
  assert.deepEqual(
    networks.map(({ namespace, uplink, cidr, gateway, vni, mtu, ports }) => ({
      namespace,
      uplink,
      cidr,
      gateway,
      vni,
      mtu,
      ports: ports.map(({ device, address, end }) => `${device} ${address} ${end}`),
    })),
    [
      {
        namespace: 'bourse-ab12cd-7',
        uplink: 'bu-7',
        cidr: '10.64.0.0/20',
        gateway: '10.64.0.1',
        vni: 7,
        mtu: 1450,
        ports: ['tap1 10.64.0.4 169.254.32.2', 'tap2 10.64.0.5 169.254.32.3'],
      },
      {
        namespace: 'bourse-ab12cd-8',
        uplink: 'bu-8',
        cidr: '10.64.0.0/20',
        gateway: '10.64.0.1',
        vni: 8,
        mtu: 1450,
        ports: ['tap3 10.64.0.4 169.254.32.4'],
      },
      {
        namespace: 'bourse-ab12cd-m4',
        uplink: 'bu-m4',
        cidr: '10.0.2.0/24',
        gateway: '10.0.2.2',
        vni: null,
        mtu: 1500,
        ports: ['tap4 10.0.2.15 169.254.32.5'],
      },
      {
        namespace: 'bourse-ab12cd-m5',
        uplink: 'bu-m5',
        cidr: '10.0.2.0/24',
        gateway: '10.0.2.2',
        vni: null,
        mtu: 1500,
        ports: ['tap5 10.0.2.15 169.254.32.6'],
      },
    ],
  )
  assert.deepEqual(networks[0]?.peers, [{ address: '10.64.0.9', host: '192.0.2.2', mac: '02:62:c0:00:02:02' }])
  assert.ok(networks.every(({ uplink }) => uplink.length <= 15))
})

test('a machine on this host is not a peer, even if an older peer list contains it', () => {
  const peers = [
    { private_ip: '10.64.0.5', host_address: '192.0.2.2', tunnel_address: null },
    { private_ip: '10.64.0.6', host_address: '192.0.2.1', tunnel_address: null },
  ]
  const machines = [machineOf(1, { ...inSubnet('10.64.0.4'), peers }), machineOf(2, inSubnet('10.64.0.5'))]
  assert.deepEqual(planNetworks(setup, machines, null).networks[0]?.peers, [])
})

test('a peer whose address cannot be used is left out and listed, and stops nothing else', () => {
  const good = { private_ip: '10.64.0.9', host_address: '192.0.2.2', tunnel_address: null }
  const bad = [
    '',
    'garbage',
    '1.2.3',
    '192.0.2.2 }',
    '0.0.0.0',
    '127.0.0.1',
    '169.254.32.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.300',
    '192.0.2.02',
  ].map((host_address) => ({ private_ip: '10.64.0.8', host_address, tunnel_address: null }))
  const elsewhere = ['10.80.0.4', 'nowhere'].map((private_ip) => ({
    private_ip,
    host_address: '192.0.2.2',
    tunnel_address: null,
  }))
  for (const peer of [...bad, ...elsewhere]) {
    const machine = machineOf(1, { ...inSubnet('10.64.0.4'), peers: [peer, good] })
    assert.equal(refuseNetwork(setup, machine.network), undefined)
    const { networks } = planNetworks(setup, [machine], null)
    assert.deepEqual(
      networks[0]?.peers.map(({ address }) => address),
      ['10.64.0.9'],
      peer.host_address,
    )
    const { vni } = machine.network
    assert.deepEqual(listUnusablePeers([machine, machine]), [`${vni}: ${peer.private_ip} at ${peer.host_address}`])
  }
  assert.deepEqual(listUnusablePeers([machineOf(1, { ...inSubnet('10.64.0.4'), peers: [good] })]), [])
})

const keyOf = (number: number) => Buffer.alloc(32, number).toString('base64')
const tunnel = { address: '100.112.0.1', public_key: keyOf(1), next_public_key: null, port: 14_792, peers: [] }

test('an encrypted subnet is carried between addresses of tunnels, by packets that fit into them', () => {
  const near = { private_ip: '10.64.0.8', host_address: '192.0.2.2', tunnel_address: '100.112.0.2' }
  const lacking = { private_ip: '10.64.0.9', host_address: '192.0.2.3', tunnel_address: null }
  const machine = machineOf(1, { ...inSubnet('10.64.0.4'), traffic: 'encrypted', peers: [near, lacking] })
  const plan = planNetworks(setup, [machine], tunnel)
  const [network] = plan.networks
  assert.deepEqual([network?.local, network?.mtu, network?.is_encrypted], ['100.112.0.1', 1_370, true])
  assert.deepEqual(network?.peers, [{ address: '10.64.0.8', host: '100.112.0.2', mac: '02:62:64:70:00:02' }])
  assert.deepEqual(listUnusablePeers([machine]), ['7: 10.64.0.9 at 192.0.2.3, which has no tunnel'])
  assert.equal(plan.tunnel?.device, 'bw-ab12cd')
})

test('without a tunnel an encrypted subnet stays on its host, and other networks need none', () => {
  const near = { private_ip: '10.64.0.8', host_address: '192.0.2.2', tunnel_address: '100.112.0.2' }
  // An answer that does not say how traffic is carried is of a server that does not encrypt.
  for (const traffic of ['encrypted', undefined] as const) {
    const machine = machineOf(1, { ...inSubnet('10.64.0.4'), traffic: traffic as 'encrypted', peers: [near] })
    const plan = planNetworks(setup, [machine], null)
    assert.deepEqual([plan.networks[0]?.local, plan.networks[0]?.peers, plan.tunnel], [null, [], null])
  }
  const others = [machineOf(1), machineOf(2, { ...inSubnet('10.64.0.4'), peers: [near] })]
  const plan = planNetworks(setup, others, tunnel)
  assert.equal(plan.tunnel, null)
  const hosts = plan.networks.flatMap(({ local, peers }) => [local, ...peers.map(({ host }) => host)])
  assert.deepEqual(hosts, ['192.0.2.1', '192.0.2.2', null])
})

test('a public address without a firewall accepts nothing, and a machine without one needs no rules', () => {
  const rules = [{ protocol: 'icmp', source_cidr: '0.0.0.0/0' }] as const
  const machines = [
    machineOf(1, { public_ip: '198.51.100.1' }),
    machineOf(2, { public_ip: '198.51.100.2', firewall_rules: [...rules] }),
    machineOf(3, { firewall_rules: [...rules] }),
  ]
  const { networks } = planNetworks(setup, machines, null)
  assert.deepEqual(
    networks.map(({ ports: [port] }) => port?.rules),
    [[], rules, null],
  )
})

test('malformed networks and injected commands are refused', () => {
  const refused = (changes: Partial<NetworkedMachine['network']>) => refuseNetwork(setup, machineOf(1, changes).network)
  assert.equal(refused({}), undefined)
  assert.equal(
    refused({
      ...inSubnet('10.64.0.4'),
      peers: [{ private_ip: '10.64.0.5', host_address: '192.0.2.2', tunnel_address: null }],
    }),
    undefined,
  )
  for (const changes of [
    { mac: '02:00:00:00:00:01 } delete table inet bourse' },
    inSubnet('10.80.0.4'),
    { ...inSubnet('10.64.0.4'), cidr: null },
    { ...inSubnet('10.64.0.4'), cidr: '10.64.0.1/20' },
    inSubnet('10.64.0.4', 2 ** 24),
    { public_ip: '192.0.2.1' },
    { public_ip: '1.2.3' },
    { firewall_rules: [{ protocol: 'all' as const, source_cidr: '0.0.0.0/0 accept' }] },
    { firewall_rules: [{ protocol: 'tcp; accept' as 'tcp', port_from: 1, source_cidr: '0.0.0.0/0' }] },
    {
      firewall_rules: [
        { protocol: 'tcp' as const, port_from: '1 accept' as unknown as number, source_cidr: '0.0.0.0/0' },
      ],
    },
  ]) {
    assert.notEqual(refused(changes), undefined, JSON.stringify(changes))
  }
})

test('addresses convert to numbers and back, and link addresses map to slots', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      assert.equal(parseAddress(formatAddress(number)), number)
    }),
  )
  for (let slot = 0; slot < 64; slot++) assert.equal(slotOfEnd(endOfSlot(slot)), slot)
  assert.throws(() => endOfSlot(64))
  for (const other of ['169.254.32.0', '169.254.32.65', '169.254.32.254', '10.0.0.1', '::ffff:169.254.32.1', '']) {
    assert.equal(slotOfEnd(other), undefined, other)
  }
  for (const bad of ['10.0.0.0', '10.0.0.1/8', '10.0.0.0/33', '10.0.0.0/8/8', 'x/8'])
    assert.equal(parseCidr(bad), undefined)
})
