import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { parseNetwork } from '../base/networks.rules.ts'
import { clientAddress } from './client-address.rules.ts'

const proxies = ['127.0.0.1/32', '10.0.0.0/8', '2001:db8:1::/48'].map((text) => parseNetwork(text) ?? assert.fail(text))
const from = (peer: string, sent?: string) => clientAddress(peer, sent, { proxies, header: 'x-forwarded-for' })
const by = (peer: string, sent?: string) => clientAddress(peer, sent, { proxies, header: 'forwarded' })

test('the header counts only from a trusted proxy', () => {
  assert.equal(from('127.0.0.1', '192.0.2.1'), '192.0.2.1')
  assert.equal(from('::ffff:127.0.0.1', '192.0.2.1'), '192.0.2.1')
  assert.equal(from('2001:db8:1::7', '2001:db8:2::1'), '2001:db8:2::1')
  assert.equal(from('198.51.100.1', '192.0.2.1'), '198.51.100.1')
  assert.equal(from('127.0.0.1'), '127.0.0.1')
  assert.equal(clientAddress('127.0.0.1', '192.0.2.1', { proxies: [], header: 'x-forwarded-for' }), '127.0.0.1')
})

test('the list is read from its end, through trusted proxies only', () => {
  assert.equal(from('127.0.0.1', '203.0.113.9, 192.0.2.1, 10.1.2.3'), '192.0.2.1')
  assert.equal(from('127.0.0.1', '10.9.9.9,192.0.2.1'), '192.0.2.1')
  assert.equal(from('127.0.0.1', '10.0.0.1, 10.0.0.2'), '10.0.0.1')
})

test('ports and brackets are left out', () => {
  for (const entry of ['192.0.2.1:5060', '192.0.2.1', ' 192.0.2.1 ']) assert.equal(from('10.0.0.1', entry), '192.0.2.1')
  for (const entry of ['[2001:db8:2::1]:443', '[2001:db8:2::1]', '2001:db8:2::1']) {
    assert.equal(from('10.0.0.1', entry), '2001:db8:2::1')
  }
})

test('all spellings of an address are one, so that they share limits', () => {
  for (const entry of ['2001:DB8:2:0:0:0:0:1', '2001:0db8:0002::0001', '[2001:db8:2:0::1]:443']) {
    assert.equal(from('10.0.0.1', entry), '2001:db8:2::1', entry)
  }
  for (const entry of ['::ffff:192.0.2.1', '::FFFF:c000:201', '[0:0:0:0:0:ffff:192.0.2.1]:80']) {
    assert.equal(from('10.0.0.1', entry), '192.0.2.1', entry)
  }
  assert.equal(from('10.0.0.1', '64:ff9b::192.0.2.1'), '64:ff9b::c000:201')
  assert.equal(from('10.0.0.1', '192.0.2.1, ::ffff:10.0.0.2'), '192.0.2.1', 'a proxy is found by any of them')
})

test('where a proxy names no address, its own counts', () => {
  const entries = [
    'unknown',
    '_hidden',
    '',
    ',',
    '192.0.2.256',
    '192.0.2.1:',
    '[192.0.2.1',
    "1.2.3.4' or 1=1",
    'fe80::1%eth0',
    `fe80::1%${'a'.repeat(9_000)}`,
  ]
  for (const entry of entries) assert.equal(from('10.0.0.1', entry), '10.0.0.1', entry)
  assert.equal(from('127.0.0.1', '192.0.2.1, unknown, 10.0.0.2'), '10.0.0.2')
})

test('what a client writes before the address that its proxy has seen changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (written) => {
      assert.equal(from('127.0.0.1', `${written}, 192.0.2.1`), '192.0.2.1')
    }),
  )
})

