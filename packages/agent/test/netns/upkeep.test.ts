import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { metadataPort } from '../../src/network/plan.rules.ts'
import { inside, inventory, ip, lacking, makeWorld, type NamespaceGuest, type TestHost } from './world.ts'

const skip = await lacking()
const subnet = (address: string) => ({ cidr: '10.64.0.0/20', vni: 7, address })
const url = 'http://169.254.169.254/bourse/v1/termination'
const found = (body: object) => ({ status: 200, body: JSON.stringify(body) })
const missing = { status: 404, body: '{"error":"not_found"}' }

test(
  'a guest reads only its own notice, until it is withdrawn, through restarts of the agent',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(1)
    const [host] = world.hosts as [TestHost]
    const [a, b] = await Promise.all([
      world.addGuest(host, 'a', { slot: 0, subnet: subnet('10.64.0.4') }),
      world.addGuest(host, 'b', { slot: 1, subnet: subnet('10.64.0.5') }),
    ])
    const alone = await world.addGuest(host, 'alone', { slot: 2 })
    const read = () => Promise.all([a, b, alone].map((guest) => guest.ask('read', url)))
    assert.deepEqual(await read(), [missing, missing, missing])
    const notice = { deadline_at: 1_800_000_000, reason: 'sold' }
    await host.agent.ask('tell', 'a', notice)
    await host.agent.ask('tell', 'alone', { deadline_at: 1_800_000_060, reason: 'allocation_ended' })
    const notified = [found(notice), missing, found({ deadline_at: 1_800_000_060, reason: 'allocation_ended' })]
    assert.deepEqual(await read(), notified)
    await host.agent.ask('restart')
    assert.deepEqual(await read(), notified)
    await host.agent.ask('tell', 'a', null)
    assert.deepEqual(await read(), [missing, missing, notified[2]])
    assert.deepEqual(await a.ask('read', 'http://169.254.169.254/latest/meta-data/'), missing)
    // A guest may hold only a few connections open, so it cannot prevent other guests from reading.
    await Promise.all(Array.from({ length: 20 }, () => b.ask('open', '169.254.169.254', 80)))
    const fewOpen = async () => {
      const count = await b.ask('open_count')
      assert.ok(count <= 8, `${count} are open`)
      return true
    }
    await eventually('at most 8 connections of one guest are open', fewOpen)
    assert.deepEqual(await alone.ask('read', url), notified[2])
    // Requests from outside with the address of a guest are dropped.
    await ip(`${world.number}-out`, 'route', 'add', '169.254.32.0/24', 'via', host.address)
    assert.equal(await world.outside.ask('read', `http://169.254.32.254:${metadataPort}/`, 1_200), 'nothing')
  },
)

test(
  'a restarted agent keeps working networks, repairs broken ones and leaves nothing behind',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(1)
    const [host] = world.hosts as [TestHost]
    const look = () => inventory(host, world.number)
    const empty = await look()
    const options = { public_ip: '203.0.113.101', rules: [{ protocol: 'all', source_cidr: '0.0.0.0/0' }] } as const
    const a = await world.addGuest(host, 'a', { slot: 0, subnet: subnet('10.64.0.4'), ...options })
    const b = await world.addGuest(host, 'b', { slot: 1, subnet: subnet('10.64.0.5') })
    const alone = await world.addGuest(host, 'alone', { slot: 2 })
    await Promise.all([a, b, alone].map((guest) => guest.ask('listen', 22)))
    await world.outside.ask('hold', 'in', '203.0.113.101', 22)
    await b.ask('hold', 'across', '10.64.0.4', 22)

    const full = await look()
    await host.agent.ask('restart')
    await host.agent.ask('attach', alone.machine)
    assert.deepEqual(await look(), full)
    assert.equal(await world.outside.ask('echo', 'in', 'one'), 'one')
    assert.equal(await b.ask('echo', 'across', 'two'), 'two')

    // Another program removes the rules of the agent.
    await inside(host.namespace, 'nft', 'flush', 'ruleset')
    await host.agent.ask('mend')
    assert.deepEqual(await look(), full)
    assert.equal(await world.outside.ask('echo', 'in', 'mended'), 'mended')
    const namespace = `bourse-${world.number}x-7`
    for (const words of ['route del 10.64.0.4', 'neigh flush nud permanent', 'addr del 169.254.32.1/32 dev up0']) {
      await ip(namespace, ...words.split(' '))
    }
    await ip(host.namespace, 'link', 'del', 'bu-m2')
    await host.agent.ask('restore')
    assert.deepEqual(await look(), full)
    assert.equal(await world.outside.ask('echo', 'in', 'three'), 'three')
    assert.equal(await world.outside.ask('reach', host.address, 22_002), 'alone hears 203.0.113.200')

    await host.agent.ask('release', 'b')
    await host.agent.ask('release', 'alone')
    assert.equal(await world.outside.ask('echo', 'in', 'four'), 'four')
    assert.doesNotMatch(await ip(namespace, 'link'), /tap1/)
    await host.agent.ask('release', 'a')
    await host.agent.ask('release', 'a')
    assert.deepEqual(await look(), empty)
  },
)

