import assert from 'node:assert/strict'
import { test } from 'vitest'
import { batchesOf, isNameable, shortName } from './names.rules.ts'

test('ids of the server are asked for, ids of accounts and audits are not', () => {
  const ids = ['inst_P7PjucWKynamaDp1ECkTU', 'tokn_a-b_c', 'acme', 'ledger.sum', '', 'x_1', 'INST_1']
  assert.deepEqual(ids.filter(isNameable), ['inst_P7PjucWKynamaDp1ECkTU', 'tokn_a-b_c'])
})

test('each id is asked for once, in as few requests as fit', () => {
  assert.deepEqual(batchesOf(['a', 'b', 'a', 'c'], 2), [['a', 'b'], ['c']])
  assert.deepEqual(batchesOf([], 2), [])
})

test('a thing without a name is told by its kind and the end of its id', () => {
  assert.equal(shortName('budget', 'bdgt_P7PjucWKynamaDp1ECkTU'), 'budget …ECkTU')
  assert.equal(shortName('instance_sku', 'sku_abc'), 'instance sku …u_abc')
  assert.equal(shortName('audit', 'ledger.sum'), 'audit ledger.sum')
  assert.equal(shortName('', 'bdgt_P7PjucWKynamaDp1ECkTU'), '…ECkTU')
})
