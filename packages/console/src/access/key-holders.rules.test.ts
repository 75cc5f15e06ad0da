import assert from 'node:assert/strict'
import { test } from 'vitest'
import { holdersOf } from './key-holders.rules.ts'

const machine = (name: string, ...ssh_keys: (readonly [id: string, state: string])[]) => ({
  id: `inst_${name}` as const,
  name,
  ssh_keys: ssh_keys.map(([id, state]) => ({ id, state })),
})

test('machines with a key are named, first those that no other key opens', () => {
  const machines = [
    machine('shared', ['sshk_1', 'present'], ['sshk_2', 'waiting']),
    machine('other', ['sshk_2', 'present']),
    machine('alone', ['sshk_1', 'present'], ['sshk_3', 'removing']),
    machine('gone', ['sshk_1', 'left']),
    { id: 'inst_none' as const, name: 'none' },
  ]
  assert.deepEqual(
    holdersOf('sshk_1', machines).map(({ name, isOnly }) => [name, isOnly]),
    [
      ['alone', true],
      ['shared', false],
    ],
  )
})
