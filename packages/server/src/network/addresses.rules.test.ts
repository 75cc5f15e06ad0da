import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  availableAddresses,
  type Cidr,
  firstFreeSubnet,
  formatAddress,
  formatCidr,
  lowestFreeAddresses,
  overlaps,
  parseAddress,
  parseCidr,
  refuseOverlap,
  refuseSubnetCidr,
} from './addresses.rules.ts'

const cidr = (text: string) => parseCidr(text) as Cidr

const anyCidr = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }))
  .map(([address, prefix]) => ({ first: address - (address % 2 ** (32 - prefix)), prefix }))
const anySubnet = fc.tuple(fc.nat(4_095), fc.integer({ min: 16, max: 28 })).map(([step, prefix]) => {
  const address = (cidr('10.63.0.0/16').first + step * 1_024 + step) >>> 0
  return { first: address - (address % 2 ** (32 - prefix)), prefix }
})

describe('networks', () => {
  test('are parsed and formatted without loss', () => {
    fc.assert(fc.property(anyCidr, (network) => assert.deepEqual(parseCidr(formatCidr(network)), network)))
    assert.deepEqual(parseCidr('10.0.0.0/20'), { first: 167_772_160, prefix: 20 })
    assert.deepEqual(parseCidr('0.0.0.0/0'), { first: 0, prefix: 0 })
    assert.deepEqual(parseCidr('255.255.255.255/32'), { first: 2 ** 32 - 1, prefix: 32 })
  })

  test('in any other notation are not parsed', () => {
    for (const text of [
      '',
      '10.0.0.0',
      '10.0.0.0/',
      '/20',
      '10.0.0.0/33',
      '10.0.0.0/020',
      '10.0.0.0/+8',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '256.0.0.0/8',
      '010.0.0.0/8',
      '10.0.0.0 /8',
      ' 10.0.0.0/8',
      '10.0.0.0/8\n',
      '10.0.0.1/20',
      '10.0.16.0/19',
      'a.b.c.d/8',
      '::/0',
      '1e1.0.0.0/8',
      '10.0.0.0/1e1',
      '0x0a.0.0.0/8',
      '10.0.0.0.0/8',
      '-1.0.0.0/8',
    ]) {
      assert.equal(parseCidr(text), undefined, text)
    }
  })

  test('overlap exactly if one contains the first address of the other, in either order', () => {
    fc.assert(
      fc.property(anyCidr, anyCidr, (a, b) => {
        const contains = (network: Cidr, address: number) =>
          network.first <= address && address < network.first + 2 ** (32 - network.prefix)
        assert.equal(overlaps(a, b), contains(a, b.first) || contains(b, a.first))
        assert.equal(overlaps(a, b), overlaps(b, a))
      }),
    )
    assert.equal(overlaps(cidr('10.0.0.0/20'), cidr('10.0.16.0/20')), false)
    assert.equal(overlaps(cidr('10.0.0.0/8'), cidr('10.200.0.0/28')), true)
  })

  test('have addresses that are parsed and formatted without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (a) => assert.equal(parseAddress(formatAddress(a)), a)),
    )
    assert.equal(formatAddress(2 ** 32 - 1), '255.255.255.255')
    assert.equal(parseAddress('1.2.3.04'), undefined)
  })
})

describe('the range of a subnet', () => {
  test('is private, has a prefix length from 16 to 28 and no host bits', () => {
    for (const text of ['10.0.0.0/16', '10.255.255.240/28', '172.16.0.0/16', '172.31.255.0/24', '192.168.0.0/16']) {
      assert.equal(refuseSubnetCidr(text), undefined, text)
    }
    for (const text of [
      '10.0.0.0/15',
      '10.0.0.0/29',
      '10.0.0.0/8',
      '0.0.0.0/0',
      '10.0.0.1/24',
      'nonsense',
      '',
      '11.0.0.0/16',
      '172.15.0.0/16',
      '172.32.0.0/16',
      '192.167.0.0/16',
      '192.169.0.0/16',
      '8.8.8.0/24',
    ]) {
      assert.equal(refuseSubnetCidr(text)?.code, 'invalid_cidr', text)
      assert.equal(refuseSubnetCidr(text)?.field, 'cidr', text)
    }
  })

  test('overlaps no other range of its workspace', () => {
    const others = [cidr('10.0.0.0/24'), cidr('10.1.0.0/16')]
    assert.equal(refuseOverlap(cidr('10.0.1.0/24'), others), undefined)
    assert.deepEqual(refuseOverlap(cidr('10.1.7.0/24'), others), {
      code: 'subnet_overlap',
      field: 'cidr',
      message: '10.1.7.0/24 overlaps 10.1.0.0/16, another subnet of the workspace.',
    })
  })

  test('is by default the first free /20 of 10.64.0.0/10', () => {
    const first = (...others: string[]) => {
      const found = firstFreeSubnet(others.map(cidr))
      return found && formatCidr(found)
    }
    assert.equal(first(), '10.64.0.0/20')
    assert.equal(first('10.0.0.0/16', '192.168.0.0/24'), '10.64.0.0/20')
    assert.equal(first('10.64.0.0/20', '10.64.16.0/20', '10.64.48.0/20'), '10.64.32.0/20')
    assert.equal(first('10.64.15.240/28'), '10.64.16.0/20')
    assert.equal(first('10.64.0.0/16', '10.65.0.0/17'), '10.65.128.0/20')
    const all = Array.from({ length: 1_024 }, (_, step) => ({
      first: cidr('10.64.0.0/10').first + step * 4_096,
      prefix: 20,
    }))
    assert.equal(firstFreeSubnet(all), undefined)
    assert.deepEqual(firstFreeSubnet(all.slice(0, -1)), all.at(-1))
  })

  test('is free by default, and every lower /20 overlaps another range', () => {
    const space = cidr('10.64.0.0/10').first
    fc.assert(
      fc.property(fc.array(anySubnet, { maxLength: 30 }), (others) => {
        const found = firstFreeSubnet(others) as Cidr
        assert.equal(refuseOverlap(found, others), undefined)
        for (let first = space; first < found.first; first += 4_096) {
          assert.ok(others.some((other) => overlaps(other, { first, prefix: 20 })))
        }
      }),
    )
  })
})

describe('the addresses of a subnet', () => {
  const subnet = cidr('10.64.0.0/28')

  test('begin after the first four and end before the last', () => {
    const all = lowestFreeAddresses(subnet, [], 11)
    const expected = Array.from({ length: 11 }, (_, index) => `10.64.0.${index + 4}`)
    assert.deepEqual(all.map(formatAddress), expected)
    for (let count = 0; count <= 11; count++) assert.equal(availableAddresses(subnet, count), 11 - count)
    assert.throws(() => lowestFreeAddresses(subnet, all, 1))
    assert.throws(() => lowestFreeAddresses(subnet, [], 12))
  })

  test('are taken lowest first, including freed ones', () => {
    const taken = ['10.64.0.4', '10.64.0.6', '10.64.0.5', '10.64.0.8'].map((text) => parseAddress(text) as number)
    assert.deepEqual(lowestFreeAddresses(subnet, taken, 2).map(formatAddress), ['10.64.0.7', '10.64.0.9'])
    assert.deepEqual(lowestFreeAddresses(cidr('10.0.0.0/16'), [], 1).map(formatAddress), ['10.0.0.4'])
  })

  test('are 2^(32 − prefix) − 5 in number', () => {
    assert.equal(availableAddresses(cidr('10.0.0.0/16'), 0), 65_531)
    assert.equal(availableAddresses(cidr('10.0.0.0/20'), 91), 4_000)
  })
})
