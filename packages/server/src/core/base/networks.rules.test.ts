import assert from 'node:assert/strict'
import { test } from 'vitest'
import { containsNetwork, isInNetworks, type Network, parseNetwork } from './networks.rules.ts'

const network = (text: string) => parseNetwork(text) as Network
const isIn = (address: string, ...texts: string[]) => isInNetworks(address, texts.map(network))

test('a network has one text only', () => {
  for (const text of ['0.0.0.0/0', '10.0.0.0/8', '127.0.0.1/32', '::/0', '2001:db8::/32', '::1/128', 'fe80::/10'])
    assert.ok(parseNetwork(text), text)
  const others = ['10.0.0.0', '10.0.0.1/8', '10.0.0.0/33', '10.0.0.0/08', '010.0.0.0/8', '10.0.0.0/+8', '10.0.0/8']
  const others6 = ['2001:DB8::/32', '2001:db8:0::/32', '2001:0db8::/32', '2001:db8::1/32', '::/129', 'fe80::%1/64']
  const mapped = ['::ffff:10.0.0.0/104', '::ffff:a00:0/104', '::ffff:0:0/96', '1.2.3.4/32/32', '/0', '', '0x0a.0.0.0/8']
  for (const text of [...others, ...others6, ...mapped]) assert.equal(parseNetwork(text), undefined, text)
})

test('an address counts in either notation, and IPv4 mapped into IPv6 as IPv4', () => {
  assert.ok(isIn('10.9.8.7', '10.0.0.0/8'))
  assert.ok(isIn('::ffff:10.9.8.7', '10.0.0.0/8'))
  assert.ok(isIn('::FFFF:a09:807', '10.0.0.0/8'))
  assert.ok(isIn('2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::/32'))
  assert.ok(isIn('fe80::1%eth0', 'fe80::/10'))
  assert.ok(isIn('127.0.0.1', '192.0.2.0/24', '127.0.0.0/8'))
  for (const [address, text] of [
    ['11.0.0.0', '10.0.0.0/8'],
    ['9.255.255.255', '10.0.0.0/8'],
    ['::10.9.8.7', '10.0.0.0/8'],
    ['::1', '127.0.0.0/8'],
    ['2001:db9::', '2001:db8::/32'],
    ['unknown', '0.0.0.0/0'],
    ['', '::/0'],
  ] as const)
    assert.equal(isIn(address, text), false, `${address} ${text}`)
})

test('/0 is all addresses of its family and none of the other, also where IPv4 is mapped', () => {
  assert.ok(isIn('203.0.113.9', '0.0.0.0/0') && isIn('::ffff:203.0.113.9', '0.0.0.0/0') && isIn('2001:db8::1', '::/0'))
  assert.equal(isIn('2001:db8::1', '0.0.0.0/0'), false)
  assert.equal(isIn('203.0.113.9', '::/0'), false)
  assert.equal(isIn('::ffff:203.0.113.9', '::/0'), false)
})

test('a network contains its parts and itself, and nothing of the other family', () => {
  const contains = (outer: string, inner: string) => containsNetwork(network(outer), network(inner))
  assert.ok(
    contains('10.0.0.0/8', '10.0.0.0/8') && contains('10.0.0.0/8', '10.1.0.0/16') && contains('::/0', '::1/128'),
  )
  assert.equal(contains('10.1.0.0/16', '10.0.0.0/8'), false)
  assert.equal(contains('10.0.0.0/8', '11.0.0.0/16'), false)
  assert.equal(contains('::/0', '10.0.0.0/8'), false)
})
