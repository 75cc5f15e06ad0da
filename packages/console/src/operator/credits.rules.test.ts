import assert from 'node:assert/strict'
import { test } from 'vitest'
import { approvalOf, whoText } from './credits.rules.ts'

const ada = { type: 'user', id: 'usr_ada', email: 'ada@example.com' } as const
const program = { type: 'token', id: 'tokn_1', name: 'nightly' } as const

test('an own request is one of the same user or the same token', () => {
  const isOwn = (requested_by: typeof ada | typeof program, user?: string, token?: string) =>
    approvalOf({ requested_by }, { user, token }).isOwn
  assert.deepEqual(
    [isOwn(ada, 'usr_ada', 'tokn_2'), isOwn(ada, 'usr_eve', 'tokn_2'), isOwn(program, undefined, 'tokn_1'), isOwn(ada)],
    [true, false, true, false],
  )
  assert.match(approvalOf({ requested_by: ada }, { user: 'usr_ada', token: undefined }).text, /another operator/)
  assert.match(approvalOf({ requested_by: ada }, { user: undefined, token: undefined }).text, /^ada@example\.com asked/)
})

test('people are named by their address, tokens by their name', () => {
  assert.deepEqual([whoText(ada), whoText(program), whoText(null)], ['ada@example.com', 'nightly', '–'])
})
