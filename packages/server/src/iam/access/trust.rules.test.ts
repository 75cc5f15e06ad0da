import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { CallerLimits } from '../../core/work/ctx.ts'
import { refuseByTrust } from './trust.rules.ts'

const byNetworks: CallerLimits = { networks: [], resources: null }
const byResources: CallerLimits = { networks: null, resources: ['frwl_1'] }

test('an operation says which limited tokens may call it', () => {
  for (const [limited, network, resource] of [
    ['any', false, false],
    ['networks', false, true],
    ['none', true, true],
  ] as const) {
    const refuses = (limits?: CallerLimits) => refuseByTrust(limits ? { limits } : {}, { limited })?.code
    assert.equal(refuses(), undefined, limited)
    assert.equal(refuses(byNetworks), network ? 'forbidden' : undefined, limited)
    assert.equal(refuses(byResources), resource ? 'forbidden' : undefined, limited)
  }
})

test('the refusal says what the token is limited to, and what the operation is', () => {
  const messageOf = (limited: 'none' | 'networks') => refuseByTrust({ limits: byResources }, { limited })?.message ?? ''
  assert.match(messageOf('none'), /rights or ways in of others/)
  assert.match(messageOf('networks'), /limited to resources/)
})

test('operations of agents have no row', () => {
  assert.equal(refuseByTrust({ limits: byResources }, undefined), undefined)
})
