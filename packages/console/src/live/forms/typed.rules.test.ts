import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { bytesOf, bytesText, minutesOf, priceOf, priceText, spanText } from './typed.rules.ts'

test('spans and sizes are read as they are shown', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 129_600 }), (count) => minutesOf(spanText(count)) === count))
  fc.assert(fc.property(fc.nat({ max: 2 ** 50 }), (bytes) => bytesOf(bytesText(bytes)) === bytes))
  const spans = ['90', '1d 12h', '24 h', '', 'soon', '1.5h'].map(minutesOf)
  assert.deepEqual(spans, [90, 2_160, 1_440, undefined, undefined, 90])
  const sizes = ['1.5 GiB', '2tib', '7', '1 GB', '0.0001 KiB', '-1'].map(bytesOf)
  assert.deepEqual(sizes, [1.5 * 2 ** 30, 2 ** 41, 7, 10 ** 9, undefined, undefined])
})

test('prices lose what is only for the eye', () => {
  assert.deepEqual([' $1,200.5', '-$2', '3'].map(priceOf), ['1200.5', '-2', '3'])
  assert.deepEqual(['2.500000', '10.000000', '0.000001', null].map(priceText), ['2.50', '10.00', '0.000001', ''])
})
