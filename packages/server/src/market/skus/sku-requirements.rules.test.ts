import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsRequirements, parseRequirements, readRequirements } from './sku-requirements.rules.ts'

const text = (value: string | number | boolean) => ({ value, display_value: String(value) })
const sku = {
  id: 'sku_1',
  alias: 'h100-eu',
  properties: {
    region: text('eu-north-1'),
    rdma_type: text('infiniband'),
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
    ['num_accelerators:8', true],
    ['num_accelerators:08', false],
    ['num_accelerators:gt:7', true],
    ['num_accelerators:gt:8', false],
    ['num_accelerators:gte:8;num_accelerators:lte:8', true],
    ['num_accelerators:lt:8', false],
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
    'memory_bytes:gt:99999999999999999999',
  ]
  for (const requirements of [...wrong, ...unordered])
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
  })
  assert.ok('requirements' in read)
  assert.equal(fitsRequirements(sku, read.requirements), true)
  assert.deepEqual(readRequirements({}), { requirements: [] })
  const refused = readRequirements({ colour: ['red'] })
  assert.ok('refusal' in refused)
  assert.deepEqual([refused.refusal.code, refused.refusal.field], ['invalid_format', 'requirements.colour'])
  assert.ok('refusal' in readRequirements({ region: [] }))
})
