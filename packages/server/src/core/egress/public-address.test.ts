import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isPublicAddress, mayBePublicHost } from './public-address.ts'

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.1',
]
const publicV6 = ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2400:cb00::1']

/** By range: this network, private, shared, loopback, link-local, protocol, documentation, benchmarks, multicast. */
const forbidden = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
]
/** IPv6: unspecified, loopback, IPv4-compatible and -mapped, NAT64, discard, Teredo, 6to4, documentation, local. */
const forbiddenV6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::10.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '::ffff:7f00:1',
  '0:0:0:0:0:0:0:1',
]

test('only addresses of the internet are public', () => {
  for (const address of [...publicOnes, ...publicV6]) assert.equal(isPublicAddress(address), true, address)
  for (const address of [...forbidden, ...forbiddenV6]) assert.equal(isPublicAddress(address), false, address)
  for (const text of ['', 'localhost', '1.1.1.1.1', '1.1.1.256', 'x', '[::1]', '1.1.1.1 ']) {
    assert.equal(isPublicAddress(text), false, text)
  }
})

test('link-local addresses and those of the metadata services of clouds are not public', () => {
  const azure = ['168.63.129.16', '::ffff:168.63.129.16', '64:ff9b::168.63.129.16']
  const others = ['169.254.0.1', '169.254.170.2', '169.254.169.254', '100.100.100.200', '192.0.0.192']
  const sixes = ['fe80::a9fe:a9fe', 'febf::1', 'fd00:ec2::254', 'fd20:ce::254']
  for (const address of [...azure, ...others, ...sixes]) assert.equal(isPublicAddress(address), false, address)
  for (const host of ['168.63.129.16', '0xa83f8110', '2822734096', '168.63.33040', '[::ffff:a83f:8110]']) {
    assert.equal(mayBePublicHost(new URL(`https://${host}/`).hostname), false, host)
  }
  assert.equal(isPublicAddress('168.63.129.17'), true)
})

test('an address in a URL is recognised in every notation', () => {
  const hidden = [
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '10.1',
    '0xa9fea9fe',
    '3232235777',
    '[64:ff9b::7f00:1]',
  ]
  for (const host of hidden) {
    assert.equal(mayBePublicHost(new URL(`https://${host}/`).hostname), false, host)
  }
  for (const host of ['8.8.8.8', '134744072', '[2606:4700:4700::1111]', 'example.com', 'example.com.', 'EXAMPLE.com']) {
    assert.equal(mayBePublicHost(new URL(`https://${host}/`).hostname), true, host)
  }
})

test('names that belong to no public address are recognised', () => {
  const names = [
    'localhost',
    'localhost.',
    'a.localhost',
    'printer',
    'a.local',
    'metadata.google.internal',
    'x.home.arpa',
  ]
  for (const name of [...names, 'a.test', 'a.INTERNAL', 'x.localdomain', 'x.onion']) {
    assert.equal(mayBePublicHost(name), false, name)
  }
  for (const name of ['locality.com', 'internal.example.com', 'a.localhost.example.com']) {
    assert.equal(mayBePublicHost(name), true, name)
  }
})
