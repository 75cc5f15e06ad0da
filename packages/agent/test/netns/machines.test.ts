import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tunnelPortDefault } from '@bourse/api/fleet/agent.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { findSettings } from '../../src/network/probe.ts'
import { booting } from '../support/driver-contract.ts'
import { machineImage } from '../support/tiny-image.ts'
import type { Conversation } from './conversation.ts'
import { agentFolder, inside, inventory, lackingTunnels, makeWorld, reachInVain, type TestHost } from './world.ts'

const image = await machineImage()
const closed = (await findSettings()).find((one) => one.includes('/dev/net/tun')) ?? false
if (closed && process.env.BOURSE_REQUIRE_NETNS === '1') throw new Error(closed)
const skip = (await lackingTunnels()) || closed || (image.missing ?? false)
const program = join(import.meta.dirname, '../../src/main.ts')
const publicAddress = '203.0.113.101'

/** Prints its notice on the console as soon as there is one. */
const userData = `#!/bin/sh
until wget -q -O /run/notice http://169.254.169.254/bourse/v1/termination; do sleep 1; done
echo "notice: $(cat /run/notice)"
`

test(
  'a machine on a network of its host runs from creation to end through restarts of the agent',
  leftOut(skip),
  async () => {
    await using world = await makeWorld(1)
    const [host] = world.hosts as [TestHost]
    const before = await inventory(host, world.number)
    const market = await world.talk(host.namespace, 'market-process.ts', [])
    const { url, permit, sku, image: imageId } = await market.ask('prepare', image.path)
    const words = ['--directory', join(world.directory, agentFolder), '--allow-tcg', '--network', 'full']
    const agent = (...more: string[]) => [process.execPath, program, 'agent', ...more, ...words]
    const place = ['--host-address', host.address]
    const permitFile = join(world.directory, 'permit')
    await writeFile(permitFile, permit)
    const permitted = ['--server', url, '--token-file', permitFile, '--public-ipv4', publicAddress]
    const hostId = (await inside(host.namespace, ...agent('enrol', ...permitted, ...place))).trim()
    assert.equal((await market.ask('host', hostId)).facts.network, 'full')
    const start = () =>
      spawn('nsenter', [`--net=/run/netns/${host.namespace}`, ...agent('run', ...place)], { stdio: 'inherit' })
    let child = start()
    const end = async (signal: NodeJS.Signals) => {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    const restart = async (signal: NodeJS.Signals) => {
      await end(signal)
      child = start()
    }
    try {
      const pool = await market.ask('grant', hostId, sku, 1_200)
      const fields = { pool, sku, image: imageId }
      await liveAndEnd({ market, outside: world.outside, restart, fields })
      const { traffic, tunnel } = await market.ask('host', hostId)
      assert.deepEqual([traffic, tunnel.port, tunnel.next_public_key], ['encrypted', tunnelPortDefault, null])
      const isFree = async () => (await market.ask('host', hostId)).used_slots === 0
      await eventually('its slot is free', isFree, booting)
      const isGone = async () => {
        assert.deepEqual(await inventory(host, world.number), before)
        return true
      }
      await eventually('the network of the host is as before', isGone, booting)
    } finally {
      await end('SIGTERM')
    }
  },
)

type MachineLife = {
  market: Conversation
  outside: Conversation
  /** Ends the agent, and starts another that adopts its machines. */
  restart: (signal: NodeJS.Signals) => Promise<void>
  fields: object
}

async function liveAndEnd({ market, outside, restart, fields }: MachineLife): Promise<void> {
  const firewall = await market.ask('call', 'POST', '/preview/v2/firewalls', { rules: [] })
  const subnet = await market.ask('call', 'POST', '/preview/v2/subnets', { region: 'north', cidr: '10.64.0.0/20' })
  const network = { subnet: subnet.id, _preview_enable_public_ipv4: true, _preview_firewall: firewall.id }
  const cloud_init_user_data = Buffer.from(userData).toString('base64')
  const { id } = await market.ask('call', 'POST', '/v2/instances', { ...fields, ...network, cloud_init_user_data })
  const logs = async () => {
    const { data } = await market.ask('call', 'GET', `/v2/instances/${id}/logs?limit=2500`)
    return Buffer.concat(data.map((chunk: { data: string }) => Buffer.from(chunk.data, 'base64'))).toString()
  }
  const says = (what: RegExp) => {
    const look = async () => {
      const output = await logs()
      assert.match(output, what)
      return what.exec(output)?.[0]
    }
    return eventually(`the console contains ${what}`, look, booting)
  }
  // It got its address by DHCP, and its host keys were read over the link of the host, whatever the firewall allows.
  assert.match(await says(/eth0 has .*/), /10\.64\.0\.4\/20/)
  const look = async () => {
    const found = await market.ask('find', `/v2/instances/${id}/ssh`)
    assert.equal(found?.object, 'instance_ssh', JSON.stringify(found))
    return found
  }
  const ssh: any = await eventually('its SSH server is known', look, booting)
  assert.deepEqual([ssh.hostname, ssh.port, ssh.host_keys[0].key_type], [publicAddress, 22, 'ssh-ed25519'])
  await restart('SIGTERM')
  assert.equal(await reachInVain(outside, publicAddress, 22), 'nothing')
  const rules = [{ protocol: 'tcp', port_from: 22, source_cidr: '203.0.113.200/32' }]
  await market.ask('call', 'PUT', `/preview/v2/firewalls/${firewall.id}/rules`, { rules })
  const banner = async () => {
    const output: string = await outside.ask('reach', publicAddress, 22)
    return output !== 'nothing' && output
  }
  assert.match(await eventually('its SSH server is reached', banner, booting), /^SSH-2\.0-/)
  await restart('SIGKILL')
  // Its window ends within the notice period: the guest reads the notice, and is ended at the deadline.
  await market.ask('advance', 700)
  const { termination } = await market.ask('call', 'GET', `/preview/v2/explain/instances/${id}`)
  const notice = JSON.stringify({ deadline_at: termination.deadline_at, reason: 'allocation_ended' })
  assert.ok((await says(/notice: .*/)).includes(notice))
  await market.ask('advance', 600)
  assert.equal((await market.ask('call', 'GET', `/v2/instances/${id}`)).state, 'terminated')
}
