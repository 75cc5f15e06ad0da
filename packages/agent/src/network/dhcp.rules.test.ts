import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { answerDhcp, type Lease } from './dhcp.rules.ts'

const lease: Lease = {
  address: '10.64.0.4',
  prefix: 20,
  gateway: '10.64.0.1',
  nameservers: ['192.0.2.53', '192.0.2.54'],
  mtu: 1_450,
  mac: '02:00:00:00:00:01',
}

/** A packet of a client. `type` undefined: an old client that sends no type. */
function packetOf(type: number | undefined, mac = lease.mac): Buffer {
  const packet = Buffer.alloc(240)
  packet.set([1, 1, 6, 3, 0xde, 0xad, 0xbe, 0xef])
  packet.set(Buffer.from(mac.replaceAll(':', ''), 'hex'), 28)
  packet.set([99, 130, 83, 99], 236)
  // A pad and an unrelated option come before the type.
  return Buffer.concat([packet, Buffer.from([0, 60, 2, 7, 7, ...(type === undefined ? [] : [53, 1, type]), 255])])
}

/** The options of an answer, as numbers. */
function optionsOf(answer: Buffer): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let at = 240; answer[at] !== 255; at += 2 + (answer[at + 1] as number)) {
    found.set(answer[at] as number, [...answer.subarray(at + 2, at + 2 + (answer[at + 1] as number))])
  }
  return found
}

test('a guest is offered its own address, and gets it on request', () => {
  for (const [asked, given] of [
    [1, 2],
    [3, 5],
    [8, 5],
  ] as const) {
    const answer = answerDhcp(packetOf(asked), lease) ?? assert.fail('no answer')
    assert.equal(answer[0], 2)
    assert.deepEqual([...answer.subarray(4, 8)], [0xde, 0xad, 0xbe, 0xef])
    assert.deepEqual([...answer.subarray(16, 24)], [10, 64, 0, 4, 10, 64, 0, 1])
    assert.deepEqual([...answer.subarray(28, 34)], [2, 0, 0, 0, 0, 1])
    assert.ok(answer.length >= 300)
    assert.deepEqual(Object.fromEntries(optionsOf(answer)), {
      53: [given],
      54: [10, 64, 0, 1],
      51: [255, 255, 255, 255],
      1: [255, 255, 240, 0],
      3: [10, 64, 0, 1],
      6: [192, 0, 2, 53, 192, 0, 2, 54],
      26: [1450 >> 8, 1450 & 255],
    })
  }
})

test('the option for name servers is omitted if there are none', () => {
  const answer = answerDhcp(packetOf(1), { ...lease, nameservers: [] }) ?? assert.fail('no answer')
  assert.equal(optionsOf(answer).has(6), false)
})

test('a packet that is not a request of the guest itself gets no answer', () => {
  assert.equal(answerDhcp(packetOf(1, '02:00:00:00:00:02'), lease), undefined)
  assert.equal(answerDhcp(packetOf(undefined), lease), undefined)
  assert.equal(answerDhcp(packetOf(7), lease), undefined)
  assert.equal(answerDhcp(answerDhcp(packetOf(1), lease) as Buffer, lease), undefined)
})

test('a malformed packet gets no answer and causes no error', () => {
  const good = packetOf(1)
  const cut = fc.integer({ min: 0, max: good.length }).map((length) => good.subarray(0, length))
  const spoilt = fc
    .array(fc.tuple(fc.integer({ min: 0, max: good.length - 1 }), fc.integer({ min: 0, max: 255 })), { maxLength: 6 })
    .map((changes) => {
      const packet = Buffer.from(good)
      for (const [at, value] of changes) packet[at] = value
      return packet
    })
  fc.assert(
    fc.property(fc.oneof(cut, spoilt), (packet) => {
      const answer = answerDhcp(packet, lease)
      assert.ok(answer === undefined || answer.length < 600)
    }),
  )
})
