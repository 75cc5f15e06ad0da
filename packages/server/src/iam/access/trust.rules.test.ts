import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { CallerLimits } from '../../core/work/ctx.ts'
import { refuseLimited, refuseOldSignIn } from './trust.rules.ts'

const byNetworks: CallerLimits = { networks: [], resources: null }
const byResources: CallerLimits = { networks: null, resources: ['frwl_1'] }

test('an operation says which limited tokens may call it', () => {
  for (const [limited, network, resource] of [
    ['any', false, false],
    ['networks', false, true],
    ['none', true, true],
  ] as const) {
    const refuses = (limits?: CallerLimits) => refuseLimited(limits ? { limits } : {}, { limited })?.code
    assert.equal(refuses(), undefined, limited)
    assert.equal(refuses(byNetworks), network ? 'forbidden' : undefined, limited)
    assert.equal(refuses(byResources), resource ? 'forbidden' : undefined, limited)
  }
})

test('the refusal says what the token is limited to, and what the operation is', () => {
  const messageOf = (limited: 'none' | 'networks') => refuseLimited({ limits: byResources }, { limited })?.message ?? ''
  assert.match(messageOf('none'), /rights or ways in of others/)
  assert.match(messageOf('networks'), /limited to resources/)
})

test('operations of agents have no row', () => {
  assert.equal(refuseLimited({ limits: byResources }, undefined), undefined)
})

test('a person needs a sign-in of the last 15 minutes, a program none', () => {
  const at = (age: number | null, user_id: string | null = 'usr_1') =>
    refuseOldSignIn({ user_id, authenticated_at: age === null ? null : 10_000 - age }, 10_000)?.code
  assert.deepEqual([at(0), at(900), at(-5)], [undefined, undefined, undefined])
  assert.deepEqual([at(901), at(null)], Array(2).fill('insufficient_user_authentication'))
  assert.deepEqual([at(901, null), at(null, null)], [undefined, undefined])
})
