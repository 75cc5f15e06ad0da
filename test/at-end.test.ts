import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { atEnd } from './at-end.ts'

const ended: string[] = []
afterAll(() => assert.deepEqual(ended, ['in the test', 'before all of the suite', 'before all', 'in the file']))
atEnd(() => ended.push('in the file'))
beforeAll(() => atEnd(() => ended.push('before all')))

describe('a suite', () => {
  beforeAll(() => atEnd(() => ended.push('before all of the suite')))

  test('what is to end is called once, the last one first, also what a hook began', () => {
    atEnd(() => ended.push('in the test'))
    assert.deepEqual(ended, [])
  })
})
