import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isBootSector, readLayout, refuseSize } from './image.rules.ts'

const fileBytes = 200_000

/** The header of an image of one gibibyte, with some changed numbers. Its tables are in the next two clusters. */
function header(change: (bytes: Buffer) => void = () => {}): Buffer {
  const bytes = Buffer.alloc(4096)
  bytes.write('QFI\xfb', 'latin1')
  bytes.writeUInt32BE(3, 4)
  bytes.writeUInt32BE(16, 20)
  bytes.writeBigUInt64BE(2n ** 30n, 24)
  bytes.writeUInt32BE(2, 36)
  bytes.writeBigUInt64BE(131_072n, 40)
  bytes.writeBigUInt64BE(65_536n, 48)
  bytes.writeUInt32BE(1, 56)
  bytes.writeUInt32BE(104, 100)
  change(bytes)
  return bytes
}

function reasonOf(bytes: Buffer, length = fileBytes): string | undefined {
  const found = readLayout(bytes, length)
  return 'reason' in found ? found.reason : undefined
}

test('the size of an image is the size of its disk, not of its file', () => {
  assert.deepEqual(readLayout(header(), fileBytes), { format: 'qcow2', size_bytes: 2 ** 30 })
  assert.deepEqual(readLayout(Buffer.alloc(512), 200_000), { format: 'raw', size_bytes: 200_000 })
  assert.deepEqual(readLayout(Buffer.from('QF'), 2), { format: 'raw', size_bytes: 2 })
})

test('an image that refers to other files, is encrypted or incomplete is refused', () => {
  assert.equal(reasonOf(header((bytes) => bytes.writeBigUInt64BE(1024n, 8))), 'image_refused')
  assert.equal(reasonOf(header((bytes) => bytes.writeBigUInt64BE(4n, 72))), 'image_refused')
  assert.equal(reasonOf(header((bytes) => bytes.writeUInt32BE(2, 32))), 'image_refused')
  assert.equal(reasonOf(header((bytes) => bytes.writeUInt32BE(9, 4))), 'image_not_bootable')
  assert.equal(reasonOf(header().subarray(0, 60), 60), 'image_not_bootable')
  // The header of version 2 ends where the features of version 3 begin.
  const old = header((bytes) => {
    bytes.writeUInt32BE(2, 4)
    bytes.writeBigUInt64BE(4n, 72)
  })
  assert.equal(reasonOf(old), undefined)
})

test('a disk is never read as the format of another program, whatever it begins with', () => {
  const disk = Buffer.from('KDMV'.padEnd(512))
  assert.deepEqual(readLayout(disk, 200_000), { format: 'raw', size_bytes: 200_000 })
})

test('a disk that is larger than the SKU allows is refused', () => {
  const layout = { format: 'qcow2', size_bytes: 10 } as const
  assert.equal(refuseSize(layout, null), undefined)
  assert.equal(refuseSize(layout, 10), undefined)
  assert.equal(refuseSize(layout, 9)?.reason, 'image_too_large')
})

test('a disk without a boot signature is not bootable', () => {
  const sector = Buffer.alloc(512)
  assert.equal(isBootSector(sector), false)
  sector.writeUInt16BE(0x55aa, 510)
  assert.equal(isBootSector(sector), true)
  assert.equal(isBootSector(Buffer.alloc(0)), false)
})
