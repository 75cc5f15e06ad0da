import assert from 'node:assert/strict'
import { type DesiredTunnel, tunnelPortDefault } from '@bourse/api/fleet/agent.ts'
import { test } from 'vitest'
import { eventually, limitSeconds } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { carrierPort } from '../../src/network/plan.rules.ts'
import { carriedDatagram } from './carried.ts'
import { setupOf } from './setup.ts'
import {
  hears,
  inside,
  inventory,
  ip,
  lackingTunnels,
  makeWorld,
  type NamespaceGuest,
  reachInVain,
  type TestHost,
} from './world.ts'

const skip = await lackingTunnels()
const cidr = '10.64.0.0/20'
/** What guests send to each other, and nobody on the link should read. */
const secret = 'SECRET!!'

type TunnelsWorld = Awaited<ReturnType<typeof makeWorld>>
type Keys = { readonly public_key: string; readonly next_public_key: string | null }

/** The address of a host inside of tunnels. */
const inner = ({ address }: TestHost) => `100.112.0.${address.split('.')[3]}`
const deviceOf = (world: TunnelsWorld, host: TestHost) => setupOf(world.number, host.name, host.address).tunnel_device

async function keysOf(host: TestHost): Promise<Keys> {
  return { public_key: await host.agent.ask('publicKey'), next_public_key: null }
}

/** What the control plane tells a host about its tunnel. */
function desired(keys: ReadonlyMap<TestHost, Keys>, of: TestHost, to: readonly TestHost[]): DesiredTunnel {
  const endOf = (host: TestHost) => ({ address: inner(host), port: tunnelPortDefault, ...(keys.get(host) as Keys) })
  return { ...endOf(of), peers: to.map((host) => ({ ...endOf(host), host_address: host.address })) }
}

/** Tunnels between hosts, and a machine on each in one subnet. */
async function connect(world: TunnelsWorld, hosts: readonly TestHost[]) {
  const keys = new Map<TestHost, Keys>()
  for (const host of hosts) keys.set(host, await keysOf(host))
  const others = (host: TestHost) => hosts.filter((one) => one !== host)
  const tell = async (host: TestHost, to = others(host)) => host.agent.ask('tunnel', desired(keys, host, to))
  await Promise.all(hosts.map((host) => tell(host)))
  const guests = await Promise.all(
    hosts.map((host) => addGuest(world, { host, others: others(host), vni: 7, slot: 0 })),
  )
  await Promise.all(guests.flatMap((guest) => [guest.ask('listen', 80), guest.ask('hear', 9000)]))
  const [first, ...rest] = guests as [NamespaceGuest, ...NamespaceGuest[]]
  for (const other of rest) await firstReach(first, other)
  return { keys, guests, tell }
}

/** The first connection through a tunnel. The first handshake may take longer than one attempt. */
async function firstReach(from: NamespaceGuest, to: NamespaceGuest): Promise<void> {
  const wait = limitSeconds(0.3) * 1000
  const isReached = async () => {
    assert.match(await from.ask('reach', to.address, 80, { wait }), /hears/)
    return true
  }
  await eventually(`${from.address} reaches ${to.address}`, isReached, { usual_seconds: 5 })
}

type GuestPlace = { host: TestHost; others: readonly TestHost[]; vni: number; slot: number }

const addressOf = (host: TestHost, vni: number) => `10.64.${vni}.${host.address.split('.')[3]}`

async function addGuest(world: TunnelsWorld, { host, others, vni, slot }: GuestPlace): Promise<NamespaceGuest> {
  const peers = others.map((other) => {
    return { private_ip: addressOf(other, vni), host_address: other.address, tunnel_address: inner(other) }
  })
  const traffic = vni === 9 ? 'unencrypted' : 'encrypted'
  const subnet = { cidr, vni, address: addressOf(host, vni) }
  return world.addGuest(host, `${host.name}${vni}`, { slot, subnet, peers, traffic })
}

