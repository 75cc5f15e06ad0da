import assert from 'node:assert/strict'
import { test } from 'vitest'
import { draftKey, draftsAmong, type Owner, ownKey } from './own-keys.rules.ts'

const token = { object: 'token', id: 'tokn_1', name: 'ci', expires_at: null } as const
const userOf = (id: `usr_${string}`) => ({ object: 'user', id, email: null, name: 'ada' }) as Owner['user']
const ada: Owner = { id: 'acme', user: userOf('usr_1'), token }
const others: Owner[] = [
  { ...ada, id: 'other' },
  { ...ada, user: userOf('usr_2') },
  { ...ada, user: null },
  { ...ada, user: userOf('usr_10') },
]

test('each person at each account has keys of its own', () => {
  const keys = [ada, ...others].map((owner) => ownKey(owner, 'placing'))
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(ownKey(ada, 'placing'), 'bourse.acme.usr_1.placing')
  assert.equal(draftKey(ada, 'create-token'), 'bourse.acme.usr_1.draft.create-token')
})

test('drafts are found: all, or those of others, and nothing else that a tab keeps', () => {
  const own = draftKey(ada, 'create-token')
  const foreign = others.map((owner) => draftKey(owner, 'create-token'))
  const rest = [ownKey(ada, 'placing'), 'theme', 'other.draft.form']
  assert.deepEqual(draftsAmong([own, ...foreign, ...rest]), [own, ...foreign])
  assert.deepEqual(draftsAmong([own, ...foreign, ...rest], ada), foreign)
})
