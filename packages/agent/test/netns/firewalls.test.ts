import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import type { Conversation } from './conversation.ts'
import { hears, lacking, makeWorld, type NamespaceGuest, reachInVain, type TestHost } from './world.ts'

const skip = await lacking()
const tcp = (port: number, source_cidr = '0.0.0.0/0') =>
  ({ protocol: 'tcp', port_from: port, port_to: port, source_cidr }) as const

test(
  'a public address accepts only the traffic that its firewall allows, and follows changes at once',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(1)
    const [host] = world.hosts as [TestHost]
    const { outside } = world
    const options = { public_ip: '203.0.113.101', rules: [tcp(80), tcp(443, '198.51.100.0/24')] }
    const web = await world.addGuest(host, 'web', {
      slot: 0,
      subnet: { cidr: '10.64.0.0/20', vni: 7, address: '10.64.0.4' },
      ...options,
    })
    const other = await world.addGuest(host, 'other', { slot: 1 })
    await listenAt(web, 22, 80, 443, 8080)
    await listenAt(other, 22, 80)
    await Promise.all([8080, 9000].map((port) => outside.ask('listen', port)))

    // Allowed by the rules, and the machine sees the source. Not allowed: another port, another source, the SSH port.
    assert.equal(await outside.ask('reach', '203.0.113.101', 80), 'web hears 203.0.113.200')
    const closed = [22, 443, 8080].map((port) => reachInVain(outside, '203.0.113.101', port))
    assert.deepEqual(await Promise.all(closed), ['nothing', 'nothing', 'nothing'])
    assert.equal(await outside.ask('reach', host.address, 22_000), 'refused')
    // Outbound traffic has the public address as its source. A machine without one uses the address of its host.
    assert.equal(await web.ask('reach', '203.0.113.200', 8080), 'outside hears 203.0.113.101')
    assert.equal(await other.ask('reach', '203.0.113.200', 8080), 'outside hears 203.0.113.11')
    // Of that machine only SSH is reachable, at the port of the host for its slot.
    assert.equal(await outside.ask('reach', host.address, 22_001), 'other hears 203.0.113.200')
    // Its neighbour is treated like any other source. Its traffic has the address of the host, not of the host's link.
    assert.equal(await other.ask('reach', '203.0.113.101', 80), 'web hears 203.0.113.11')
    assert.equal(await reachInVain(other, '203.0.113.101', 22), 'nothing')

    await rulesChange({ host, outside, web, other, changed: world.changed })
  },
)

test('a machine reaches neither its host nor private networks behind it', leftOut(skip), async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  const machine = await world.addGuest(host, 'machine', { slot: 0, public_ip: '203.0.113.101', rules: [] })
  const inHost = await world.talk(host.namespace, 'guest-process.ts', ['host'])
  await inHost.ask('listen', 5432)
  await machine.ask('listen', 22)
  await world.outside.ask('listen', 80)
  const tries = [host.address, '169.254.32.254', '10.0.2.2'].map((to) => reachInVain(machine, to, 5432))
  assert.deepEqual(await Promise.all(tries), ['nothing', 'nothing', 'nothing'])
  assert.equal(await machine.ask('reach', '192.168.7.7', 80), 'refused')
  assert.equal(await reachInVain(machine, '169.254.169.253', 80), 'nothing')
  assert.equal(await machine.ask('reach', '203.0.113.200', 80), 'outside hears 203.0.113.101')
  // Nor does a process that has escaped from its machine into the namespace around it.
  const escaped = await world.talk(`bourse-${world.number}x-m0`, 'guest-process.ts', ['escaped'])
  await world.outside.ask('hear', 9000)
  for (const [from, output] of [
    [escaped, 'escaped'],
    [machine, 'machine'],
  ] as const) {
    await from.ask('send', Buffer.from(output).toString('base64'), '203.0.113.200', 9000)
  }
  await hears(world.outside, ['machine from 203.0.113.101'])
  // The host itself can reach SSH, whatever the firewall allows.
  assert.equal(await inHost.ask('reach', '169.254.32.1', 22), 'machine hears 169.254.32.254')
})

type Changing = {
  host: TestHost
  outside: Conversation
  web: NamespaceGuest
  other: NamespaceGuest
  changed: Awaited<ReturnType<typeof makeWorld>>['changed']
}

/** A removed rule also ends its open connections. Connections that the machine opened remain. */
async function rulesChange({ host, outside, web, other, changed }: Changing): Promise<void> {
  await outside.ask('hold', 'in', '203.0.113.101', 80)
  await web.ask('hold', 'out', '203.0.113.200', 9000)
  assert.equal(await outside.ask('echo', 'in', 'before'), 'before')
  await host.agent.ask('attach', changed(web, { firewall_rules: [tcp(8080, '203.0.113.200/32')] }))
  assert.equal(await outside.ask('reach', '203.0.113.101', 8080), 'web hears 203.0.113.200')
  assert.equal(await web.ask('echo', 'out', 'still'), 'still')
  assert.equal(await outside.ask('echo', 'in', 'after', 1_200), 'nothing')
  assert.equal(await reachInVain(outside, '203.0.113.101', 80), 'nothing')
  assert.equal(await reachInVain(other, '203.0.113.101', 8080), 'nothing')
  await host.agent.ask('attach', changed(web, { firewall_rules: [tcp(80)] }))
  // The delayed data arrive when they are allowed, on a slow host before these are sent.
  assert.match(await outside.ask('echo', 'in', 'again'), /^(after|again)/)
}

async function listenAt(guest: NamespaceGuest, ...ports: number[]): Promise<void> {
  await Promise.all(ports.map((port) => guest.ask('listen', port)))
}
