import assert from 'node:assert/strict'
import { operations } from '@bourse/sdk/generated/operations.ts'
import { placements } from '@bourse/sdk/naming.ts'
import { test } from 'vitest'
import { givenOf, listKey, nounOf, type ReadName } from './nouns.rules.ts'

test('a list and the read of one of its rows have the same noun', () => {
  assert.equal(nounOf('list_instances'), 'instance')
  assert.equal(nounOf('get_instance'), 'instance')
  assert.equal(nounOf('list_audit_entries'), 'audit_entry')
  assert.equal(nounOf('list_infiniband_partitions'), 'infiniband_partition')
})

test('rows that belong to another noun have that noun', () => {
  assert.equal(nounOf('list_platform_skus'), 'sku')
  assert.equal(nounOf('list_order_fills'), 'order')
  assert.equal(nounOf('get_administered_account'), 'account')
})

test('each list of the contract has the noun of its read', () => {
  const names = operations.map(({ name }) => name)
  const places = placements(names)
  const at = (noun: string | undefined, verb: string) =>
    names.find((name) => places.get(name)?.noun === noun && places.get(name)?.verb === verb) as ReadName | undefined
  const pairs = names.flatMap((name) => {
    const noun = places.get(name)?.noun
    const list = at(noun, 'list')
    const read = at(noun, 'get')
    return list === name && read ? [[list, read] as const] : []
  })
  assert.ok(pairs.length > 20)
  for (const [list, read] of pairs) assert.equal(nounOf(list), nounOf(read))
})

test('lists of one noun from different operations have different keys', () => {
  assert.deepEqual(listKey('list_skus', {}), ['sku', 'list', {}, 'list_skus'])
  assert.deepEqual(listKey('list_platform_skus', {}), ['sku', 'list', {}, 'list_platform_skus'])
  assert.notDeepEqual(listKey('list_skus', { include_deleted: true }), listKey('list_skus', {}))
})

test('filters without a value are not sent', () => {
  assert.deepEqual(givenOf({ state: '', pool: undefined, listed: false, side: 'buy' }), { listed: false, side: 'buy' })
})
