import assert from 'node:assert/strict'
import { test } from 'vitest'
import { comparedMoney, durationText, exactMoney, moneyText, roughUntilText, sizeText, untilText } from './short.ts'

test('money has cents and separators, and small amounts keep three digits that count', () => {
  assert.equal(moneyText('1234567.5'), '$1,234,567.50')
  assert.equal(moneyText('0'), '$0.00')
  assert.equal(moneyText('0.000123'), '$0.000123')
  assert.equal(moneyText('0.0150'), '$0.015')
  assert.equal(moneyText('-12.999999'), '−$12.99')
  assert.equal(moneyText('3', { sign: true }), '+$3.00')
  assert.equal(exactMoney('-12.999999'), '-$12.999999')
})

test('amounts that are compared have cents, and all digits where cents would hide the difference', () => {
  assert.deepEqual(comparedMoney('36.432802', '5.000000', '31.432802'), ['$36.43', '$5.00', '$31.43'])
  assert.deepEqual(comparedMoney('5.001000', '5.000000'), ['$5.001000', '$5.000000'])
  assert.deepEqual(comparedMoney('5.000000', '5.000000'), ['$5.00', '$5.00'])
})

test('durations name their two largest units', () => {
  assert.equal(durationText(0), '0 s')
  assert.equal(durationText(59), '59 s')
  assert.equal(durationText(3600), '1 h')
  assert.equal(durationText(90_000), '1 d 1 h')
  assert.equal(untilText(1000, 1060), '1 min ago')
  assert.equal(untilText(1060, 1000), 'in 1 min')
  assert.equal(untilText(1000, 1000), 'now')
})

test('in lists, how far a moment is has one unit, of a minute at least', () => {
  assert.equal(roughUntilText(1000, 1059), 'just now')
  assert.equal(roughUntilText(1059, 1000), 'in a moment')
  assert.equal(roughUntilText(1000, 1000 + 49 * 60 + 31), '49 min ago')
  assert.equal(roughUntilText(1000 + 26 * 3600, 1000), 'in 1 d')
})

test('sizes have binary units', () => {
  assert.equal(sizeText(0), '0 bytes')
  assert.equal(sizeText(1536), '1.5 KiB')
  assert.equal(sizeText(64 * 2 ** 30), '64 GiB')
})
