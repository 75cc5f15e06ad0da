import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, test, vi } from 'vitest'
import { noNetwork } from '../../test/support/new-spec.ts'
import { type HostNetwork, type NetworkOptions, openHostNetwork } from './host-network.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-network-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Networks of a host without tools, with which nothing of it is changed. */
function openBare(options: Partial<NetworkOptions> = {}): Promise<HostNetwork> {
  vi.stubEnv('PATH', directory)
  onTestFinished(() => void vi.unstubAllEnvs())
  return openHostNetwork({
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
    log: () => {},
    ...options,
  })
}

test('what stays of a network that could not be made is logged', async () => {
  // Nothing is set back either.
  const logged: [string, object][] = []
  const network = await openBare({ log: (...line) => void logged.push(line) })
  const attaching = network.attach({ id: 'inst_1', slot: 1, network: noNetwork })
  await assert.rejects(attaching, /The network of the machine could not be created/)
  assert.equal(network.attachmentOf('inst_1'), undefined)
  assert.deepEqual(logged, [
    [
      'A machine could not be attached, and not all of its network could be removed again.',
      { instance: 'inst_1', problem: 'spawn ip ENOENT' },
    ],
  ])
})

test('why a machine could not join its partition is known until one joins, not one without a partition', async () => {
  const command = join(directory, 'partition')
  const write = (script: string) => writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  symlinkSync('/bin/sh', join(directory, 'sh'))
  const network = await openBare({ partition_command: command })
  const attach = (id: string, partition_key: number | null) =>
    network.attach({ id, slot: 1, network: { ...noNetwork, partition_key } }).catch((error: Error) => error.message)
  assert.equal(network.partitionProblem(), undefined)
  write('echo no such key >&2; exit 1')
  const problem = 'The partition command failed to join: no such key'
  assert.equal(await attach('inst_1', 13), problem)
  await attach('inst_2', null)
  assert.equal(network.partitionProblem(), problem)
  write('exit 0')
  await attach('inst_3', 13)
  assert.equal(network.partitionProblem(), undefined)
})
