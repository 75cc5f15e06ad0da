import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printDollars } from '@bourse/api/kit/money.ts'
import fc from 'fast-check'
import {
  fillFee,
  orderValue,
  PRICE_MAX_MICROS,
  parsePrice,
  printAveragePrice,
  printPrice,
  VALUE_MAX_MICROS,
} from './prices.rules.ts'

describe('a price is rounded half up to a multiple of $0.000060', () => {
  const cases: [string, bigint, string][] = [
    ['1.800000', 30_000n, '1.800000'],
    ['2.00', 33_333n, '1.999980'],
    ['0.000030', 1n, '0.000060'],
    ['0.00003', 1n, '0.000060'],
    ['0.000089999', 1n, '0.000060'],
    ['0.00009', 2n, '0.000120'],
    ['000000001.0', 16_667n, '1.000020'],
    ['1000000.000000', 16_666_666_667n, '1000000.000020'],
  ]
  for (const [text, price_micros, printed] of cases) {
    test(`${text} is ${price_micros} and printed ${printed}`, () => {
      assert.deepEqual(parsePrice(text, 'buy'), { price_micros })
      assert.deepEqual(parsePrice(text, 'sell'), { price_micros })
      assert.equal(printPrice(price_micros), printed)
    })
  }

  test('every price in range can be printed and parsed back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: PRICE_MAX_MICROS }), (price_micros) =>
        assert.deepEqual(parsePrice(printPrice(price_micros), 'buy'), { price_micros }),
      ),
      { numRuns: 20_000 },
    )
  })
})

describe('a price is refused', () => {
  const refused: [string, 'buy' | 'sell', string][] = [
    ['0.000000', 'buy', 'out_of_range'],
    ['0.000029999', 'buy', 'out_of_range'],
    ['1000000.000080', 'buy', 'out_of_range'],
    ['999999999.999999999', 'sell', 'out_of_range'],
    ['-1.0', 'sell', 'invalid_format'],
    ['1', 'buy', 'invalid_format'],
    ['1.', 'buy', 'invalid_format'],
    ['.5', 'buy', 'invalid_format'],
    ['1e3', 'buy', 'invalid_format'],
    ['1.0\n', 'buy', 'invalid_format'],
    ['1.0000000000', 'buy', 'invalid_format'],
    ['1234567890.0', 'buy', 'invalid_format'],
  ]
  for (const [text, side, code] of refused) {
    test(`${JSON.stringify(text)} to ${side} as ${code}`, () => {
      const read = parsePrice(text, side, 'limit')
      assert.ok('refusal' in read)
      assert.deepEqual([read.refusal.code, read.refusal.field], [code, 'limit'])
    })
  }

  test('but a sell may have the price zero', () => {
    assert.deepEqual(parsePrice('0.0', 'sell'), { price_micros: 0n })
  })
})

test('dollars are printed exactly', () => {
  const cases: [bigint, string][] = [
    [0n, '0.000000'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [1_000_000n, '1.000000'],
    [-12_345_678n, '-12.345678'],
    [2n ** 62n, '4611686018427.387904'],
  ]
  for (const [micros, printed] of cases) assert.equal(printDollars(micros), printed)
})

test('averages are rounded half up to six decimals', () => {
  assert.equal(printAveragePrice(0n, 0n), null)
  assert.equal(printAveragePrice(30_000n * 7n, 7n), '1.800000')
  // 1 micro-dollar over 120 node-minutes is half a micro-dollar per node-hour.
  assert.equal(printAveragePrice(1n, 120n), '0.000001')
  assert.equal(printAveragePrice(1n, 121n), '0.000000')
})

describe('the value of an order', () => {
  test('is exact up to 2^62 micro-dollars', () => {
    assert.deepEqual(orderValue(2n ** 31n, 2n ** 31n), { value_micros: VALUE_MAX_MICROS })
  })

  test('is refused above', () => {
    const value = orderValue(2n ** 31n, 2n ** 31n + 1n)
    assert.ok('refusal' in value)
    assert.equal(value.refusal.code, 'out_of_range')
  })

  test('is refused for the largest order that the fields allow', () => {
    const threeYears = 3n * 366n * 24n * 60n
    assert.ok('refusal' in orderValue(PRICE_MAX_MICROS, 10_000n * threeYears))
  })
})

describe('the fee of a fill', () => {
  const cases: [string, { flat: bigint; bps: number; value: bigint; minutes: bigint }, bigint][] = [
    ['nothing where nothing is charged', { flat: 0n, bps: 0, value: 999n, minutes: 3n }, 0n],
    ['the flat part per node-minute', { flat: 2n, bps: 0, value: 999n, minutes: 3n }, 6n],
    ['the percentage floored', { flat: 0n, bps: 250, value: 999n, minutes: 3n }, 24n],
    ['both together', { flat: 2n, bps: 250, value: 999n, minutes: 3n }, 30n],
    ['never more than the value', { flat: 500n, bps: 250, value: 999n, minutes: 3n }, 999n],
    ['all of it at 10,000 basis points', { flat: 0n, bps: 10_000, value: 999n, minutes: 3n }, 999n],
    ['nothing on a gift', { flat: 5n, bps: 100, value: 0n, minutes: 3n }, 0n],
  ]
  for (const [what, { flat, bps, value, minutes }, fee] of cases) {
    test(`is ${what}`, () => {
      assert.equal(fillFee({ flat_fee_micros: flat, fee_bps: bps }, value, minutes), fee)
    })
  }
})