test('a machine that cannot be connected leaves nothing, and other machines are unchanged', leftOut(skip), async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  const a = await world.addGuest(host, 'a', { slot: 0, subnet: subnet('10.64.0.4') })
  const full = await inventory(host, world.number)
  const bad = async (slot: number, network: Partial<NamespaceGuest['machine']['network']>) =>
    host.agent.ask('attach', { ...world.changed(a, network), id: 'bad', slot })
  await assert.rejects(bad(1, { private_ip: '10.99.0.4' }), /10.99.0.4 is not an address of/)
  await assert.rejects(bad(1, { public_ip: host.address, firewall_rules: [] }), /is the address of this host/)
  await assert.rejects(bad(1, { mac: '02:00:00:00:00:01 } ; flush ruleset' }), /not a hardware address/)
  // There is no guest for its network card.
  await assert.rejects(bad(1, { mac: '02:00:00:00:77:77', private_ip: '10.64.0.9' }), /could not be created/)
  assert.deepEqual(await inventory(host, world.number), full)
  await a.ask('listen', 22)
  assert.equal(await world.outside.ask('reach', host.address, 22_000), 'a hears 203.0.113.200')
})

test('a guest gets its address by DHCP over its own link only', leftOut(skip), async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  const a = await world.addGuest(host, 'a', { slot: 0, subnet: subnet('10.64.0.4') })
  await world.addGuest(host, 'b', { slot: 1, subnet: subnet('10.64.0.5') })
  const namespace = world.namespaceOf(a)
  await ip(namespace, 'addr', 'flush', 'dev', 'eth0')
  // It receives packets for the address without having it on a link, so its request has no source address.
  await ip(namespace, 'route', 'add', 'local', '10.64.0.4', 'dev', 'lo', 'table', 'local')
  await ip(namespace, 'route', 'add', '255.255.255.255', 'dev', 'eth0')
  assert.equal(await a.ask('askForAddress', a.machine.network.mac), '10.64.0.4, told by 10.64.0.1:67')
  assert.equal(await a.ask('askForAddress', '02:00:00:00:00:01', 1_200), 'nothing')
})

test('a host supports the networks of one agent at a time', leftOut(skip), async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  assert.deepEqual(await host.agent.ask('obstacles'), [])
  await world.addGuest(host, 'a', { slot: 0 })
  assert.deepEqual(await host.agent.ask('obstacles'), [])
  const words = [`${world.number}other`, 'q', host.address, world.partitions.command]
  const other = await world.talk(host.namespace, 'host-process.ts', words)
  assert.match((await other.ask('obstacles')).join(), /another agent has networks/)
  assert.doesNotMatch((await other.ask('settings')).join(), /ip_forward/)
  await inside(host.namespace, 'sysctl', '-q', '-w', 'net.ipv4.ip_forward=0')
  assert.match((await other.ask('settings')).join(), /does not forward packets: sysctl -w net.ipv4.ip_forward=1/)
})

test('the later removal of an old instance does not affect the new instance in its slot', leftOut(skip), async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  await world.addGuest(host, 'old', { slot: 0 })
  await host.agent.ask('tell', 'old', { deadline_at: 1, reason: 'replaced' })
  const heir = await world.addGuest(host, 'heir', { slot: 0 })
  await host.agent.ask('release', 'old')
  await heir.ask('listen', 22)
  assert.equal(await world.outside.ask('reach', host.address, 22_000), 'heir hears 203.0.113.200')
  assert.deepEqual(await heir.ask('read', url), missing)
})

test('machines join and leave InfiniBand partitions by the command of the operator', leftOut(skip), async () => {
  await using world = await makeWorld(1, { partition_command: true })
  const [host] = world.hosts as [TestHost]
  const { command, log } = world.partitions
  await writeFile(
    command,
    `#!/bin/sh\nif [ "$2" = 13 ]; then echo no such key >&2; exit 1; fi\necho "$@" $BOURSE_ADAPTERS >> ${log}\n`,
  )
  await chmod(command, 0o755)
  const a = await world.addGuest(host, 'a', { slot: 4, partition_key: 12 })
  // It is already a member, whatever else changes in its network.
  await host.agent.ask('attach', a.machine)
  // A machine that cannot be connected leaves the partition again, as does one whose slot another machine takes.
  const adapters = [{ pci: '0000:18:00.0', guid: null }]
  const lost = world.changed(a, { mac: '02:00:00:00:77:77', partition_key: 14 })
  await assert.rejects(host.agent.ask('attach', { ...lost, id: 'lost', slot: 5, adapters }), /could not be created/)
  await world.addGuest(host, 'heir', { slot: 4, partition_key: 15 })
  await host.agent.ask('release', 'a')
  await host.agent.ask('release', 'heir')
  const notified = [
    'join 12 a 4',
    'join 14 lost 5 0000:18:00.0',
    'leave 14 lost 5 0000:18:00.0',
    'leave 12 a 4',
    'join 15 heir 4',
    'leave 15 heir 4',
  ]
  assert.deepEqual((await readFile(log, 'utf8')).trim().split('\n'), notified)
  assert.equal(await host.agent.ask('partitionProblem'), null)
  await assert.rejects(world.addGuest(host, 'b', { slot: 5, partition_key: 13 }), /failed to join: no such key/)
  const problem = 'The partition command failed to join: no such key'
  assert.equal(await host.agent.ask('partitionProblem'), problem)
  await world.addGuest(host, 'plain', { slot: 6 })
  assert.equal(await host.agent.ask('partitionProblem'), problem)
  await world.addGuest(host, 'd', { slot: 7, partition_key: 16 })
  assert.equal(await host.agent.ask('partitionProblem'), null)
  await using other = await makeWorld(1)
  const [without] = other.hosts as [TestHost]
  await assert.rejects(
    other.addGuest(without, 'c', { slot: 0, partition_key: 12 }),
    /no partition command for InfiniBand/,
  )
})
