import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { seedVolume } from './seed.ts'

const sector = 2048

/** Reads a volume as a guest does: the descriptor, its root directory, the files that it names. */
function readVolume(volume: Buffer, type: 1 | 2): Record<string, Buffer> {
  const at = [16, 17].find((one) => volume[one * sector] === type) as number
  const descriptor = volume.subarray(at * sector, (at + 1) * sector)
  assert.equal(descriptor.toString('latin1', 1, 6), 'CD001')
  const root = descriptor.readUInt32LE(156 + 2) * sector
  const found: Record<string, Buffer> = {}
  for (let entry = root; volume[entry] !== 0; entry += volume[entry] as number) {
    const [start, size, length] = [volume.readUInt32LE(entry + 2), volume.readUInt32LE(entry + 10), volume[entry + 32]]
    assert.equal(volume.readUInt32BE(entry + 6), start)
    const name = Buffer.from(volume.subarray(entry + 33, entry + 33 + (length as number)))
    if (((volume[entry + 25] as number) & 2) !== 0) continue
    const text = type === 2 ? name.swap16().toString('utf16le') : name.toString('latin1')
    found[text] = volume.subarray(start * sector, start * sector + size)
  }
  return found
}

test('a guest finds the label and the files by their long names', () => {
  const files = { 'meta-data': 'instance-id: a\n', 'user-data': Buffer.from([0, 1, 2, 255]), 'network-config': '' }
  const volume = seedVolume(files)
  assert.equal(volume.toString('latin1', 16 * sector + 40, 16 * sector + 46), 'cidata')
  assert.deepEqual(readVolume(volume, 2), {
    'meta-data': Buffer.from('instance-id: a\n'),
    'network-config': Buffer.alloc(0),
    'user-data': Buffer.from([0, 1, 2, 255]),
  })
  assert.deepEqual(Object.keys(readVolume(volume, 1)), ['META_DA0;1', 'NETWORK1;1', 'USER_DA2;1'])
  assert.ok(volume.length > 64 * 1024 && volume.length % sector === 0)
})

test('files are read back unchanged, and the same files give the same volume', () => {
  const contents = fc.uint8Array({ maxLength: 10_000 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(contents, contents, (first, second) => {
      const volume = seedVolume({ 'user-data': first, 'meta-data': second })
      assert.deepEqual(readVolume(volume, 2), { 'meta-data': second, 'user-data': first })
      assert.ok(volume.equals(seedVolume({ 'meta-data': second, 'user-data': first })))
    }),
    { numRuns: 50 },
  )
})
