import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { newSpec } from '../../test/support/new-spec.ts'
import { isStartFailure } from '../problems.ts'
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
  await changePartition({ partition_command: command }, 'join', { ...machine, adapters })
  await changePartition({ partition_command: command }, 'leave', machine)
  assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), [
    'join 12 inst_a 3; 0000:18:00.0 0000:3b:00.2; 0xb8cef60300abcd12 -',
    'leave 12 inst_a 3; ;',
  ])
  rmSync(directory, { recursive: true })
})

test('a failed partition command is told by its last line, bounded and without values of the environment', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-partitions-'))
  atEnd(() => rmSync(directory, { recursive: true }))
  const command = join(directory, 'command')
  const { network } = newSpec(directory, null)
  const machine = { id: 'inst_a', slot: 3, network: { ...network, partition_key: 12 } }
  const options = { partition_command: command, variables: { FABRIC_TOKEN: 'secret of a test', SHORT: 'for' } }
  const failureOf = async (script: string) => {
    writeFileSync(command, `#!/bin/sh\n${script}\nexit 1\n`, { mode: 0o755 })
    const failed = await changePartition(options, 'join', machine).catch((error: unknown) => error)
    assert.ok(isStartFailure(failed) && failed.reason === 'partition_refused')
    return failed.message
  }
  const failed = 'The partition command failed to join: '
  assert.equal(
    await failureOf('echo first >&2; echo "401 for Bearer secret of a test" >&2'),
    `${failed}401 for Bearer ***`,
  )
  assert.equal(await failureOf('printf %0500d 0 >&2'), `${failed}${'0'.repeat(200)}`)
  assert.match(await failureOf(''), /failed to join: Command failed/)
})