/** Counts what crosses the link of the hosts: packets of VXLAN, those with the secret in its place, and of tunnels. */
async function watchLink(world: TunnelsWorld, hosts: readonly TestHost[]) {
  const wire = `${world.number}-wire`
  // The text of a datagram begins behind the headers of UDP, VXLAN, Ethernet, IPv4 and UDP.
  const text = `@th,${(8 + 8 + 14 + 20 + 8) * 8},64 0x${Buffer.from(secret).toString('hex')}`
  const chains = hosts.map(({ name, namespace }) => {
    const rules = [
      `udp dport ${carrierPort} counter name carried`,
      `${text} counter name readable`,
      `udp dport ${tunnelPortDefault} counter name tunnel`,
    ]
    const hook = `type filter hook ingress device "${namespace.slice(-12)}" priority 0;`
    return `chain ${name} {\n${[hook, ...rules].join('\n')}\n}`
  })
  const names = ['carried', 'readable', 'tunnel']
  const counters = names.map((name) => `counter ${name} { }`)
  await inside(wire, 'nft', `table netdev watch {\n${[...counters, ...chains].join('\n')}\n}`)
  return async (): Promise<Record<string, number>> => {
    const { nftables } = JSON.parse(await inside(wire, 'nft', '-j', 'reset', 'counters'))
    const found = nftables.flatMap(({ counter }: any) => (counter ? [[counter.name, counter.packets]] : []))
    return Object.fromEntries(found)
  }
}

const say = (guest: NamespaceGuest, to: string, text = secret) =>
  guest.ask('send', Buffer.from(text).toString('base64'), to, 9000)

test(
  'machines on two hosts reach each other, and on the link between the hosts nobody can read it',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(2)
    const hosts = world.hosts as [TestHost, TestHost]
    const [x, y] = hosts
    const count = await watchLink(world, hosts)
    const { guests, keys, tell } = await connect(world, hosts)
    const [a, b] = guests as [NamespaceGuest, NamespaceGuest]
    assert.equal(await a.ask('reach', b.address, 80), `y7 hears ${a.address}`)
    assert.equal(await b.ask('reach', a.address, 80), `x7 hears ${b.address}`)
    await say(a, b.address)
    await hears(b, [`${secret} from ${a.address}`])
    const { tunnel, ...plain } = await count()
    assert.deepEqual(plain, { carried: 0, readable: 0 })
    assert.ok((tunnel as number) > 4)
    // The whole MTU of a machine fits into the tunnel, and one that does not know it learns it.
    await say(a, b.address, 'x'.repeat(1_370 - 28))
    await hears(b, [`${secret} from ${a.address}`, `${'x'.repeat(1_370 - 28)} from ${a.address}`])
    await a.ask('hold', 'large', b.address, 80)
    assert.match(await a.ask('echo', 'large', 'y'.repeat(20_000)), /^y+$/)
    // One peer with a key, an address or a port that cannot be used does not stop the others.
    const good = desired(keys, x, [y])
    const [peer] = good.peers as [DesiredTunnel['peers'][number]]
    const bad = [
      { ...peer, address: 'garbage' },
      { ...peer, public_key: 'x\n[Peer]' },
      { ...peer, address: '100.112.0.99' },
    ]
    await x.agent.ask('tunnel', { ...good, peers: [...bad, ...good.peers].reverse() })
    assert.equal((await x.agent.ask('unusable')).length, bad.length)
    assert.equal(await a.ask('reach', b.address, 80), `y7 hears ${a.address}`)
    await tell(x)

    // The same measurement sees everything of a subnet that is not encrypted.
    await count()
    const [c, d] = await Promise.all(
      hosts.map((host) => addGuest(world, { host, others: hosts.filter((one) => one !== host), vni: 9, slot: 1 })),
    )
    await d?.ask('hear', 9000)
    await say(c as NamespaceGuest, d?.address as string)
    await hears(d as NamespaceGuest, [`${secret} from ${c?.address}`])
    const seen = await count()
    assert.ok((seen.carried as number) >= 1 && seen.readable === 1, JSON.stringify(seen))
  },
)

