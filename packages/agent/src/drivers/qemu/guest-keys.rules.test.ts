import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { PlacedKey } from '../driver.ts'
import { planKeys, usersOf } from './guest-keys.rules.ts'

const line = (id: string) => `ssh-ed25519 AAAA${id} ada ${id}`
const key = (id: string): PlacedKey => ({ id: id as PlacedKey['id'], public_key: line(id) })

test('a key that nobody wants any more is removed wherever its line stands, also behind options', () => {
  const restricted = `no-pty,command="echo x" ${line('sshk_a')}`
  const guest = [
    { user: 'debian', lines: [line('sshk_a'), line('sshk_b')] },
    { user: 'root', lines: [restricted] },
  ]
  const plan = planKeys(guest, { wanted: [key('sshk_b')], placed: ['sshk_a', 'sshk_b'], is_settled: false })
  assert.deepEqual(plan, {
    removals: [
      { user: 'debian', lines: [line('sshk_a')] },
      { user: 'root', lines: [restricted] },
    ],
    additions: [],
    gone: ['sshk_a'],
  })
})

test('no line is removed that the platform has not written', () => {
  const lines = [
    'ssh-ed25519 AAAAsshk_a ada',
    'ssh-ed25519 AAAAsshk_a',
    `${line('sshk_a')} and more`,
    line('sshk_of_another_machine'),
    `# ${line('sshk_x')}x`,
    'garbage',
  ]
  const plan = planKeys([{ user: 'root', lines }], { wanted: [], placed: ['sshk_a'], is_settled: true })
  assert.deepEqual(plan, { removals: [], additions: [], gone: ['sshk_a'] })
})

test('a missing key is added, and one that a guest may still write is not gone', () => {
  const guest = [{ user: 'root', lines: [line('sshk_b')] }]
  const keys = { wanted: [key('sshk_b'), key('sshk_c')], placed: ['sshk_a', 'sshk_b'] }
  assert.deepEqual(planKeys(guest, { ...keys, is_settled: false }), {
    removals: [],
    additions: [line('sshk_c')],
    gone: [],
  })
  assert.deepEqual(planKeys(guest, { ...keys, is_settled: true }).gone, ['sshk_a'])
})

test('the users are those of the system, and what a guest says is no name of a file or an option', () => {
  assert.deepEqual(usersOf('debian'), ['debian', 'root'])
  assert.deepEqual(usersOf('rhel'), ['cloud-user', 'ec2-user', 'root'])
  for (const said of [undefined, 7, '', '../etc', '-x', 'a b', 'A', 'x'.repeat(33)]) {
    assert.deepEqual(usersOf(said), ['root'], String(said))
  }
})
