import assert from 'node:assert/strict'
import { test } from 'vitest'
import { fitsRequirements, parseRequirements, readRequirements } from './sku-requirements.rules.ts'

const text = (value: string | number | boolean) => ({ value, display_value: String(value) })
const sku = {
  id: 'sku_1',
  alias: 'h100-eu',
  simulated: false,
  operator_hosts_only: true,
  properties: {
    region: text('eu-north-1'),
    rdma_type: text('infiniband'),
    rdma_gigabits_per_second: text(400),
    infiniband_fabric: 'fabric-1',
    num_accelerators: text(8),
    memory_bytes: text(2 ** 41),
    supports_public_ipv4: text(true),
  },
}

function fits(requirements: string): boolean {
  const read = parseRequirements(requirements)
  assert.ok('requirements' in read, requirements)
  return fitsRequirements(sku, read.requirements)
}

function refusal(requirements: string): string | undefined {
  const read = parseRequirements(requirements)
  return 'refusal' in read ? read.refusal.code : undefined
}

test('no condition matches every SKU, several must all hold, and the values of one are alternatives', () => {
  const cases = [
    ['', true],
    ['region:eu-north-1', true],
    ['region:eq:eu-north-1,us-1', true],
    ['region:EU-NORTH-1', false],
    ['region:ne:us-1,us-2', true],
    ['region:ne:us-1,eu-north-1', false],
    ['id:sku_1;alias:h100-eu', true],
    ['id:sku_1;alias:other', false],
    ['infiniband_fabric:fabric-1', true],
    ['supports_public_ipv4:true', true],
    ['supports_public_ipv4:false', false],
    ['operator_hosts_only:true', true],
    ['operator_hosts_only:eq:false', false],
    ['operator_hosts_only:ne:false', true],
    ['operator_hosts_only:true,false', true],
    ['operator_hosts_only:true;simulated:true', false],
    ['num_accelerators:8', true],
    ['num_accelerators:08', false],
    ['num_accelerators:gt:7', true],
    ['num_accelerators:gt:8', false],
    ['num_accelerators:gte:8;num_accelerators:lte:8', true],
    ['num_accelerators:lt:8', false],
    ['rdma_gigabits_per_second:gte:400', true],
    ['rdma_gigabits_per_second:gt:400', false],
    ['num_accelerators:lt:2,100', true],
    ['memory_bytes:gt:-1', true],
    ['memory_bytes:lt:9223372036854775807', true],
  ] as const
  for (const [requirements, expected] of cases) assert.equal(fits(requirements), expected, requirements)
})

test('a SKU without the property never matches, not even a negated condition', () => {
  for (const requirements of ['accelerator:h100', 'accelerator:ne:h100', 'num_vcpus:gte:0']) {
    assert.equal(fits(requirements), false, requirements)
  }
})

test('a flag that is not set is false, unlike a property', () => {
  assert.equal(fits('simulated:false'), true)
  assert.equal(fits('simulated:ne:true'), true)
  assert.equal(fits('simulated:true'), false)
  const { supports_public_ipv4: _, ...properties } = sku.properties
  const read = parseRequirements('supports_public_ipv4:false')
  assert.ok('requirements' in read)
  assert.equal(fitsRequirements({ ...sku, properties }, read.requirements), false)
})

test('text outside of the grammar is refused', () => {
  const wrong = [
    'colour:red',
    'region',
    'region:',
    'region:like:eu',
    'region:eq:a:b',
    'region:a b',
    'region:a,,b',
    ';',
    'region:a;',
  ]
  const unordered = [
    'region:gt:1',
    'num_accelerators:gt:many',
    'supports_public_ipv4:lt:1',
    'operator_hosts_only:gte:true',
    'memory_bytes:gt:99999999999999999999',
  ]
  const undecided = [
    'operator_hosts_only:yes',
    'operator_hosts_only:true,1',
    'simulated:True',
    'supports_public_ipv4:no',
  ]
  for (const requirements of [...wrong, ...unordered, ...undecided])
    assert.equal(refusal(requirements), 'invalid_format', requirements)
  const many = (count: number, part: string, glue: string) => Array.from({ length: count }, () => part).join(glue)
  assert.equal(refusal(many(20, 'region:a', ';')), undefined)
  assert.equal(refusal(many(21, 'region:a', ';')), 'too_many')
  assert.equal(refusal(`region:${many(20, 'a', ',')}`), undefined)
  assert.equal(refusal(`region:${many(21, 'a', ',')}`), 'too_many')
})

test('a body expresses the same with fields and lists of texts', () => {
  const read = readRequirements({
    region: ['us-1', 'eu-north-1'],
    num_accelerators: ['8'],
    supports_public_ipv4: ['true'],
    operator_hosts_only: ['true'],
    simulated: ['false'],
  })
  assert.ok('requirements' in read)
  assert.equal(fitsRequirements(sku, read.requirements), true)
  assert.deepEqual(readRequirements({}), { requirements: [] })
  const refused = readRequirements({ colour: ['red'] })
  assert.ok('refusal' in refused)
  assert.deepEqual([refused.refusal.code, refused.refusal.field], ['invalid_format', 'requirements.colour'])
  assert.ok('refusal' in readRequirements({ region: [] }))
  const undecided = readRequirements({ operator_hosts_only: ['maybe'] })
  assert.ok('refusal' in undecided)
  assert.deepEqual(undecided.refusal, {
    code: 'invalid_format',
    field: 'requirements.operator_hosts_only',
    message: 'operator_hosts_only is true or false.',
  })
})
