import assert from 'node:assert/strict'
import { test } from 'vitest'
import { tokens } from '../../generated/rows/access.ts'
import { subnets } from '../../generated/rows/network.ts'
import { platformSkus, platformUsageSkus } from '../../generated/rows/operator.ts'
import type { Column } from '../../ui/table.tsx'
import { columnsWith } from './columns.rules.ts'
import { type ColumnKind, kinds } from './kinds.rules.ts'

/** Cells that tell their kind and value. */
const cells = Object.fromEntries(
  Object.keys(kinds).map((kind) => [kind, (value: unknown) => `${kind} ${kinds[kind as ColumnKind].value(value)}`]),
)
const { columnsOf, ownColumns } = columnsWith(cells as Parameters<typeof columnsWith>[0])

/** A row that has as much as a test looks at. */
function rowOf<T>(_: readonly Column<T>[], row: object): T {
  return row as T
}

const subnet = {
  id: 'snet_1',
  name: 'storage',
  workspace: { name: 'research' },
  cidr: '10.80.0.0/20',
  available_addresses: 4_091,
  tags: { team: 'data', tier: 'front' },
  created_at: 1_800_000_000,
}

test('a column is the name of a member: its title, alignment and value come from the contract', () => {
  const columns = columnsOf(subnets, ['name', 'workspace', 'cidr', 'available_addresses', 'tags', 'created_at'], ['id'])
  const row = rowOf(columns, subnet)
  assert.deepEqual(
    columns.map(({ id, title, isNumber, value }) => [id, title, isNumber, value(row)]),
    [
      ['name', 'Name', false, 'storage'],
      ['workspace', 'Workspace', false, 'research'],
      ['cidr', 'Network', false, '10.80.0.0/20'],
      ['available_addresses', 'Free addresses', true, 4_091],
      ['tags', 'Tags', false, 'team=data, tier=front'],
      ['created_at', 'Created', false, 1_800_000_000],
      ['id', 'Id', false, 'snet_1'],
    ],
  )
  assert.deepEqual(
    columns.filter(({ isExtra }) => isExtra).map(({ id }) => id),
    ['id'],
  )
  assert.deepEqual(
    columns.filter(({ isName }) => isName).map(({ id }) => id),
    ['name'],
  )
  assert.equal(columns[3]?.cell(row), 'count 4091')
})

test('what is special about a column is said where it is special', () => {
  const columns = columnsOf(tokens, [
    { of: 'expires_at', none: 'never' },
    { of: 'last_used_at', title: 'Used', cell: ({ suffix }) => `…${suffix}` },
    { of: 'allowed_cidrs', value: ({ allowed_cidrs }) => allowed_cidrs?.length, as: 'count' },
  ])
  const [expires, used, from] = columns
  const row = rowOf(columns, { suffix: 'xyz', expires_at: null, last_used_at: 1, allowed_cidrs: ['10.0.0.0/8'] })
  assert.deepEqual([expires?.cell(row), expires?.value(row)], ['never', undefined])
  assert.deepEqual([used?.title, used?.cell(row), used?.value(row)], ['Used', '…xyz', 1])
  assert.deepEqual([from?.value(row), from?.cell(row), from?.isNumber], [1, 'count 1', true])
})

test('values with a text for people are sorted by what they are, and rows inside rows have columns too', () => {
  const columns = columnsOf(platformSkus, ['memory_bytes'])
  const [memory] = columns
  const sku = rowOf(columns, { memory_bytes: { value: 2 ** 37, display_value: '128 GiB' } })
  assert.deepEqual([memory?.title, memory?.value(sku)], ['Memory', 2 ** 37])
  const [used] = columnsOf(platformUsageSkus, ['used_node_minutes'])
  assert.deepEqual([used?.title, used?.isNumber], ['Used', true])
})

test('rows that the contract does not describe have columns by their kinds; without a value, nothing is sorted', () => {
  type Row = { readonly price: string | null }
  const [price, act] = ownColumns<Row>([
    { id: 'price', title: 'Price', as: 'money', value: (row) => row.price },
    { id: 'act', title: 'Ticket', cell: () => 'Buy' },
  ])
  assert.deepEqual(
    [price?.isNumber, price?.cell({ price: '1.5' }), price?.cell({ price: null })],
    [true, 'money 1.5', '–'],
  )
  assert.deepEqual([act?.value({ price: null }), act?.cell({ price: null })], ['', 'Buy'])
})
