import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { carrierPort } from '../../src/network/plan.rules.ts'
import { carriedDatagram } from './carried.ts'
import { hears, inside, ip, lacking, makeWorld, type NamespaceGuest, reachInVain, type TestHost } from './world.ts'

const skip = await lacking()
const cidr = '10.64.0.0/20'

test(
  'machines of one subnet reach each other on any host, and other machines do not reach them',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(3)
    const [x, y, z] = world.hosts as [TestHost, TestHost, TestHost]
    const first = (address: string) => ({ cidr, vni: 7, address })
    const at = (host: TestHost, ...addresses: string[]) =>
      addresses.map((private_ip) => ({ private_ip, host_address: host.address }))
    const [a, b, c, d] = await Promise.all([
      world.addGuest(x, 'a', {
        slot: 0,
        subnet: first('10.64.0.4'),
        peers: [...at(y, '10.64.0.6'), ...at(z, '10.64.0.7')],
      }),
      world.addGuest(x, 'b', {
        slot: 1,
        subnet: first('10.64.0.5'),
        peers: [...at(y, '10.64.0.6'), ...at(z, '10.64.0.7')],
      }),
      world.addGuest(y, 'c', {
        slot: 5,
        subnet: first('10.64.0.6'),
        peers: [...at(x, '10.64.0.4', '10.64.0.5'), ...at(z, '10.64.0.7')],
      }),
      world.addGuest(z, 'd', {
        slot: 0,
        subnet: first('10.64.0.7'),
        peers: [...at(x, '10.64.0.4', '10.64.0.5'), ...at(y, '10.64.0.6')],
      }),
    ])
    // Another customer uses the same addresses on the same hosts.
    const second = (address: string) => ({ cidr, vni: 8, address })
    const [e, f] = await Promise.all([
      world.addGuest(x, 'e', { slot: 2, subnet: second('10.64.0.4'), peers: at(y, '10.64.0.6') }),
      world.addGuest(y, 'f', { slot: 0, subnet: second('10.64.0.6'), peers: at(x, '10.64.0.4') }),
    ])
    const alone = await world.addGuest(x, 'alone', { slot: 3 })
    const all = [a, b, c, d, e, f, alone]
    await Promise.all(all.flatMap((guest) => [guest.ask('listen', 80), guest.ask('hear', 9000)]))

    await everyoneReaches([a, b, c, d])
    await everyoneReaches([e, f])
    // A participant of the network of the hosts sends directly to the subnet.
    const outside = `${world.number}-out`
    for (const range of [cidr, '169.254.32.0/24']) await ip(outside, 'route', 'add', range, 'via', x.address)
    const refusals = await Promise.all([
      // Addresses without a machine do not respond.
      e.ask('reach', '10.64.0.5', 80),
      f.ask('reach', '10.64.0.7', 80),
      // Private networks are refused, and a host has no route into a subnet.
      alone.ask('reach', '10.64.0.4', 80),
      world.outside.ask('reach', '10.64.0.4', 80),
    ])
    assert.deepEqual(refusals, ['refused', 'refused', 'refused', 'refused'])
    assert.equal(await reachInVain(world.outside, '169.254.32.1', 22), 'nothing')
    await forgersAreNotHeard(world, { a, b })
    await strangersCarryNothing(world, { c, from: x, to: y })
    await peersOfOtherSubnetsCarryNothing(world, { f, from: z, to: y })
  },
)

test('a peer with a malformed address is left out, and the rest of the subnet works', leftOut(skip), async () => {
  await using world = await makeWorld(2)
  const [x, y] = world.hosts as [TestHost, TestHost]
  const subnet = (address: string) => ({ cidr, vni: 7, address })
  const bad = ['garbage', '127.0.0.1', '0.0.0.0', '224.0.0.1', '192.0.2.1 }'].map((host_address, index) => {
    return { private_ip: `10.64.0.${20 + index}`, host_address }
  })
  const at = (host: TestHost, private_ip: string) => ({ private_ip, host_address: host.address })
  const [a, b] = await Promise.all([
    world.addGuest(x, 'a', { slot: 0, subnet: subnet('10.64.0.4'), peers: [...bad, at(y, '10.64.0.6')] }),
    world.addGuest(y, 'b', { slot: 0, subnet: subnet('10.64.0.6'), peers: [at(x, '10.64.0.4'), ...bad] }),
  ])
  await Promise.all([a.ask('listen', 80), b.ask('listen', 80)])
  await everyoneReaches([a, b])
  assert.equal(await a.ask('reach', '10.64.0.20', 80), 'refused')
  assert.equal((await x.agent.ask('unusable')).length, bad.length)
})

