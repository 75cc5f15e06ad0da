import assert from 'node:assert/strict'
import { printDollars } from '@bourse/text/money.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import {
  fillCut,
  fillFee,
  fillValue,
  holdFor,
  orderValue,
  parsePrice,
  priceMaxMicros,
  printAveragePrice,
  printPrice,
  refuseStep,
  stepDown,
  stepUp,
  valueMaxMicros,
} from './prices.rules.ts'

const prices = fc.bigInt({ min: 0n, max: priceMaxMicros })
/** Prices whose values are rounded, beside ordinary ones. */
const oddPrices = fc.oneof(fc.bigInt({ min: 1n, max: 200n }), fc.bigInt({ min: 1n, max: priceMaxMicros }))
const areas = fc.bigInt({ min: 1n, max: 20_000n })

describe('a price is what was typed', () => {
  const cases: [string, bigint, string][] = [
    ['1.800000', 1_800_000n, '1.800000'],
    ['2.00', 2_000_000n, '2.000000'],
    ['2', 2_000_000n, '2.000000'],
    ['0.10', 100_000n, '0.100000'],
    ['0.000001', 1n, '0.000001'],
    ['000000001.0', 1_000_000n, '1.000000'],
    ['1000000.000000', priceMaxMicros, '1000000.000000'],
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
      fc.property(prices, (price_micros) =>
        assert.deepEqual(parsePrice(printPrice(price_micros), 'sell'), { price_micros }),
      ),
      { numRuns: sized(20_000) },
    )
  })
})

describe('a price is refused', () => {
  const refused: [string, 'buy' | 'sell' | 'fee' | 'step', string][] = [
    ['0.000000', 'buy', 'out_of_range'],
    ['0', 'step', 'out_of_range'],
    ['1000000.000001', 'buy', 'out_of_range'],
    ['999999999.999999', 'sell', 'out_of_range'],
    ['1000001', 'fee', 'out_of_range'],
    ['0.0000001', 'buy', 'invalid_format'],
    ['2.0000000', 'buy', 'invalid_format'],
    ['-1.0', 'sell', 'invalid_format'],
    ['1.', 'buy', 'invalid_format'],
    ['.5', 'buy', 'invalid_format'],
    ['1e3', 'buy', 'invalid_format'],
    ['1.0\n', 'buy', 'invalid_format'],
    ['', 'buy', 'invalid_format'],
    ['1234567890.0', 'buy', 'invalid_format'],
  ]
  for (const [text, use, code] of refused) {
    test(`${JSON.stringify(text)} to ${use} as ${code}`, () => {
      const read = parsePrice(text, use, 'limit')
      assert.ok('refusal' in read)
      assert.deepEqual([read.refusal.code, read.refusal.field], [code, 'limit'])
    })
  }

  test('but a sell and a fee may be zero', () => {
    assert.deepEqual(parsePrice('0.0', 'sell'), { price_micros: 0n })
    assert.deepEqual(parsePrice('0', 'fee'), { price_micros: 0n })
  })
})

