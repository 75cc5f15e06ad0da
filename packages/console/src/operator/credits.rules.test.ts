import assert from 'node:assert/strict'
import { test } from 'vitest'
import { approvalOf, whoText, wordsOf } from './credits.rules.ts'

const ada = { type: 'user', id: 'usr_ada', email: 'ada@example.com' } as const
const program = { type: 'token', id: 'tokn_1', name: 'nightly' } as const

test('an own request is one of the same user or the same token', () => {
  const isOwn = (requested_by: typeof ada | typeof program, user?: string, token?: string) =>
    approvalOf({ requested_by, type: 'refund' }, { user, token }).isOwn
  assert.deepEqual(
    [isOwn(ada, 'usr_ada', 'tokn_2'), isOwn(ada, 'usr_eve', 'tokn_2'), isOwn(program, undefined, 'tokn_1'), isOwn(ada)],
    [true, false, true, false],
  )
  const credit = { requested_by: ada, type: 'credit_grant' } as const
  const textFor = (user: string | undefined, type: typeof credit.type | 'credit_limit' = credit.type) =>
    approvalOf({ ...credit, type }, { user, token: undefined }).text
  assert.match(textFor('usr_ada'), /another operator/)
  assert.match(textFor(undefined), /^ada@example\.com asked.*posts it/)
  assert.match(textFor(undefined, 'credit_limit'), /^ada@example\.com asked.*sets the limit/)
  assert.deepEqual(
    [wordsOf(credit).approve, wordsOf({ type: 'credit_limit' }).approve],
    ['Approve and post', 'Approve and set'],
  )
})

test('people are named by their address, tokens by their name', () => {
  assert.deepEqual([whoText(ada), whoText(program), whoText(null)], ['ada@example.com', 'nightly', '–'])
})
