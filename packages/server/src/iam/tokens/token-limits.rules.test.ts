import assert from 'node:assert/strict'
import { test } from 'vitest'
import { parseNetwork } from '../../core/base/networks.rules.ts'
import {
  claimedJti,
  findBeyondLimits,
  type LimitColumns,
  networksOf,
  readLimits,
  storedJti,
  unlimited,
} from './token-limits.rules.ts'

const narrow = '203.0.113.0/28'
const wide = '203.0.113.0/24'
const other = '2001:db8::/32'
const resource = 'svc:instance:acct:wksp:train-*'

const limits = (changes: Partial<LimitColumns>): LimitColumns => ({ ...unlimited, ...changes })

test('the stored name of a limited token is not that of its claims', () => {
  const limited = [limits({ allowed_cidrs: [wide] }), limits({ resources: [resource] })]
  for (const one of limited) assert.equal(storedJti('abc', one), 'limited:abc')
  assert.equal(storedJti('abc', unlimited), 'abc')
  assert.deepEqual(
    ['limited:abc', 'abc', 'xlimited:abc'].map((jti) => claimedJti({ jti })),
    ['abc', 'abc', 'xlimited:abc'],
  )
})

test('a token has the limits that are requested, each once, or those of its maker', () => {
  const maker = { allowed_cidrs: [wide], resources: [resource] }
  assert.deepEqual(readLimits({}, maker), maker)
  assert.deepEqual(readLimits({}, unlimited), { allowed_cidrs: null, resources: null })
  const requested = { allowed_cidrs: [narrow, other, narrow], resources: [resource, resource] }
  assert.deepEqual(readLimits(requested, maker), { allowed_cidrs: [narrow, other], resources: [resource] })
})

test('a text that is no network or resource is refused with its place', () => {
  const refused = (requested: Parameters<typeof readLimits>[0]) => {
    const read = readLimits(requested, unlimited)
    return 'refusal' in read ? [read.refusal.code, read.refusal.field] : undefined
  }
  assert.deepEqual(refused({ allowed_cidrs: [wide, '203.0.113.1/24'] }), ['invalid_cidr', 'allowed_cidrs.1'])
  assert.deepEqual(refused({ resources: ['svc:**', resource] }), ['invalid_format', 'resources.0'])
  assert.deepEqual(refused({ resources: [resource, 'svc:**'] }), ['invalid_format', 'resources.1'])
})

test('a token is at least as limited as another one, or the first thing beyond is named', () => {
  const ofNetwork = limits({ allowed_cidrs: [wide, other] })
  assert.equal(findBeyondLimits(unlimited, unlimited), undefined)
  assert.equal(findBeyondLimits(unlimited, ofNetwork), undefined)
  assert.equal(findBeyondLimits(ofNetwork, unlimited), 'every network')
  assert.equal(findBeyondLimits(ofNetwork, limits({ allowed_cidrs: [other, narrow] })), undefined)
  assert.equal(findBeyondLimits(ofNetwork, limits({ allowed_cidrs: [narrow, '198.51.100.7/32'] })), '198.51.100.7/32')
  assert.equal(findBeyondLimits(limits({ allowed_cidrs: [narrow] }), limits({ allowed_cidrs: [wide] })), wide)
  const ofResource = limits({ resources: [resource] })
  assert.equal(findBeyondLimits(ofResource, unlimited), 'every resource')
  assert.equal(findBeyondLimits(ofResource, ofResource), undefined)
  const beyond = 'svc:instance:acct:wksp:serve'
  assert.equal(findBeyondLimits(ofResource, limits({ resources: [beyond] })), beyond)
})

test('stored networks that are none are left out', () => {
  assert.deepEqual(networksOf([wide, 'nothing']), [parseNetwork(wide)])
})
