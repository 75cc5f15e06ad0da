import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeInCamelCase, functionsNamedByNoun, typesNamedByNoun, typesNamedOnce } from './names.ts'
import { check } from './snippets.ts'

const path = 'packages/server/src/market/orders/orders.service.ts'

test('the name of a type belongs to one file of a package, tests included', () => {
  const found = check([typesNamedOnce], {
    [path]: 'export type Order = { id: string }\ninterface Fill { id: string }',
    'packages/server/test/api/orders.test.ts': 'type Order = { id: string }',
    'packages/console/src/market/order.ts': 'type Fill = { id: string }',
    'packages/server/src/core/generated/tables.ts': 'export type Fill = { id: string }',
    'packages/server/src/core/local.ts': 'function f() {\n  type Order = string\n}',
  })
  assert.deepEqual(found, [
    `${path}:1 type Order is declared in packages/server/test/api/orders.test.ts too: give each the noun of what it is`,
    `packages/server/test/api/orders.test.ts:1 type Order is declared in ${path} too: give each the noun of what it is`,
  ])
})

test('one everyday word is not the name of a type', () => {
  const found = check([typesNamedByNoun], {
    [path]: 'type Place = string\nexport interface Options { id: string }\ntype LogPlace = string\ntype Order = string',
  })
  assert.deepEqual(found, [
    `${path}:1 type Place: give it its noun, such as OrderPlace`,
    `${path}:2 type Options: give it its noun, such as OrderOptions`,
  ])
})

test('an exported function says what it presents', () => {
  const found = check([functionsNamedByNoun], {
    [path]: 'export function present() {}\nfunction keyOf() {}\nexport function presentOrder() {}',
  })
  assert.deepEqual(found, [`${path}:1 function present(): give it its noun, such as presentOrder()`])
})

test('constants, locals and parameters are written in camelCase', () => {
  const found = check([codeInCamelCase], {
    [path]: [
      'const HORIZON_SECONDS = 60',
      'export const step_seconds = 5, stepsMax = 7',
      'function f(account_id: string, ...more_ids: string[]) {',
      '  const [first_row, { id: row_id }] = rows',
      '  try {} catch (last_error) {}',
      '  return (pool_id = "") => pool_id',
      '}',
      'type Load = (sku_id: string) => void',
      'const I = 1',
    ].join('\n'),
  })
  const names = found.map((line) => /: write (\w+)$/.exec(line)?.[1])
  assert.deepEqual(names.toSorted(), [
    'accountId',
    'firstRow',
    'horizonSeconds',
    'lastError',
    'moreIds',
    'poolId',
    'rowId',
    'skuId',
    'stepSeconds',
  ])
})

test('data keeps its name: a property of an object in the file, and what is taken out of one', () => {
  const found = check([codeInCamelCase], {
    [path]: [
      'function f(account_id: string, is_there: boolean) {',
      '  const { order_id, fill: { fill_id = 1 } } = row',
      '  const DRAIN_SECONDS = "5"',
      '  return { account_id, "is_there": !is_there, DRAIN_SECONDS }',
      '}',
      'const key = { [sku_id]: 1 }',
      'type Row = { readonly [pool_id: string]: number; workspace_id: string }',
    ].join('\n'),
    'packages/console/src/market/orders.tsx': 'const view = (host_id: string) => <Host host_id={host_id} />',
  })
  assert.deepEqual(found, [])
})
