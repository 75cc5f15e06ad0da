import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createBudget, putBalanceThreshold, updateBudget } from '../../generated/forms/money.ts'
import { createSubnet, updateSubnet } from '../../generated/forms/network.ts'
import { emptyOf, type FieldName, type Form, fill, typedOf } from './form.rules.ts'
import { commandOf, linesOf } from './lines.rules.ts'

/** A form as the contract gives it for nodes, sizes and prices. */
const createNodes = {
  operation: 'create_procurement',
  command: 'procurements create',
  asks: true,
  fields: {
    pool: { label: 'Pool', shape: 'text', required: true, kind: 'pool' },
    sku: { label: 'SKU', shape: 'text', required: true, kind: 'sku' },
    target: { label: 'Target', shape: 'word_or_integer' },
    price: { label: 'Price', shape: 'amount', unit: 'dollars_per_node_hour', required: true },
    window: { label: 'Window', shape: 'amount', unit: 'minutes' },
    memory: { label: 'Memory', shape: 'amount', unit: 'bytes', nullable: true },
    figures: { label: 'Figures', shape: 'list', has_blanks: true },
    networks: { label: 'Networks', shape: 'list' },
    fee: { label: 'Fee', shape: 'amount', unit: 'bps', fallback: 0 },
    listed: { label: 'Listed', shape: 'boolean', fallback: true },
  },
} as const satisfies Form

test('a new resource has what was typed: what is empty is left out, what is needed is asked for', () => {
  const typed = { name: ' as typed ', region: 'north', cidr: '', tags: 'team=data, tier=front' }
  const body = { name: ' as typed ', region: 'north', tags: { team: 'data', tier: 'front' } }
  assert.deepEqual(fill(createSubnet, typed), { body, wrong: {} })
  assert.deepEqual(fill(createSubnet, { tags: 'team' }).wrong, {
    region: 'This is needed.',
    tags: '“team” is not a tag: write key=value.',
  })
  const { wrong } = fill(createNodes, { target: 'node_count', window: 'soon' })
  assert.deepEqual(Object.keys(wrong), ['pool', 'sku', 'price', 'window'])
  assert.equal(wrong.pool, 'Choose a pool.')
  assert.equal(wrong.sku, 'Choose a SKU.')
  assert.equal(wrong.price, 'A price in dollars, such as 2.50.')
})

test('each kind of value is read as people type it', () => {
  const read = (form: Form, name: string, text: string) => fill(form, { [name]: text }).body[name]
  assert.equal(read(createBudget, 'amount_dollars', ' $1,500.50'), '1500.50')
  assert.equal(read(createBudget, 'amount_dollars', '-$20'), '-20')
  assert.deepEqual(read(createBudget, 'thresholds_percent', '50, 80 %'), [50, 80])
  assert.equal(
    fill(createBudget, { thresholds_percent: '80, half' }).wrong.thresholds_percent,
    'Whole numbers, divided by commas.',
  )
  assert.equal(read(createNodes, 'window', '1d 2h'), 1_560)
  assert.equal(read(createNodes, 'target', 'node_count'), 'node_count')
  assert.equal(read(createNodes, 'target', '3'), 3)
  assert.equal(read(createNodes, 'memory', '512 GiB'), 2 ** 39)
  assert.deepEqual(read(createNodes, 'figures', 'memory_bandwidth GB/s, fp16 TFLOP/s,'), [
    'memory_bandwidth GB/s',
    'fp16 TFLOP/s',
  ])
  assert.deepEqual(read(createNodes, 'networks', '10.0.0.0/8\n2001:db8::/32'), ['10.0.0.0/8', '2001:db8::/32'])
  assert.equal(read(createNodes, 'listed', 'false'), false)
  assert.equal(read(createNodes, 'listed', 'true'), undefined, 'the server takes it anyway')
})

test('a change has what differs, and clears what was emptied', () => {
  const subnet = { name: 'storage', tags: { team: 'data' } }
  const before = typedOf(updateSubnet, subnet)
  assert.deepEqual(fill(updateSubnet, before, before), { body: {}, wrong: {} })
  assert.deepEqual(fill(updateSubnet, { name: 'other', tags: '' }, before).body, { name: 'other', tags: null })
  assert.deepEqual(fill(updateSubnet, { ...before, name: '' }, before).body, { name: '' }, 'the server refuses it')
  const budget = typedOf(updateBudget, { amount_dollars: '2.500000', thresholds_percent: [50], hard_stop: true })
  assert.deepEqual([budget.amount_dollars, budget.hard_stop], ['2.50', 'true'])
  const large = { ...budget, amount_dollars: '12345678901.000001' }
  const larger = { ...large, amount_dollars: '12345678901.000002' }
  assert.deepEqual(fill(updateBudget, larger, large).body, { amount_dollars: larger.amount_dollars })
  assert.deepEqual(fill(updateBudget, { ...budget, amount_dollars: '$2.5', hard_stop: 'false' }, budget).body, {
    hard_stop: false,
  })
  const nodes = typedOf(createNodes, {
    memory: { value: 2 ** 40, display_value: '1 TiB' },
    fee: 250,
    pool: { id: 'p' },
  })
  assert.deepEqual([nodes.memory, nodes.pool], ['1 TiB', 'p'])
  const changed = { ...nodes, memory: '', fee: '0' }
  assert.deepEqual(fill(createNodes, changed, nodes).body, { memory: null, fee: 0 })
})

test('words begin with the first one where one is needed', () => {
  assert.deepEqual(emptyOf(createBudget), { period: 'day' })
})

test('the same as a program would send it', () => {
  const body = { name: 'a b', amount_dollars: '5', thresholds_percent: [50, 80], hard_stop: false, period: 'day' }
  const flags = "--name 'a b' --amount 5 --thresholds 50 --thresholds 80 --no-hard-stop --period day"
  assert.equal(commandOf(createBudget, [], body), `bourse billing budgets create ${flags}`)
  assert.equal(commandOf(updateSubnet, ['snet_1'], { tags: { a: 'b' } }), 'bourse subnets update snet_1 --tag a=b')
  const asked = commandOf(createNodes, [], { window: 90 })
  assert.equal(asked, 'bourse procurements create --window 1h30m --yes')
  const figures = commandOf(createNodes, ['s'], { figures: [] })
  assert.equal(figures, `bourse procurements create s --body '{"figures":[]}' --yes`)
  const low = commandOf(putBalanceThreshold, [], { low_at_dollars: '50.00' })
  assert.equal(low, 'bourse billing set-low-balance 50.00', 'what the command takes as an argument has no flag')
  const sent = {
    form: updateSubnet,
    params: ['snet_1'],
    called: ['storage'],
    body: { name: 'n' },
    call: 'subnets.update',
  }
  const lines = linesOf({ ...sent, method: 'PATCH', path: '/preview/v2/subnets/snet_1' }, 'http://h')
  assert.match(String(lines.curl), /^curl -X PATCH http:\/\/h\/preview\/v2\/subnets\/snet_1 /)
  assert.equal(lines.SDK, 'await client.subnets.update("snet_1", {\n  name: "n"\n})')
})

test('fields are named by the body of the operation', () => {
  const name: FieldName<typeof createSubnet> = 'cidr'
  // @ts-expect-error a subnet has no size
  const wrong: FieldName<typeof createSubnet> = 'size'
  assert.deepEqual([name in createSubnet.fields, wrong in createSubnet.fields], [true, false])
})
