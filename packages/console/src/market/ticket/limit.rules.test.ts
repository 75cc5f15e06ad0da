import assert from 'node:assert/strict'
import { test } from 'vitest'
import { gpuOfLimit, limitOfGpu, typedLimit } from './limit.rules.ts'

test('a limit for a GPU-hour is one for a node-hour in as many parts, and back', () => {
  assert.equal(limitOfGpu('1.95', 8), '15.6')
  assert.equal(limitOfGpu('2', 8), '16')
  assert.equal(limitOfGpu('0.000001', 8), '0.000008')
  assert.equal(limitOfGpu('1.25', 8), '10')
  for (const wrong of ['', '1,95', 'x', '1.', '-1', '1.0000001']) assert.equal(limitOfGpu(wrong, 8), undefined)
  // More than a limit may be.
  assert.equal(limitOfGpu('999999999', 8), undefined)
  assert.deepEqual(
    ['15.6', '10', '1.000003', '', '1.', 'half'].map((limit) => gpuOfLimit(limit, 8)),
    ['1.95', '1.25', '0.125', '', '', ''],
  )
  assert.equal(gpuOfLimit('10', 3), '3.333333')
})

test('what is typed for a GPU-hour is found again in its field', () => {
  for (const gpus of [2, 3, 4, 8, 16]) {
    for (const typed of ['0.01', '1.84375', '2.333333', '40']) {
      assert.equal(gpuOfLimit(limitOfGpu(typed, gpus) ?? '', gpus), typed)
    }
  }
})

test('only zeros behind the point are left out', () => {
  assert.deepEqual(['10.000000', '10.500000', '0.000010'].map(typedLimit), ['10', '10.5', '0.00001'])
})
