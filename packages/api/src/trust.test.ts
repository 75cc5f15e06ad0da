import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'
import { trust, trustOf } from './trust.ts'

const operations: readonly Endpoint[] = endpoints

test('every operation says what it asks, and none of agents', () => {
  for (const { name } of operations) assert.ok(trustOf(name), name)
  for (const { name, trust: own } of agentEndpoints)
    assert.deepEqual([own, trustOf(name)], [undefined, undefined], name)
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

test('what changes something with a token, or shows a secret, leaves an entry in the audit trail', () => {
  for (const { name, access, method, is_reading, no_store } of operations) {
    const changes = method !== 'GET' && !is_reading
    const leaves = access !== 'public' && (changes || no_store)
    assert.equal(trustOf(name)?.trail, leaves ? 'entry' : 'none', name)
  }
})

const giving = /^((user|role|webhook):(create|write)|(grant|token|host):create|platform:write)$/

/** Whether an operation gives rights or money, by its permission, or a secret, by its answer. */
function gives({ access, method, no_store }: Endpoint): boolean {
  if (access === 'public') return false
  return no_store || (method !== 'GET' && giving.test(access))
}

test('what gives rights, money or secrets asks for a recent sign-in, or says why not', () => {
  for (const operation of operations) {
    const name = operation.name as keyof typeof trust
    const { recent_sign_in, unasked } = trust[name]
    if (gives(operation)) assert.equal(recent_sign_in === 'never', unasked !== undefined, name)
    else assert.equal(unasked, undefined, `${name} gives nothing, so it needs no reason`)
  }
})

test('what asks and gives nothing by its permission is about ways in, or all that descends from a session', () => {
  const others = operations.filter((one) => !gives(one) && trustOf(one.name)?.recent_sign_in !== 'never')
  assert.deepEqual(
    others.map(({ name }) => name),
    ['create_ssh_key', 'delete_token'],
  )
})

test('an operation that asks for a recent sign-in lists the code, and no other does', () => {
  for (const { name, errors } of operations) {
    const isAsked = trustOf(name)?.recent_sign_in !== 'never'
    assert.equal(errors.includes('insufficient_user_authentication'), isAsked, name)
  }
})