describe('the price step of a SKU', () => {
  test('refuses other prices and names the nearest two', () => {
    const cases: [bigint, 'buy' | 'sell', string | undefined][] = [
      [2_000_000n, 'buy', undefined],
      [2_005_000n, 'buy', '2.000000, 2.010000'],
      [2_009_999n, 'sell', '2.000000, 2.010000'],
      [1n, 'buy', '0.010000'],
      [1n, 'sell', '0.000000, 0.010000'],
      [0n, 'sell', undefined],
    ]
    for (const [price, side, nearest] of cases) {
      const message = `A price of this SKU is a multiple of 0.010000; the nearest: ${nearest}.`
      const refusal = { code: 'not_aligned', field: 'limit_price_dollars_per_node_hour', message }
      assert.deepEqual(refuseStep(price, 10_000n, { side }), nearest === undefined ? undefined : refusal)
    }
  })

  test('is never exceeded by the greatest price', () => {
    const { message } = refuseStep(priceMaxMicros, 7n, { side: 'sell', field: 'x' }) ?? {}
    assert.match(message ?? '', /the nearest: 999999\.999999\.$/)
  })

  test('the steps around a price are multiples that enclose it', () => {
    const steps = fc.bigInt({ min: 1n, max: priceMaxMicros })
    fc.assert(
      fc.property(prices, steps, (price, step) => {
        const [down, up] = [stepDown(price, step), stepUp(price, step)]
        assert.ok(down <= price && price <= up && up - down <= step)
        assert.deepEqual([down % step, up % step], [0n, 0n])
        assert.equal(refuseStep(price, step, { side: 'sell' }) === undefined, down === up)
      }),
    )
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

describe('an average price', () => {
  const averageOf = (fills: readonly (readonly [price: bigint, node_minutes: bigint])[]) => {
    const sum = (part: (price: bigint, node_minutes: bigint) => bigint) =>
      fills.reduce((total, [price, node_minutes]) => total + part(price, node_minutes), 0n)
    const node_minutes = sum((_, minutes) => minutes)
    return printAveragePrice({ value_micros: sum(fillValue), cut_sixtieths: sum(fillCut), node_minutes })
  }

  test('is rounded half up to six decimals', () => {
    assert.equal(averageOf([]), null)
    assert.equal(averageOf([[1_800_000n, 7n]]), '1.800000')
    assert.equal(
      averageOf([
        [1n, 1n],
        [0n, 1n],
      ]),
      '0.000001',
    )
    assert.equal(
      averageOf([
        [1n, 1n],
        [0n, 2n],
      ]),
      '0.000000',
    )
  })

  test('of fills at one price is that price, however small the fills', () => {
    fc.assert(
      fc.property(oddPrices, fc.array(areas, { minLength: 1, maxLength: 8 }), (price, minutes) => {
        assert.equal(averageOf(minutes.map((area) => [price, area] as const)), printPrice(price))
      }),
    )
  })
})

describe('the value of a fill and the hold of an order', () => {
  test('are rounded down and up to the micro-dollar', () => {
    assert.deepEqual([fillValue(100_000n, 1n), holdFor(100_000n, 1n)], [1_666n, 1_667n])
    assert.deepEqual([fillValue(100_000n, 60n), holdFor(100_000n, 60n)], [100_000n, 100_000n])
    assert.deepEqual([fillValue(1n, 59n), holdFor(1n, 59n)], [0n, 1n])
    assert.deepEqual([fillValue(1n, 61n), holdFor(1n, 61n)], [1n, 2n])
    assert.deepEqual([fillValue(0n, 60n), holdFor(0n, 60n)], [0n, 0n])
  })

  test('parts are never worth more than the whole, and less by under a micro-dollar each', () => {
    fc.assert(
      fc.property(oddPrices, fc.array(areas, { minLength: 1, maxLength: 30 }), (price, parts) => {
        const whole = fillValue(
          price,
          parts.reduce((a, b) => a + b, 0n),
        )
        const sum = parts.reduce((total, part) => total + fillValue(price, part), 0n)
        assert.ok(sum <= whole && whole - sum < BigInt(parts.length))
      }),
    )
  })

  test('the hold of the rest and any fill at or below the limit never exceed the hold of the whole', () => {
    fc.assert(
      fc.property(oddPrices, areas, areas, fc.nat(1_000_000), (limit, filled, rest, share) => {
        const price = (limit * BigInt(share)) / 1_000_000n
        assert.ok(holdFor(limit, filled + rest) >= holdFor(limit, rest) + fillValue(price, filled))
      }),
      { numRuns: sized(5_000) },
    )
  })

  test('an order is worth 2^62 micro-dollars at most', () => {
    assert.deepEqual(orderValue(2n ** 36n, 15n * 2n ** 28n), { value_micros: valueMaxMicros })
    const value = orderValue(2n ** 36n, 15n * 2n ** 28n + 1n)
    assert.ok('refusal' in value)
    assert.equal(value.refusal.code, 'out_of_range')
  })

  test('the largest order that the fields allow is worth more', () => {
    const threeYears = 3n * 366n * 24n * 60n
    assert.equal('refusal' in orderValue(priceMaxMicros, 10_000n * threeYears), true)
  })
})

describe('the fee of a fill', () => {
  const cases: [string, { flat: bigint; bps: number; value: bigint; minutes: bigint }, bigint][] = [
    ['nothing where nothing is charged', { flat: 0n, bps: 0, value: 999n, minutes: 3n }, 0n],
    ['the flat part per node-hour', { flat: 120n, bps: 0, value: 999n, minutes: 3n }, 6n],
    ['the flat part floored', { flat: 139n, bps: 0, value: 999n, minutes: 3n }, 6n],
    ['the percentage floored', { flat: 0n, bps: 250, value: 999n, minutes: 3n }, 24n],
    ['both together, each floored', { flat: 139n, bps: 250, value: 999n, minutes: 3n }, 30n],
    ['never more than the value', { flat: 30_000n, bps: 250, value: 999n, minutes: 3n }, 999n],
    ['all of it at 10,000 basis points', { flat: 0n, bps: 10_000, value: 999n, minutes: 3n }, 999n],
    ['nothing on a gift', { flat: 300n, bps: 100, value: 0n, minutes: 3n }, 0n],
  ]
  for (const [what, { flat, bps, value, minutes }, fee] of cases) {
    test(`is ${what}`, () => {
      assert.equal(fillFee({ hourly_fee_micros: flat, fee_bps: bps }, value, minutes), fee)
    })
  }
})