test('neighbours of the link and other hosts send nothing into a subnet', leftOut(skip), async () => {
  await using world = await makeWorld(3)
  const [x, y, z] = world.hosts as [TestHost, TestHost, TestHost]
  const { guests, keys } = await connect(world, [x, y])
  const [a, b] = guests as [NamespaceGuest, NamespaceGuest]
  assert.equal(await a.ask('reach', b.address, 80), `y7 hears ${a.address}`)
  // A third host shares another subnet with the second, so it has a tunnel to it.
  keys.set(z, await keysOf(z))
  await z.agent.ask('tunnel', desired(keys, z, [y]))
  await y.agent.ask('tunnel', desired(keys, y, [x, z]))
  const [e, f] = await Promise.all([
    addGuest(world, { host: z, others: [y], vni: 8, slot: 0 }),
    addGuest(world, { host: y, others: [z], vni: 8, slot: 1 }),
  ])
  await f.ask('listen', 80)
  assert.equal(await e.ask('reach', f.address, 80), `y8 hears ${e.address}`)

  const packet = (output: string) => {
    const ends = { from: inner(x), to: inner(y), source: a.address, target: b.address }
    return carriedDatagram({ vni: 7, ...ends }, output)
  }
  const forge = async (namespace: string, output: string, [from, to]: readonly [string, string]) => {
    const forger = await world.talk(namespace, 'guest-process.ts', ['forger'])
    await ip(namespace, 'addr', 'replace', `${from}/32`, 'dev', 'lo')
    await forger.ask('send', packet(output), to, carrierPort, from)
    // The link would take it for that host.
    await ip(namespace, 'addr', 'del', `${from}/32`, 'dev', 'lo')
  }
  const link = `${world.number}-out`
  await ip(link, 'route', 'add', `${inner(y)}/32`, 'via', y.address)
  await forge(link, 'with the address of a host', [x.address, y.address])
  await forge(link, 'with the address of a tunnel', [inner(x), y.address])
  await forge(link, 'to the address of a tunnel', [inner(x), inner(y)])
  // The filter of the host itself would not let these out.
  await inside(z.namespace, 'nft', 'flush', 'chain', 'inet', 'bourse', 'output')
  await forge(z.namespace, 'of another subnet', [inner(z), inner(y)])
  await forge(z.namespace, 'with the address of another peer', [inner(x), inner(y)])
  // The tunnel leads to nothing else of a host.
  const inHost = await world.talk(y.namespace, 'guest-process.ts', ['host'])
  await inHost.ask('listen', 5432)
  const atPeer = await world.talk(x.namespace, 'guest-process.ts', ['peer'])
  assert.equal(await reachInVain(atPeer, inner(y), 5432), 'nothing')
  assert.equal(await atPeer.ask('reach', y.address, 5432), `host hears ${x.address}`)
  // Guests reach neither tunnels nor the addresses inside of them.
  for (const to of [inner(x), inner(y)]) assert.equal(await a.ask('reach', to, 80), 'refused')
  await inside(x.namespace, 'nft', 'flush', 'chain', 'inet', 'bourse', 'output')
  const genuine = await world.talk(x.namespace, 'guest-process.ts', ['host'])
  await genuine.ask('send', packet('of its peer'), inner(y), carrierPort)
  await hears(b, [`of its peer from ${a.address}`])
})

