import assert from 'node:assert/strict'
import { test } from 'vitest'
import { doneText, mainOf } from './done.rules.ts'

test('an operation is told as what somebody did', () => {
  const told = [
    ['create_grant', 'grant', 'created grant'],
    ['approve_pending_credit', 'pending_credit', 'approved pending credit'],
    ['revoke_public_image', 'image', 'revoked public image'],
    ['create_user_sign_in_link', 'user', 'created sign in link of'],
    ['put_credit_limit', 'account', 'set credit limit of'],
    ['freeze_account', 'account', 'froze account'],
    ['halt_market', undefined, 'halted market'],
    ['sign_out', undefined, 'signed out'],
    ['settle', 'account', 'settled'],
  ] as const
  for (const [operation, kind, text] of told) assert.equal(doneText(operation, kind), text)
})

test('an operation is about the thing of its kind, else about the first one', () => {
  const things = [{ type: 'account' }, { type: 'pending_credit' }]
  assert.deepEqual(mainOf('create_pending_credit', things), { type: 'pending_credit' })
  assert.deepEqual(mainOf('put_credit_limit', things), { type: 'account' })
  assert.equal(mainOf('halt_market', []), undefined)
})
