import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import { test } from 'vitest'
import { recordWith } from '../test/support/agent-context.ts'
import { publicHalf } from './identity.ts'
import {
  type MachineStatement,
  machineKey,
  openStatements,
  type StatedRecord,
  type StatementOptions,
} from './statements.ts'

const { privateKey: key } = generateKeyPairSync('ed25519')
const device = (pci: string) => ({
  pci,
  numa_node: 0,
  iommu_group: 1,
  driver: null,
  pcie_generation: null,
  pcie_lanes: null,
})
const hardware: HostHardware = {
  processors: { model: 'x', sockets: 1, cores: 1, threads: 1, features: [] },
  memory_bytes: 2 ** 34,
  numa_nodes: [{ node: 0, threads: 1, memory_bytes: 2 ** 34, free_2mib_pages: 0, free_1gib_pages: 0 }],
  storage: { size_bytes: 2 ** 40, free_bytes: 2 ** 40, is_rotational: false, is_read_only: false },
  accelerators: [
    {
      kind: 'h100',
      name: 'H100',
      form_factor: 'sxm5',
      memory_bytes: 80 * 2 ** 30,
      pci_id: '10de:2330',
      subsystem_id: null,
      bar_bytes: 2 ** 37,
      pcie_generation_max: 5,
      pcie_lanes_max: 16,
      devices: [device('0000:01:00.0'), device('0000:02:00.0')],
    },
  ],
  rdma: [
    {
      device: 'mlx5_0',
      port: 1,
      link_layer: 'infiniband',
      state: 'ACTIVE',
      gigabits_per_second: 400,
      numa_node: 0,
      guid: null,
      subnet_prefix: null,
      functions: ['0000:18:00.0'],
    },
  ],
  is_iommu_on: true,
  is_secure_boot_on: null,
  is_kvm_usable: true,
  kernel: '6.1.0',
  qemu: null,
  problems: [],
}
const signal = new AbortController().signal

function record(id: string, more: Partial<StatedRecord> = {}): StatedRecord {
  const machine = { cpu_count: 2, memory_bytes: 1024, storage_bytes: null }
  return recordWith({ id, phase: 'running', wanted: { ...recordWith().wanted, slot: 3, machine }, ...more })
}

function opened(answer: StatementOptions['send'] = async () => ({ refused: [] })) {
  const sent: MachineStatement[][] = []
  const said: unknown[] = []
  const statements = openStatements({
    key,
    host: 'host_a',
    devicesOf: (id) => (id === 'inst_a' ? ['0000:02:00.0', '0000:18:00.0'] : []),
    send: (some, until) => {
      sent.push([...some])
      return answer(some, until)
    },
    log: (_message, fields) => said.push(fields),
  })
  const step = (...records: StatedRecord[]) => statements.step(records, hardware, signal)
  return { step, said, ids: () => sent.map((some) => some.map(({ instance }) => instance)), sent }
}

const claimsIn = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1] as string, 'base64url').toString())

test('the key of a machine is its own, always the same, and not that of the host', () => {
  const keys = [machineKey(key, 'inst_a'), machineKey(key, 'inst_a'), machineKey(key, 'inst_b'), key].map(publicHalf)
  assert.equal(keys[0], keys[1])
  assert.equal(new Set(keys).size, 3)
  assert.equal(createPublicKey(machineKey(key, 'inst_a')).asymmetricKeyType, 'ed25519')
})

test('a statement has the slot, the size and the devices of its machine, and no name of the host', async () => {
  const { step, sent } = opened()
  await step(record('inst_a'))
  const [{ statement, key_proof }] = sent[0] as [MachineStatement]
  const { sub, slot, iat, exp, hardware: has } = claimsIn(statement)
  assert.deepEqual([sub, slot, exp - iat, has.num_vcpus, has.storage_bytes], ['inst_a', 3, 7200, 2, null])
  assert.deepEqual(
    has.accelerators.map(({ pci }: { pci: string }) => pci),
    ['0000:02:00.0'],
  )
  assert.deepEqual(
    has.rdma.map(({ pci }: { pci: string }) => pci),
    ['0000:18:00.0'],
  )
  assert.ok(!JSON.stringify(claimsIn(statement)).includes('host_a'))
  assert.deepEqual([claimsIn(key_proof).iss, claimsIn(key_proof).sub], ['host_a', 'inst_a'])
})

test('machines are stated once they run, again after another start, and no more than a report takes', async () => {
  const { step, ids } = opened()
  await step(record('inst_a', { phase: 'starting' }))
  await step(record('inst_a'), record('inst_b'))
  await step(record('inst_a'), record('inst_b'))
  await step(record('inst_a', { generation: 2 }), record('inst_b'))
  await step(record('inst_b'))
  await step(record('inst_a', { generation: 2 }), record('inst_b'))
  assert.deepEqual(ids(), [['inst_a', 'inst_b'], ['inst_a'], ['inst_a']])
  const many = opened()
  const records = Array.from({ length: 20 }, (_, index) => record(`inst_${index}`))
  for (let round = 0; round < 3; round++) await many.step(...records)
  assert.deepEqual(
    many.ids().map(({ length }) => length),
    [16, 4],
  )
})

test('a refusal is logged; a failure, or an older server, is no reason to try each second', async () => {
  const refused = opened(async () => ({ refused: [{ instance: 'inst_a', reason: 'not_timely' }] }))
  await refused.step(record('inst_a'))
  assert.deepEqual(refused.said, [{ id: 'inst_a', reason: 'not_timely' }])
  const failing = opened(() => Promise.reject(new Error('away')))
  await assert.rejects(failing.step(record('inst_a')), /away/)
  await failing.step(record('inst_a'))
  assert.equal(failing.ids().length, 1)
  const older = opened(async () => undefined)
  await older.step(record('inst_a'))
  assert.deepEqual(older.said, [])
})