async function everyoneReaches(guests: readonly NamespaceGuest[]): Promise<void> {
  const pairs = guests.flatMap((from) => guests.filter((to) => to !== from).map((to) => ({ from, to })))
  const output = await Promise.all(pairs.map(({ from, to }) => from.ask('reach', to.address, 80)))
  assert.deepEqual(
    output,
    pairs.map(({ from, to }) => `${to.machine.id} hears ${from.address}`),
  )
}

type SubnetsWorld = Awaited<ReturnType<typeof makeWorld>>

/** Packets of a guest with a forged address or a forged hardware address are dropped. */
async function forgersAreNotHeard(
  world: SubnetsWorld,
  { a, b }: { a: NamespaceGuest; b: NamespaceGuest },
): Promise<void> {
  const namespace = world.namespaceOf(a)
  const text = (output: string) => Buffer.from(output).toString('base64')
  await ip(namespace, 'addr', 'add', '10.64.0.99/32', 'dev', 'eth0')
  await a.ask('send', text('forged address'), b.address, 9000, '10.64.0.99')
  await a.ask('send', text('own address'), b.address, 9000, a.address)
  await hears(b, ['own address from 10.64.0.4'])
  // A permanent neighbour entry, because ARP requests from a forged hardware address would be dropped first.
  const [, next] = /lladdr (\S+)/.exec(await ip(namespace, 'neigh', 'show', b.address)) ?? []
  await ip(namespace, 'link', 'set', 'eth0', 'address', '02:00:00:00:99:99')
  await ip(namespace, 'neigh', 'replace', b.address, 'lladdr', `${next}`, 'dev', 'eth0', 'nud', 'permanent')
  await a.ask('send', text('forged hardware address'), b.address, 9000)
  await ip(namespace, 'link', 'set', 'eth0', 'address', a.machine.network.mac)
  await a.ask('send', text('own again'), b.address, 9000)
  await hears(b, ['own address from 10.64.0.4', 'own again from 10.64.0.4'])
}

/** VXLAN packets are accepted from hosts of the subnet only, and guests cannot send them. */
async function strangersCarryNothing(
  world: SubnetsWorld,
  { c, from, to }: { c: NamespaceGuest; from: TestHost; to: TestHost },
) {
  const packet = (output: string) =>
    carriedDatagram({ vni: 7, from: from.address, to: to.address, source: '10.64.0.4', target: c.address }, output)
  const host = await world.talk(from.namespace, 'guest-process.ts', ['host'])
  const guest = await world.addGuest(from, 'g', { slot: 9 })
  await world.outside.ask('send', packet('stranger'), to.address, carrierPort)
  await guest.ask('send', packet('guest'), to.address, carrierPort)
  await host.ask('send', packet('host'), to.address, carrierPort)
  await hears(c, ['host from 10.64.0.4'])
}

/** A host that shares one subnet with another host sends nothing into the other subnets of that host. */
async function peersOfOtherSubnetsCarryNothing(
  world: SubnetsWorld,
  { f, from, to }: { f: NamespaceGuest; from: TestHost; to: TestHost },
) {
  const packet = (sender: TestHost, output: string) =>
    carriedDatagram({ vni: 8, from: sender.address, to: to.address, source: '10.64.0.4', target: f.address }, output)
  const [shared] = world.hosts as [TestHost]
  const [stranger, peer] = await Promise.all(
    [from, shared].map(({ namespace }) => world.talk(namespace, 'guest-process.ts', ['host'])),
  )
  // The filter of that host would not let the packet out.
  await inside(from.namespace, 'nft', 'flush', 'chain', 'inet', 'bourse', 'output')
  await stranger?.ask('send', packet(from, 'peer of another subnet'), to.address, carrierPort)
  await peer?.ask('send', packet(shared, 'peer of this subnet'), to.address, carrierPort)
  await hears(f, ['peer of this subnet from 10.64.0.4'])
}
