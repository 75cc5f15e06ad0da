import assert from 'node:assert/strict'
import { test } from 'vitest'
import { creatorOf, presentCreator } from './creators.rules.ts'

const caller = { account_id: 'acme', token_id: 'tokn_a', user_id: null } as const
const shown = { created_by_name: null, created_by_email: null }

test('the creator is the token, or the user of a console session', () => {
  const byToken = creatorOf(caller, 'acme')
  assert.deepEqual(presentCreator({ ...shown, ...byToken, created_by_name: 'deploy' }), {
    type: 'token',
    id: 'tokn_a',
    name: 'deploy',
  })
  const byUser = creatorOf({ ...caller, user_id: 'usr_b' }, 'acme')
  assert.deepEqual(presentCreator({ ...shown, ...byUser, created_by_email: 'b@example.com' }), {
    type: 'user',
    id: 'usr_b',
    email: 'b@example.com',
  })
})

test('a caller of another account is recorded as the system', () => {
  for (const stranger of [undefined, caller]) {
    assert.deepEqual(presentCreator({ ...shown, ...creatorOf(stranger, 'other') }), { type: 'system' })
  }
})
