import assert from 'node:assert/strict'
import { test } from 'vitest'
import { limitFlags, limitsOf } from './token-limits.rules.ts'

test('empty fields do not limit a token', () => {
  assert.deepEqual(limitsOf({ networks: ' ', resources: '\n' }), {})
  assert.equal(limitFlags({ networks: '', resources: '' }), '')
})

test('entries may be divided by commas, blanks and lines', () => {
  const typed = { networks: '10.0.0.0/8, 2001:db8::/32', resources: 'svc:instance:acme:default:web-*\ninst_1' }
  assert.deepEqual(limitsOf(typed), {
    allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'],
    resources: ['svc:instance:acme:default:web-*', 'inst_1'],
  })
  const networks = ' --allowed-cidrs 10.0.0.0/8 --allowed-cidrs 2001:db8::/32'
  const resources = " --resources 'svc:instance:acme:default:web-*' --resources inst_1"
  assert.equal(limitFlags(typed), networks + resources)
})
