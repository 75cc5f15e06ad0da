import assert from 'node:assert/strict'
import type { BlockList } from 'node:net'
import { test } from 'vitest'
import { type HostNetworks, parseNetworks, publicAddressesMax, refuseAddresses } from './host-addresses.rules.ts'

const tunnels = parseNetworks('100.112.0.0/12') as BlockList
const any: HostNetworks = { hosts: undefined, publics: undefined, tunnels, are_shared: false }
const fieldOf = (host_address: string, public_ipv4s: string[] = [], allowed = any) =>
  refuseAddresses({ host_address, public_ipv4s }, allowed)?.field

test('a host declares an address at which others can reach it', () => {
  for (const good of ['10.0.0.1', '192.0.2.7', '100.64.0.1', '1.1.1.1', '223.255.255.255']) {
    assert.equal(fieldOf(good), undefined, good)
  }
  const malformed = ['', 'garbage', '10.0.0', '10.0.0.256', '010.0.0.1', '10.0.0.1 ', '10.0.0.1/32', '::1', '1e1.0.0.0']
  const elsewhere = [
    '100.112.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
  ]
  for (const bad of [...malformed, ...elsewhere, '240.0.0.1']) {
    assert.equal(fieldOf(bad), 'facts.host_address', bad)
    assert.equal(fieldOf('10.0.0.1', ['192.0.2.1', bad]), 'facts.public_ipv4s.1', bad)
  }
})

test('in a sandbox hosts may have a loopback address, and machines may not', () => {
  const shared = { ...any, are_shared: true }
  assert.equal(fieldOf('127.0.0.1', [], shared), undefined)
  assert.equal(fieldOf('127.0.0.1', ['127.0.0.2'], shared), 'facts.public_ipv4s.0')
  assert.equal(fieldOf('224.0.0.1', [], shared), 'facts.host_address')
})

test('a public address is declared once, is not that of the host, and there are not too many', () => {
  assert.equal(fieldOf('10.0.0.1', ['192.0.2.1', '192.0.2.2', '192.0.2.1']), 'facts.public_ipv4s.2')
  assert.equal(fieldOf('192.0.2.1', ['192.0.2.1']), 'facts.public_ipv4s.0')
  const many = (count: number) => Array.from({ length: count }, (_, index) => `192.0.${index >> 8}.${index & 255}`)
  assert.equal(fieldOf('10.0.0.1', many(publicAddressesMax)), undefined)
  assert.equal(fieldOf('10.0.0.1', many(publicAddressesMax + 1)), 'facts.public_ipv4s')
})

test('addresses are in the networks that the operator allows', () => {
  const allowed = {
    ...any,
    hosts: parseNetworks('10.1.0.0/16, 10.3.0.0/16'),
    publics: parseNetworks('198.51.100.0/24'),
  }
  assert.equal(fieldOf('10.1.255.255', ['198.51.100.9'], allowed), undefined)
  assert.equal(fieldOf('10.3.0.1', [], allowed), undefined)
  assert.equal(fieldOf('10.2.0.1', [], allowed), 'facts.host_address')
  assert.equal(fieldOf('198.51.100.1', [], allowed), 'facts.host_address')
  assert.equal(fieldOf('10.1.0.1', ['198.51.100.9', '198.51.101.1'], allowed), 'facts.public_ipv4s.1')
})

test('networks are lists of CIDRs without host bits', () => {
  for (const bad of ['', ',', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '10.0.0.1/8', '10.0.0.0/8/8', '::/0', 'x/8']) {
    assert.equal(parseNetworks(bad), undefined, bad)
    assert.equal(parseNetworks(`10.0.0.0/8,${bad}`), undefined, bad)
  }
  assert.ok(parseNetworks('0.0.0.0/0')?.check('192.0.2.1'))
  assert.ok(parseNetworks('10.0.0.0/8, 192.0.2.7/32')?.check('192.0.2.7'))
})
