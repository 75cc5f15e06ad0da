import assert from 'node:assert/strict'
import { test } from 'vitest'
import { withResponses } from './requests.rules.ts'

const request = (number: number, status?: number) => ({ number, ...(status ? { status } : {}) }) as never

test('a shown request gets its answer, and stays where it is no longer kept', () => {
  const shown = [request(3), request(2), request(1, 200)]
  assert.deepEqual(withResponses(shown, [request(4), request(3, 201)]), [request(3, 201), request(2), request(1, 200)])
  assert.equal(withResponses(shown, [request(4)]), shown)
  assert.equal(withResponses(shown, []), shown)
})
