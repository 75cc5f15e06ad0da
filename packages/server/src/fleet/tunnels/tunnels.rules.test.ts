import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { tunnelNetworkDefault } from '../../core/base/server-settings.ts'
import { parseTunnelNetwork, refuseTunnel, trafficOf, tunnelAddress } from './tunnels.rules.ts'

const makeKey = () => {
  const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
  return Buffer.from(x as string, 'base64url').toString('base64')
}
const fieldOf = (public_key: string, next_public_key: string | null = null) =>
  refuseTunnel({ public_key, next_public_key, port: 1 })?.field
const ofHex = (hex: string) => Buffer.from(hex.padEnd(64, '0'), 'hex').toString('base64')

test('keys that WireGuard makes are accepted, and a host changes to another key only', () => {
  const [key, next] = [makeKey(), makeKey()]
  assert.equal(fieldOf(key), undefined)
  assert.equal(fieldOf(key, next), undefined)
  assert.equal(fieldOf(key, key), 'next_public_key')
})

test('keys with which no secret can be agreed on are refused, in each of their encodings', () => {
  const orders = [
    '',
    '01',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    `ec${'ff'.repeat(30)}7f`,
    // The field has 2^255 - 19 elements: these are further names of the first two, and of any other key.
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(30)}7f`,
    `${'00'.repeat(31)}80`,
    'ff'.repeat(32),
  ]
  for (const hex of orders) {
    assert.equal(fieldOf(ofHex(hex)), 'public_key', hex)
    assert.equal(fieldOf(makeKey(), ofHex(hex)), 'next_public_key', hex)
  }
  const bytes = Buffer.from(makeKey(), 'base64')
  bytes[31] = (bytes[31] as number) | 0x80
  assert.equal(fieldOf(bytes.toString('base64')), 'public_key')
})

test('the network of tunnels is one range of addresses, and each host has another one of them', () => {
  const network = parseTunnelNetwork(tunnelNetworkDefault) ?? assert.fail('the default is malformed')
  assert.equal(tunnelAddress(network, 1), '100.112.0.1')
  assert.equal(tunnelAddress(network, 2 ** 20 - 2), '100.127.255.254')
  assert.equal(tunnelAddress(network, 2 ** 20 - 1), undefined)
  for (const bad of [
    '',
    '10.0.0.1/8',
    '10.0.0.0',
    '10.0.0.0/7',
    '10.0.0.0/31',
    '10.0.0.256/8',
    'fd00::/8',
    '1.2.3/8',
  ]) {
    assert.equal(parseTunnelNetwork(bad), undefined, bad)
  }
  const some = fc.integer({ min: 1, max: 2 ** 20 - 2 })
  fc.assert(
    fc.property(some, some, (one, other) => {
      assert.equal(tunnelAddress(network, one) === tunnelAddress(network, other), one === other)
    }),
  )
})

test('a subnet is carried unencrypted only where the operator accepts it and a host has no WireGuard', () => {
  const [has, lacks, unknown] = [true, false, null].map((encrypts_traffic) => ({ encrypts_traffic }))
  assert.equal(trafficOf([has, lacks] as never, false), 'encrypted')
  assert.equal(trafficOf([has, lacks] as never, true), 'unencrypted')
  assert.equal(trafficOf([has, unknown] as never, true), 'encrypted')
})
