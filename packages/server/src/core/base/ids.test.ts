import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createRequestIds, mintId } from './ids.ts'
import { createCryptoRandom, createSeededRandom } from './random.ts'

const milliseconds = fc.integer({ min: 0, max: 2 ** 42 - 1 })

// Byte order, as PostgreSQL compares under the C collation.
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

test('an id is its prefix and 21 characters that the interface allows', () => {
  const random = createCryptoRandom()
  fc.assert(
    fc.property(milliseconds, (nowMs) => {
      assert.match(mintId('inst', nowMs, random), /^inst_[0-9a-zA-Z_-]{21}$/)
    }),
  )
})

test('ids sort by their time, whatever their random tail', () => {
  const random = createCryptoRandom()
  fc.assert(
    fc.property(milliseconds, milliseconds, (a, b) => {
      fc.pre(a !== b)
      const order = compare(mintId('evt', a, random), mintId('evt', b, random))
      assert.equal(Math.sign(order), Math.sign(a - b))
    }),
  )
})

test('ids of one millisecond ascend in the order of creation, across prefixes too', () => {
  const random = createCryptoRandom()
  let last = ''
  for (let i = 0; i < 20_000; i++) {
    const body = mintId(i % 2 ? 'inst' : 'ordr', 1_790_000_000_000, random).slice(5)
    assert.ok(compare(last, body) < 0)
    last = body
  }
})

test('an id for an earlier time does not affect the order of the newest millisecond', () => {
  const random = createSeededRandom(1)
  const first = mintId('inst', 2000, random)
  const earlier = mintId('inst', 1000, random)
  const second = mintId('inst', 2000, random)
  assert.ok(compare(earlier, first) < 0)
  assert.ok(compare(first, second) < 0)
})

test('no id is generated twice, even by two processes in the same millisecond', () => {
  const processes = [createCryptoRandom(), createCryptoRandom()]
  const seen = new Set<string>()
  for (let i = 0; i < 20_000; i++) for (const random of processes) seen.add(mintId('inst', 5, random))
  assert.equal(seen.size, 40_000)
})

test('times outside of the 42 bits are encoded as the nearest time in range', () => {
  const random = createCryptoRandom()
  assert.match(mintId('inst', 2 ** 42 + 5, random), /^inst_z{7}/)
  assert.match(mintId('inst', -1, random), /^inst_-{7}/)
})

test('a seed fixes the ids', () => {
  const mint = () => {
    const random = createSeededRandom(7)
    return [mintId('inst', 1, random), mintId('inst', 1, random), mintId('pool', 2, random)]
  }
  assert.deepEqual(mint(), mint())
})

test('request ids have 21 characters and never repeat, within a server and between servers', () => {
  const random = createCryptoRandom()
  const servers = Array.from({ length: 100 }, () => createRequestIds(random))
  const ids = servers.flatMap((newRequestId) => Array.from({ length: 100 }, () => newRequestId()))
  for (const id of ids) assert.match(id, /^req_[A-Za-z0-9_-]{21}$/)
  assert.equal(new Set(ids).size, 10_000)
})
