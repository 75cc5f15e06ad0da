import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  isSamePart,
  partsToCompare,
  percentOf,
  planUpload,
  reachableUrl,
  secondsLeft,
  speedOf,
  withSample,
} from './upload.rules.ts'

const mebibyte = 2 ** 20
const part = (part_id: number, mebibytes: number) => ({ part_id, size_bytes: mebibytes * mebibyte, etag: '"ab"' })

test('a resumed upload keeps the size of the parts that are there', () => {
  const parts = planUpload(20 * mebibyte, [part(1, 8)])
  assert.ok(Array.isArray(parts))
  assert.deepEqual(
    parts.map(({ length }) => length / mebibyte),
    [8, 8, 4],
  )
  assert.deepEqual(
    partsToCompare(parts, [part(1, 8), part(3, 8)]).map(({ part_id }) => part_id),
    [1],
  )
})

test('parts beyond the end of the file are those of another file', () => {
  const found = planUpload(9 * mebibyte, [part(1, 8), part(3, 8)])
  assert.ok('message' in found)
  assert.match(found.message, /another, larger file/)
  assert.ok('message' in planUpload(0, []))
})

test('a part is the same where its MD5 is that of the server', () => {
  assert.ok(isSamePart({ etag: '"0CC1"' }, '0cc1'))
  assert.ok(!isSamePart({ etag: '"0cc1-3"' }, '0cc1'))
})

test('the speed is that of the last seconds, and nothing is promised before it is known', () => {
  const slow = withSample([], { at: 0, bytes: 0 })
  assert.equal(speedOf(slow), undefined)
  assert.equal(secondsLeft(100, speedOf(slow)), undefined)
  const later = withSample(slow, { at: 2_000, bytes: 4_000 })
  assert.equal(speedOf(later), 2_000)
  assert.equal(secondsLeft(5_000, 2_000), 3)
  const much = withSample(withSample(later, { at: 30_000, bytes: 5_000 }), { at: 31_000, bytes: 15_000 })
  assert.equal(speedOf(much), 10_000)
})

test('only a complete upload is at 100 percent', () => {
  assert.equal(percentOf(999, 1000), 99)
  assert.equal(percentOf(1000, 1000), 100)
})

test('a part of the server itself is sent to the address of the page, one of a store stays', () => {
  const own = 'http://127.0.0.1:1/image_data/image_1/parts/1?a=b'
  assert.equal(reachableUrl(own, 'http://localhost:1'), 'http://localhost:1/image_data/image_1/parts/1?a=b')
  assert.equal(
    reachableUrl('https://s3.example.com/bucket/x?y=z', 'http://localhost:1'),
    'https://s3.example.com/bucket/x?y=z',
  )
})
