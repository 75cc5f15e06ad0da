import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { bigEndian, curveBits, isPointOf } from './curves.ts'

const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({ format: 'jwk' })
const [xBytes, yBytes] = [x, y].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
const point = (first: number, ...coordinates: Buffer[]) => Buffer.concat([Buffer.from([first]), ...coordinates])

test('a point is uncompressed, on its curve, and its coordinates are below the prime', () => {
  assert.equal(isPointOf('nistp521', point(4, xBytes, yBytes)), true)
  for (const first of [0, 2, 3, 5, 6]) assert.equal(isPointOf('nistp521', point(first, xBytes, yBytes)), false)
  assert.equal(isPointOf('nistp521', point(4, yBytes, xBytes)), false)
  assert.equal(isPointOf('nistp521', point(4, xBytes, yBytes, Buffer.from([0]))), false)
  assert.equal(isPointOf('nistp256', point(4, xBytes, yBytes)), false)
  assert.equal(isPointOf('other', point(4, xBytes, yBytes)), false)
  // The same point, written with another number.
  const beyond = (bytes: Buffer) =>
    Buffer.from((bigEndian(bytes) + 2n ** 521n - 1n).toString(16).padStart(132, '0'), 'hex')
  assert.equal(isPointOf('nistp521', point(4, beyond(xBytes), yBytes)), false)
  assert.equal(isPointOf('nistp521', point(4, xBytes, beyond(yBytes))), false)
})

test('a curve has bits, and an unknown one has none', () => {
  assert.deepEqual(['nistp256', 'nistp384', 'nistp521', 'other'].map(curveBits), [256, 384, 521, 0])
  assert.equal(bigEndian(Buffer.alloc(0)), 0n)
})
