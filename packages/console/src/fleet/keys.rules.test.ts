import assert from 'node:assert/strict'
import type { SshKey } from '@bourse/sdk'
import { test } from 'vitest'
import { chosenKeys, keysText, withKeys } from './keys.rules.ts'

const keyOf = (id: string, owner: string) => ({ id, owner: { id: owner } }) as Pick<SshKey, 'id' | 'owner'>
const keys = [keyOf('sshk_1', 'usr_ada'), keyOf('sshk_2', 'usr_ada'), keyOf('sshk_3', 'usr_bob')]
const textOf = (...ids: string[]) => keysText(new Set(ids), keys, 'usr_ada')

test('the keys of who creates an instance are chosen at first, and nothing is sent for them', () => {
  assert.deepEqual([...chosenKeys('', keys, 'usr_ada')], ['sshk_1', 'sshk_2'])
  assert.equal(textOf('sshk_2', 'sshk_1'), '')
  assert.deepEqual(withKeys({ pool: 'p' }, ''), { pool: 'p' })
})

test('another choice is kept and sent as it is: keys of others too, and none at all', () => {
  const text = textOf('sshk_1', 'sshk_3')
  assert.deepEqual([...chosenKeys(text, keys, 'usr_ada')], ['sshk_1', 'sshk_3'])
  assert.deepEqual(withKeys({ pool: 'p', ssh_keys: ['x'] }, text), { pool: 'p', ssh_keys: ['sshk_1', 'sshk_3'] })
  assert.deepEqual([...chosenKeys(textOf(), keys, 'usr_ada')], [])
  assert.deepEqual(withKeys({ pool: 'p' }, textOf()), { pool: 'p', ssh_keys: [] })
})

test('without keys of one’s own, no key is what the server gives by itself', () => {
  assert.equal(keysText(new Set(), keys, 'usr_eve'), '')
  assert.equal(keysText(new Set(['sshk_3']), keys, 'usr_eve'), 'sshk_3')
})

test('a key that a draft names and that is deleted is not chosen', () => {
  assert.deepEqual([...chosenKeys('sshk_1, sshk_9', keys, 'usr_ada')], ['sshk_1'])
})
