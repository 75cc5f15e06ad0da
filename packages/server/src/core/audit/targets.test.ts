import assert from 'node:assert/strict'
import { test } from 'vitest'
import { targetsOf } from './targets.ts'

const none = { before: undefined, result: undefined }

test('the targets are the resources of the path and of the result, each once', () => {
  const result = { object: 'instance', id: 'inst_new' }
  assert.deepEqual(targetsOf({ ...none, path: '/v2/instances/:id/replace', params: { id: 'inst_old' }, result }), [
    { type: 'instance', id: 'inst_old' },
    { type: 'instance', id: 'inst_new' },
  ])
  const same = { object: 'instance', id: 'inst_old' }
  assert.equal(targetsOf({ ...none, path: '/v2/instances/:id', params: { id: 'inst_old' }, result: same }).length, 1)
})

test('a path becomes the id of the resource that has it, and stays where that is not known', () => {
  const params = { id: 'svc:pool:acme:default:one' }
  const before = { object: 'pool', id: 'pool_1', resource_path: params.id }
  assert.deepEqual(targetsOf({ ...none, path: '/v2/pools/:id', params, before }), [{ type: 'pool', id: 'pool_1' }])
  assert.deepEqual(targetsOf({ ...none, path: '/v2/pools/:id', params }), [{ type: 'pool', id: params.id }])
})

test('accounts, names and values have a type too', () => {
  const path = '/preview/v2/admin/accounts/:account/limits/:name'
  assert.deepEqual(targetsOf({ ...none, path, params: { account: 'acme', name: 'hosts' } }), [
    { type: 'account', id: 'acme' },
    { type: 'limit', id: 'hosts' },
  ])
})

test('a list has up to 16 targets', () => {
  const data = Array.from({ length: 30 }, (_, index) => ({ object: 'instance', id: `inst_${index}` }))
  assert.equal(targetsOf({ ...none, path: '/v2/instances', params: {}, result: { object: 'list', data } }).length, 16)
})

test('what a refused request gave is bounded and has no control characters', () => {
  const [target] = targetsOf({ ...none, path: '/v2/pools/:id', params: { id: `a\u0000\n${'b'.repeat(400)}` } })
  assert.deepEqual([target?.type, target?.id.length, target?.id.slice(0, 4)], ['pool', 255, 'a??b'])
})

test('what is cut leaves no half of a pair of surrogates, which the database would refuse', () => {
  const targets = (id: string) => targetsOf({ ...none, path: '/v2/pools/:id', params: { id } })
  const [cut] = targets(`${'a'.repeat(254)}😀`)
  assert.deepEqual([cut?.id.isWellFormed(), cut?.id.length], [true, 255])
  assert.deepEqual(targets(`${'a'.repeat(253)}😀b`), [{ type: 'pool', id: `${'a'.repeat(253)}😀` }])
})

test('a path counts as one of its kind only if there is such a kind', () => {
  const targets = (id: string) => targetsOf({ ...none, path: '/v2/pools/:id', params: { id } })
  assert.deepEqual(targets('svc:instance:acme:default:one'), [
    { type: 'instance', id: 'svc:instance:acme:default:one' },
  ])
  for (const id of ['svc:', 'svc:x\u0001', `svc:${'x'.repeat(1000)}`, 'svc:constructor:a', 'constructor_1']) {
    assert.equal(targets(id)[0]?.type, 'pool', id)
  }
})