test('connections outlive changes of keys, and the former key is worth nothing afterwards', leftOut(skip), async () => {
  await using world = await makeWorld(2)
  const hosts = world.hosts as [TestHost, TestHost]
  const [x, y] = hosts
  const { guests, keys, tell } = await connect(world, hosts)
  const [a, b] = guests as [NamespaceGuest, NamespaceGuest]
  await a.ask('hold', 'across', b.address, 80)
  const before = (keys.get(x) as Keys).public_key
  const next: string = await x.agent.ask('makeNextKey')
  assert.equal(await x.agent.ask('makeNextKey'), next)
  keys.set(x, { public_key: before, next_public_key: next })
  await Promise.all([tell(x), tell(y)])
  assert.equal(await a.ask('echo', 'across', 'both are known'), 'both are known')
  // The second host does not know when the first one changes its key, and follows by itself.
  await x.agent.ask('useNextKey')
  assert.equal(await x.agent.ask('publicKey'), next)
  const echo = a.ask('echo', 'across', 'the next one is used')
  const device = deviceOf(world, y)
  const follows = async () => {
    await y.agent.ask('watchTunnel')
    const allowed = (await inside(y.namespace, 'wg', 'show', device, 'allowed-ips')).trim().split('\n')
    assert.deepEqual(allowed.toSorted(), [`${next}\t${inner(x)}/32`, `${before}\t(none)`].toSorted())
    return true
  }
  await eventually('the tunnel uses the next key', follows)
  assert.equal(await echo, 'the next one is used')
  keys.set(x, { public_key: next, next_public_key: null })
  await Promise.all([tell(x), tell(y)])
  assert.equal((await inside(y.namespace, 'wg', 'show', device, 'peers')).trim(), next)
  assert.equal(await a.ask('echo', 'across', 'the former one is gone'), 'the former one is gone')
})

test(
  'a host that has left is cut off, and a tunnel that dies is made again without a leak',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(2)
    const hosts = world.hosts as [TestHost, TestHost]
    const [x, y] = hosts
    const empty = await inventory(x, world.number)
    const count = await watchLink(world, hosts)
    const { guests, tell } = await connect(world, hosts)
    const [a, b] = guests as [NamespaceGuest, NamespaceGuest]
    await a.ask('hold', 'across', b.address, 80)
    await x.agent.ask('restart')
    assert.equal(await a.ask('echo', 'across', 'restarted'), 'restarted')

    const pids = (await inside(x.namespace, 'ip', 'netns', 'pids', x.namespace)).trim().split('\n')
    const names = await Promise.all(pids.map((pid) => inside(x.namespace, 'cat', `/proc/${pid}/comm`).catch(() => '')))
    const [pid] = pids.filter((_, index) => names[index]?.startsWith('wireguard-go'))
    await count()
    if (pid) await inside(x.namespace, 'kill', '-9', pid)
    else await ip(x.namespace, 'link', 'del', deviceOf(world, x))
    // Without the tunnel the packets have the default route, which leads to the other host.
    await ip(x.namespace, 'route', 'add', 'default', 'via', y.address)
    await say(a, b.address)
    assert.equal(await reachInVain(a, b.address, 80), 'nothing')
    const { carried, readable } = await count()
    assert.deepEqual([carried, readable], [0, 0])
    await x.agent.ask('watchTunnel')
    assert.equal(await x.agent.ask('tunnelProblem'), null)
    assert.equal(await a.ask('echo', 'across', 'made again'), 'made again')
    // A peer that the tunnel lacks has no route in it.
    await tell(x, [])
    await count()
    assert.equal(await reachInVain(a, b.address, 80), 'nothing')
    const { tunnel, ...plain } = await count()
    assert.deepEqual(plain, { carried: 0, readable: 0 }, `${tunnel} packets of the tunnel`)
    await tell(x)
    await ip(x.namespace, 'route', 'del', 'default')

    await tell(y, [])
    assert.equal(await reachInVain(a, b.address, 80), 'nothing')
    assert.equal(await a.ask('echo', 'across', 'cut off', 1_200), 'nothing')
    assert.equal(await inside(y.namespace, 'wg', 'show', deviceOf(world, y), 'peers'), '')
    await tell(y)
    // What was sent meanwhile is sent again, and may be answered before.
    assert.match(await a.ask('echo', 'across', 'back'), /^(?:cut off|back)/)

    await x.agent.ask('release', 'x7')
    await y.agent.ask('release', 'y7')
    assert.deepEqual(await inventory(x, world.number), empty)
  },
)
