import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { dollarsOf } from '../formats/amounts.ts'
import { microsOf, printDollars } from '../money.ts'
import { decimalShapeOf, readBasisPoints, readDollars, readPercent, readSize, readTimes } from './amounts.ts'

const price = decimalShapeOf('^\\d{1,9}(\\.\\d{1,6})?$')
const posting = decimalShapeOf('^-?\\d{1,12}(\\.\\d{1,6})?$')

test('money may have a sign of dollars, and commas between thousands', () => {
  const cases: [string, string][] = [
    ['20', '20'],
    ['2.50', '2.50'],
    ['$2.50', '2.50'],
    ['$1,234.5', '1234.5'],
    ['2.5 USD', '2.5'],
    ['20 dollars', '20'],
  ]
  for (const [text, value] of cases) assert.equal(readDollars(text, price), value, text)
  assert.equal(readDollars('500', posting), '500')
  for (const text of ['-2.5', '-$2.5', '$-2.5']) assert.equal(readDollars(text, posting), '-2.5', text)
  for (const text of ['$2.50/h', '2.50 per node-hour', '2.50/hour']) {
    assert.equal(readDollars(text, price, { isPrice: true }), '2.50', text)
    assert.throws(() => readDollars(text, price), /is not an amount/, text)
  }
})

test('money that is no dollars, ambiguous, negative or too exact is refused with the accepted forms', () => {
  const cases: [string, RegExp][] = [
    ['€2', /is not an amount/],
    ['', /is not an amount/],
    ['2,50', /ambiguous/],
    ['1.234,50', /is not an amount/],
    ['1,23,456', /ambiguous/],
    ['2.1234567', /never rounded/],
    ['-2', /negative/],
    ['--2', /is not an amount/],
    ['2.50/d', /is not an amount/],
  ]
  for (const [text, message] of cases) {
    assert.throws(
      () => readDollars(text, price),
      (error: Error & { remedy?: string }) => message.test(error.message) && /\$2\.50/.test(error.remedy ?? ''),
      text,
    )
  }
})

test('every amount that the program prints can be typed', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 17n), 10n ** 17n), (micros) => {
      const read = readDollars(dollarsOf(printDollars(micros)), posting)
      assert.equal(microsOf(read), micros)
      assert.match(read, /^-?\d{1,12}\.\d{1,6}$/)
    }),
  )
})

test('sizes have decimal and binary units, and a letter alone is ambiguous', () => {
  const cases: [string, number][] = [
    ['0', 0],
    ['268435456', 268_435_456],
    ['2TiB', 2 * 2 ** 40],
    ['500GB', 500e9],
    ['500 gb', 500e9],
    ['1 byte', 1],
    ['512 bytes', 512],
    ['1.5KiB', 1536],
    ['64MiB', 64 * 2 ** 20],
  ]
  for (const [text, bytes] of cases) assert.equal(readSize(text), bytes, text)
  assert.throws(() => readSize('2T'), /ambiguous/)
  for (const text of ['', '-1', '1.0001KiB', '0.3B', '9000PiB', 'TiB', '2 apples'])
    assert.throws(() => readSize(text), Error, text)
})

test('a size in any unit is its number of bytes', () => {
  const units = [
    ['KiB', 2 ** 10],
    ['MiB', 2 ** 20],
    ['GiB', 2 ** 30],
    ['kB', 1e3],
    ['MB', 1e6],
    ['TB', 1e12],
  ] as const
  fc.assert(
    fc.property(fc.nat(8_000), fc.constantFrom(...units), (count, [unit, size]) => {
      assert.equal(readSize(`${count}${unit}`), count * size)
    }),
  )
})

test('rates are percentages, basis points or factors', () => {
  assert.deepEqual(['80', '80%', '80 %'].map(readPercent), [80, 80, 80])
  assert.deepEqual(['250', '250bps', '2.5%', '0.05 %'].map(readBasisPoints), [250, 250, 250, 5])
  assert.deepEqual(['60', '60x', '×60'].map(readTimes), [60, 60, 60])
  for (const text of ['80.5%', 'all', '']) assert.throws(() => readPercent(text), /percentage/)
  for (const text of ['2.555%', '', 'free']) assert.throws(() => readBasisPoints(text), /not a rate/)
  assert.throws(() => readTimes('fast'), /not a factor/)
})
