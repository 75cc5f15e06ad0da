import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { newSpec } from '../../test/support/new-spec.ts'
import { changePartition } from './partitions.ts'

test('the partition command learns the adapters of a machine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-partitions-'))
  const [command, log] = [join(directory, 'command'), join(directory, 'log')]
  writeFileSync(command, `#!/bin/sh\necho "$@; $BOURSE_ADAPTERS; $BOURSE_ADAPTER_GUIDS" >> ${log}\n`, { mode: 0o755 })
  const { network } = newSpec(directory, null)
  const machine = { id: 'inst_a', slot: 3, network: { ...network, partition_key: 12 } }
  const adapters = [
    { pci: '0000:18:00.0', guid: '0xb8cef60300abcd12' },
    { pci: '0000:3b:00.2', guid: null },
  ]
  await changePartition(command, 'join', { ...machine, adapters })
  await changePartition(command, 'leave', machine)
  assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), [
    'join 12 inst_a 3; 0000:18:00.0 0000:3b:00.2; 0xb8cef60300abcd12 -',
    'leave 12 inst_a 3; ;',
  ])
  rmSync(directory, { recursive: true })
})