test('a long list of proxies has an end', () => {
  const list = Array.from({ length: 3_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join(',')
  assert.equal(from('10.255.0.1', list), `10.0.${(3_000 - 16) >> 8}.${(3_000 - 16) & 255}`)
})

test('Forwarded names an address with or without quotes, port and other parameters', () => {
  const named: readonly (readonly [string, string])[] = [
    ['for=192.0.2.1', '192.0.2.1'],
    ['For=192.0.2.1;Proto=http;BY=203.0.113.43', '192.0.2.1'],
    ['proto=https; for="192.0.2.1:5060" ;host="a, b; c"', '192.0.2.1'],
    ['for="192.0.2.1:_gazonk"', '192.0.2.1'],
    ['for=192.0.2.1:5060', '192.0.2.1'],
    ['for="\\192.0.2.\\1"', '192.0.2.1'],
    ['for="[2001:DB8:2::1]:4711"', '2001:db8:2::1'],
    ['for="[2001:db8:2:0::1]"', '2001:db8:2::1'],
    ['for="[::ffff:192.0.2.1]"', '192.0.2.1'],
    [';;for=192.0.2.1;', '192.0.2.1'],
    [' \tfor=192.0.2.1', '192.0.2.1'],
    ['for=192.0.2.9, for="192.0.2.1:80";ext="\\", for=6.6.6.6"', '192.0.2.1'],
  ]
  for (const [sent, address] of named) assert.equal(by('10.0.0.1', sent), address, sent)
})

test('Forwarded is read from its end, through trusted proxies only', () => {
  assert.equal(by('127.0.0.1', 'for=203.0.113.9, for=192.0.2.1, for=10.1.2.3;by=10.0.0.1'), '192.0.2.1')
  assert.equal(by('127.0.0.1', 'for=10.0.0.1,for="10.0.0.2:80"'), '10.0.0.1')
  assert.equal(by('198.51.100.1', 'for=192.0.2.1'), '198.51.100.1')
  assert.equal(by('127.0.0.1'), '127.0.0.1')
  const list = Array.from({ length: 3_000 }, (_, index) => `for=10.0.${index >> 8}.${index & 255}`).join(',')
  assert.equal(by('10.255.0.1', list), `10.0.${(3_000 - 16) >> 8}.${(3_000 - 16) & 255}`)
})

test('an element of Forwarded that names no address ends the walk', () => {
  const elements = [
    '',
    'for=',
    'for=""',
    'for=unknown',
    'for=_hidden',
    'for="_SEVKISEK:80"',
    'by=192.0.2.1',
    '192.0.2.1',
    'for=192.0.2.1;for=192.0.2.2',
    'for=192.0.2.256',
    'for="fe80::1%eth0"',
    'for="[2001:db8:2::1"',
    'for = 192.0.2.1',
    'for="192.0.2.1',
    'for=192.0.2.1"',
    'for=192.0.2.1 proto=http',
    `for=192.0.2.1;ext="${'a'.repeat(512)}"`,
    `for=192.0.2.1;ext="${'\\'.repeat(9_000)}"`,
    `${'"'.repeat(9_000)}`,
  ]
  for (const element of elements) {
    assert.equal(by('10.0.0.1', element), '10.0.0.1', element)
    assert.equal(by('127.0.0.1', `for=192.0.2.7, ${element}, for=10.0.0.2`), '10.0.0.2', element)
  }
})

/** What a client may write, with the characters that could open or close what a proxy writes behind it. */
const written = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '=', 'for', ' ', '192.0.2.66'), maxLength: 30 }),
)

test('whatever a client writes into Forwarded, the element that its proxy appends counts', () => {
  const appended = fc.constantFrom(
    'for=192.0.2.1',
    'for="192.0.2.1:80";proto=https',
    'by="_a,b";for="192.0.2.1";ext="\\"\\\\"',
  )
  fc.assert(
    fc.property(written, appended, (text, element) => {
      assert.equal(by('127.0.0.1', `${text}, ${element}`), '192.0.2.1')
    }),
  )
})

test('only the header that is set is read', () => {
  assert.equal(by('127.0.0.1', '192.0.2.1'), '127.0.0.1')
  assert.equal(from('127.0.0.1', 'for=192.0.2.1'), '127.0.0.1')
})
