import assert from 'node:assert/strict'
import { test } from 'vitest'
import { everyEndpointIsListed, everyEndpointIsServed, everyEndpointIsTested, everyEventIsEmitted } from './contract.ts'
import { check } from './snippets.ts'

const contract = {
  'packages/api/src/market/skus.ts': [
    "export const listSkus = endpoint({ name: 'list_skus', method: 'GET' })",
    "export const getSku = endpoint({ name: 'get_sku', method: 'GET' })",
  ].join('\n'),
}

test('each endpoint is in the operations of its file, and those are in the contract', () => {
  const path = 'packages/api/src/market/skus.ts'
  const listed = { [path]: `${contract[path]}\nexport const operations = [listSkus] as const` }
  const taken = "import { operations as skus } from './market/skus.ts'\nexport const endpoints = [...skus]"
  assert.deepEqual(check([everyEndpointIsListed], { ...listed, 'packages/api/src/contract.ts': taken }), [
    `${path}:2 get_sku: add it to operations`,
  ])
  assert.deepEqual(check([everyEndpointIsListed], { ...listed, 'packages/api/src/contract.ts': '' }), [
    `${path}:1 list_skus: add the operations of this file to contract.ts`,
    `${path}:2 get_sku: add it to operations`,
  ])
})

test('each endpoint is bound by one route', () => {
  const once = 'export const skuRoutes = [handle(listSkus, skus.listSkus)]'
  const files = { ...contract, 'packages/server/src/market/skus/skus.routes.ts': once }
  assert.deepEqual(check([everyEndpointIsServed], files), [
    'packages/api/src/market/skus.ts:2 get_sku: no route binds it: add handle() to a *.routes.ts',
  ])
  const twice = { ...files, 'packages/server/src/market/list.routes.ts': `${once}\nhandle(getSku, skus.getSku)` }
  assert.deepEqual(check([everyEndpointIsServed], twice), [
    'packages/api/src/market/skus.ts:1 list_skus: 2 routes bind it: keep one',
  ])
})

test('a route of all operations of a file binds those that no other one of its file binds', () => {
  const operations = 'export const operations = [listSkus, getSku] as const'
  const routes = [
    "import { getSku, operations as all } from '@bourse/api/market/skus.ts'",
    'export const skuRoutes = handleAll(all, skus, { get_sku: handle(getSku, readSku) })',
  ].join('\n')
  const path = 'packages/api/src/market/skus.ts'
  const files = { [path]: `${contract[path]}\n${operations}` }
  assert.deepEqual(
    check([everyEndpointIsServed], { ...files, 'packages/server/src/market/skus.routes.ts': routes }),
    [],
  )
})

test('an API test names each endpoint, by its variable or its name', () => {
  const files = { ...contract, 'packages/server/test/api/skus.test.ts': "call(listSkus)\ncall('get_sku')" }
  assert.deepEqual(check([everyEndpointIsTested], files), [])
  const said = "test('get_sku shows one, and list_skus pages of them', () => {})"
  const within = { ...contract, 'packages/server/test/api/skus.test.ts': said }
  assert.deepEqual(check([everyEndpointIsTested], within), [])
  const elsewhere = { ...contract, 'packages/server/test/sim/workload.ts': "call(listSkus)\ncall('get_sku')" }
  assert.equal(check([everyEndpointIsTested], elsewhere).length, 2)
})

test('each event action that the contract explains is emitted', () => {
  const files = {
    'packages/api/src/events/actions.ts': [
      'export const eventActions = {',
      "  'image.revoked': { target_type: 'image' },",
      "  'image.published': { target_type: 'image' },",
      '} as const satisfies Record<string, unknown>',
      "export const reservedEventActions = { 'order.created': {} }",
    ].join('\n'),
    'packages/server/src/images/images.service.ts': "ctx.emit({ action: 'image.revoked' })",
    'packages/server/src/images/images.rules.test.ts': "emit('image.published')",
  }
  assert.deepEqual(check([everyEventIsEmitted], files), [
    'packages/api/src/events/actions.ts:3 nothing emits image.published: ' +
      'emit it where it happens, or move it to reservedEventActions',
  ])
})
