import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../src/clock.ts'
import { findSettings } from '../../src/network/probe.ts'
import { patience } from '../support/driver-contract.ts'
import { machineImage } from '../support/tiny-image.ts'
import { inventory, lacking, makeWorld, type TestHost } from './world.ts'

const image = await machineImage()
const closed = (await findSettings()).find((one) => one.includes('/dev/net/tun')) ?? false
if (closed && process.env.BOURSE_REQUIRE_NETNS === '1') throw new Error(closed)
const skip = (await lacking()) || closed || (image.missing ?? false)

/** Asks the metadata for the notice until there is one, and then until there is none, and says what it sees. */
const userData = `#!/bin/sh
url=http://169.254.169.254/bourse/v1/termination
until wget -q -O /run/notice $url; do sleep 1; done
echo "notice: $(cat /run/notice)"
while wget -q -O /run/notice $url; do sleep 1; done
echo "withdrawn"
`

test('a real machine gets its address, reads its notice and is reached at its public address', { skip }, async () => {
  await using world = await makeWorld(1)
  const [host] = world.hosts as [TestHost]
  const before = await inventory(host, world.number)
  const words = [world.number, 'q', host.address, `${world.directory}/q`]
  const agent = await world.talk(host.namespace, 'machine-process.ts', words)
  await agent.ask('probe')
  const machine = world.machineOf('vm', '02:00:00:00:00:42', {
    slot: 3,
    subnet: { cidr: '10.64.0.0/20', vni: 7, address: '10.64.0.9' },
    public_ip: '203.0.113.101',
    rules: [{ protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '203.0.113.200/32' }],
  })
  await agent.ask('start', machine, image.path, userData)
  const says = async (what: RegExp) => {
    const said = await waitFor(async () => what.exec(await agent.ask('console', 'vm'))?.[0], patience)
    assert.ok(said, `the console never said ${what}: ${await agent.ask('console', 'vm')}`)
    return said
  }
  assert.match(await says(/eth0 has .*/), /10\.64\.0\.9\/20/)
  const keys = await waitFor(async () => (await agent.ask('keys', 'vm')) ?? undefined, patience)
  assert.equal(keys[0].key_type, 'ssh-ed25519')
  assert.deepEqual(await agent.ask('shell', 'vm'), { hostname: '203.0.113.101', port: 22 })
  assert.match(await world.outside.ask('reach', '203.0.113.101', 22), /^SSH-2\.0-/)
  const notice = { deadline_at: 1_800_000_000, reason: 'sold' }
  await agent.ask('tell', 'vm', notice)
  assert.ok((await says(/notice: .*/)).includes(JSON.stringify(notice)))
  await agent.ask('tell', 'vm', null)
  await says(/withdrawn/)
  await agent.ask('end', 'vm')
  assert.deepEqual(await inventory(host, world.number), before)
})
