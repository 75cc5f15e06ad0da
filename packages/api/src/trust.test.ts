import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'
import { trust, trustOf } from './trust.ts'

const operations: readonly Endpoint[] = endpoints

test('the table has the operations of the contract in their order, and none of agents', () => {
  assert.deepEqual(
    Object.keys(trust),
    operations.map(({ name }) => name),
  )
  for (const { name } of agentEndpoints) assert.equal(trustOf(name), undefined, name)
  assert.equal(trustOf('toString'), undefined)
})

test('tokens that are limited to resources do nothing to the account as a whole', () => {
  const free = new Set(['event', 'token', 'grant'])
  for (const { name, access, scope } of operations) {
    const [kind = ''] = access.split(':')
    const isWhole = access.includes(':') && scope === 'account' && !free.has(kind)
    if (isWhole) assert.notEqual(trustOf(name)?.limited, 'any', name)
  }
})

test('no limited token changes users, roles and grants', () => {
  for (const { name, access, method } of operations) {
    if (method !== 'GET' && /^(user|role|grant):/.test(access)) assert.equal(trustOf(name)?.limited, 'none', name)
  }
})

test('an operation that refuses limited tokens lists the code', () => {
  for (const { name, access, errors } of operations) {
    if (access === 'public' || trustOf(name)?.limited === 'any') continue
    assert.ok(errors.includes('forbidden'), name)
  }
})
