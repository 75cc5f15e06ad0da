import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatorOf, presentCreator } from './creators.rules.ts'

const maker = { account_id: 'acme', token_id: 'tokn_a', user_id: null } as const
const shown = { created_by_name: null, created_by_email: null }

test('what a token makes is the token’s, what a session makes is its user’s', () => {
  const byToken = creatorOf(maker, 'acme')
  assert.deepEqual(presentCreator({ ...shown, ...byToken, created_by_name: 'deploy' }), {
    type: 'token',
    id: 'tokn_a',
    name: 'deploy',
  })
  const byUser = creatorOf({ ...maker, user_id: 'usr_b' }, 'acme')
  assert.deepEqual(presentCreator({ ...shown, ...byUser, created_by_email: 'b@example.com' }), {
    type: 'user',
    id: 'usr_b',
    email: 'b@example.com',
  })
})

test('nothing of another account is written down: its work is the system’s', () => {
  for (const stranger of [undefined, maker]) {
    assert.deepEqual(presentCreator({ ...shown, ...creatorOf(stranger, 'other') }), { type: 'system' })
  }
})
