import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, test, vi } from 'vitest'
import { openHostNetwork } from './host-network.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-network-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('what stays of a network that could not be made is logged', async () => {
  // Without a tool nothing of this host is changed, and neither is anything set back.
  vi.stubEnv('PATH', directory)
  onTestFinished(() => void vi.unstubAllEnvs())
  const logged: [string, object][] = []
  const network = await openHostNetwork({
    directory,
    setup: {
      tag: 'ab12cd',
      address: '192.0.2.1',
      first_port: 22_000,
      reachable: [],
      nameservers: [],
      tunnel_device: 'bw-ab12cd',
    },
    makePort: () => assert.fail('no port is due'),
    tunnel_kind: undefined,
    log: (...line) => void logged.push(line),
  })
  const attaching = network.attach({
    id: 'inst_1',
    slot: 1,
    network: {
      mac: '02:00:00:00:00:01',
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
    },
  })
  await assert.rejects(attaching, /The network of the machine could not be created/)
  assert.equal(network.attachmentOf('inst_1'), undefined)
  assert.deepEqual(logged, [
    [
      'A machine could not be attached, and not all of its network could be removed again.',
      { instance: 'inst_1', problem: 'spawn ip ENOENT' },
    ],
  ])
})
