import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { diskBytes, gptOf, mbrOf, oldQcow2Of, qcow2Bytes, qcow2Of, rawOf } from '../../test/image-fixtures.ts'
import { imageHeadBytes, inspectImage, readImage } from './image-format.rules.ts'

const mebibyte = 2 ** 20

/** The code and the message of what is found in a file. */
function problemOf(head: Uint8Array, fileBytes = mebibyte): [string, string] {
  const found = inspectImage(head, fileBytes)
  return 'code' in found ? [found.code, found.message] : ['none', '']
}

function write(at: number, value: string | number[]): (bytes: Buffer) => void {
  return (bytes) => void bytes.set(typeof value === 'string' ? Buffer.from(value, 'latin1') : value, at)
}

test('a qcow2 file is accepted in versions 2 and 3, and has the size of its disk', () => {
  for (const head of [qcow2Of(), oldQcow2Of()]) {
    assert.deepEqual(inspectImage(head, qcow2Bytes), { format: 'qcow2', virtual_size_bytes: diskBytes })
  }
  // Dirty counts, compression and extended entries are features that hosts have. Extended entries are twice as long.
  const usual = qcow2Of((bytes) => {
    bytes.writeBigUInt64BE(1n + 8n + 16n, 72)
    bytes.writeUInt32BE(4, 36)
  })
  assert.deepEqual(inspectImage(usual, qcow2Bytes + 16), { format: 'qcow2', virtual_size_bytes: diskBytes })
  const short = qcow2Of((bytes) => bytes.writeBigUInt64BE(16n, 72))
  assert.match(problemOf(short, qcow2Bytes)[1], /does not fit its size/)
})

test('a qcow2 file that refers to other files or is encrypted is refused in both versions', () => {
  const changes: [RegExp, (bytes: Buffer) => void][] = [
    [/backing file/, (bytes) => bytes.writeBigUInt64BE(1024n, 8)],
    [/backing file/, (bytes) => bytes.writeUInt32BE(12, 16)],
    [/encrypted/, (bytes) => bytes.writeUInt32BE(2, 32)],
  ]
  const both = changes.flatMap(([reason, change]) => [
    [reason, qcow2Of(change)] as const,
    [reason, oldQcow2Of(change)] as const,
  ])
  const named = (bytes: Buffer) => {
    bytes.writeUInt32BE(0x44_41_54_41, 504)
    bytes.writeUInt32BE(11, 508)
  }
  const heads: (readonly [RegExp, Buffer])[] = [
    ...both,
    [/data is in another file/, qcow2Of((bytes) => bytes.writeBigUInt64BE(4n, 72))],
    [/names another file/, qcow2Of(named)],
    [/names another file/, oldQcow2Of((bytes) => bytes.writeUInt32BE(0x44_41_54_41, 72))],
  ]
  for (const [reason, head] of heads) {
    const [code, message] = problemOf(head, qcow2Bytes)
    assert.equal(code, 'image_refused')
    assert.match(message, reason)
    const found = readImage(head, qcow2Bytes)
    assert.equal('kind' in found && found.kind, 'unsafe')
  }
})

test('a qcow2 file that is damaged, cut off or not supported is refused', () => {
  const changes: [RegExp, (bytes: Buffer) => void][] = [
    [/version 1/, (bytes) => bytes.writeUInt32BE(1, 4)],
    [/version 4/, (bytes) => bytes.writeUInt32BE(4, 4)],
    [/corrupt/, (bytes) => bytes.writeBigUInt64BE(2n, 72)],
    [/not supported/, (bytes) => bytes.writeBigUInt64BE(32n, 72)],
    [/clusters have 2\^8 bytes/, (bytes) => bytes.writeUInt32BE(8, 20)],
    [/clusters have 2\^22 bytes/, (bytes) => bytes.writeUInt32BE(22, 20)],
    [/no bytes/, (bytes) => bytes.writeBigUInt64BE(0n, 24)],
    [/maximum/, (bytes) => bytes.writeBigUInt64BE(2n ** 46n + 1n, 24)],
    [/maximum/, (bytes) => bytes.writeBigUInt64BE(2n ** 64n - 1n, 24)],
    [/does not fit its size/, (bytes) => bytes.writeUInt32BE(1, 36)],
    [/does not fit its size/, (bytes) => bytes.writeUInt32BE(2 ** 22 + 1, 36)],
    [/cut off/, (bytes) => bytes.writeUInt32BE(3, 36)],
    [/wrong place/, (bytes) => bytes.writeBigUInt64BE(0n, 40)],
    [/wrong place/, (bytes) => bytes.writeBigUInt64BE(65_537n, 40)],
    [/cut off/, (bytes) => bytes.writeBigUInt64BE(2n ** 40n, 40)],
    [/wrong place/, (bytes) => bytes.writeBigUInt64BE(0n, 48)],
    [/cut off/, (bytes) => bytes.writeBigUInt64BE(2n ** 40n, 48)],
    [/reference counts/, (bytes) => bytes.writeUInt32BE(0, 56)],
    [/reference counts/, (bytes) => bytes.writeUInt32BE(129, 56)],
    [/header has 96 bytes/, (bytes) => bytes.writeUInt32BE(96, 100)],
    [/header has 108 bytes/, (bytes) => bytes.writeUInt32BE(108, 100)],
    [/header has 131072 bytes/, (bytes) => bytes.writeUInt32BE(131_072, 100)],
    [/extension/, (bytes) => bytes.writeUInt32BE(2 ** 32 - 1, 116)],
  ]
  for (const [reason, change] of changes) {
    const [code, message] = problemOf(qcow2Of(change), qcow2Bytes)
    assert.equal(code, 'image_refused', String(reason))
    assert.match(message, reason)
    const found = readImage(qcow2Of(change), qcow2Bytes)
    assert.equal('kind' in found && found.kind, 'damaged')
  }
  for (const length of [4, 71, 103])
    assert.match(problemOf(qcow2Of().subarray(0, length), length)[1], /within its header/)
  assert.match(problemOf(qcow2Of(), qcow2Bytes - 1)[1], /cut off/)
})

test('a raw disk is recognized by its partition table or file system', () => {
  const disks: [string, Buffer][] = [
    ['an MBR partition table', mbrOf()],
    ['a GPT partition table', gptOf(512)],
    ['a GPT partition table', gptOf(4096)],
    [
      'a FAT file system',
      rawOf((bytes) => {
        write(0, [0xeb, 0x58, 0x90])(bytes)
        write(11, [0x00, 0x02, 8, 32, 0, 2])(bytes)
        write(21, [0xf8])(bytes)
        write(82, 'FAT32   ')(bytes)
        write(510, [0x55, 0xaa])(bytes)
      }),
    ],
    [
      'an ext2, ext3 or ext4 file system',
      rawOf((bytes) => {
        bytes.writeUInt32LE(128, 1024)
        bytes.writeUInt32LE(1024, 1028)
        bytes.writeUInt32LE(2, 1048)
        bytes.writeUInt16LE(0xef53, 1080)
      }),
    ],
    ['an XFS file system', rawOf(write(0, [...Buffer.from('XFSB'), 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 1, 0]))],
    [
      'a Btrfs file system',
      rawOf((bytes) => {
        bytes.writeBigUInt64LE(65_536n, 65_536 + 48)
        bytes.write('_BHRfS_M', 65_536 + 64)
      }),
    ],
    [
      'a SquashFS file system',
      rawOf((bytes) => {
        bytes.write('hsqs')
        bytes.writeUInt32LE(131_072, 12)
        bytes.writeUInt16LE(17, 22)
        bytes.writeUInt16LE(4, 28)
      }),
    ],
    ['an ISO 9660 file system', rawOf(write(32_768, [1, ...Buffer.from('CD001'), 1]))],
  ]
  for (const [contents, head] of disks) {
    const has_boot_signature = head.readUInt16BE(510) === 0x55aa
    const expected = { format: 'raw', virtual_size_bytes: mebibyte, contents, has_boot_signature }
    assert.deepEqual(inspectImage(head, mebibyte), expected)
  }
})

test('a partition table or file system counts only if its fields can be right', () => {
  const spoiled: Record<string, Buffer> = {
    'no signature': mbrOf((bytes) => bytes.writeUInt16BE(0, 510)),
    'a signature without an entry': rawOf(write(510, [0x55, 0xaa])),
    'an entry with another status': mbrOf(write(462, [0x13])),
    'a partition at the table itself': mbrOf((bytes) => bytes.writeUInt32LE(0, 454)),
    'a partition without sectors': mbrOf((bytes) => bytes.writeUInt32LE(0, 458)),
    'a partition behind the end': mbrOf((bytes) => bytes.writeUInt32LE(2048, 454)),
    'a wrong checksum': gptOf(512, (bytes) => bytes.writeUInt8(1, 512 + 56)),
    'a header that is too long': gptOf(512, (bytes) => bytes.writeUInt32LE(513, 524)),
    'the header of the end of a disk': gptOf(512, (bytes) => bytes.writeBigUInt64LE(2047n, 536)),
    'ext without blocks': rawOf(write(1080, [0x53, 0xef])),
    'XFS with an odd block': rawOf(write(0, 'XFSB\0\0\x10\x01\0\0\0\0\0\0\0\x01')),
    'Btrfs of another place': rawOf(write(65_600, '_BHRfS_M')),
    'SquashFS of another version': rawOf(write(0, 'hsqs')),
    'ISO 9660 of another version': rawOf(write(32_768, '\x01CD001\x02')),
  }
  for (const [name, head] of Object.entries(spoiled)) assert.equal(problemOf(head)[0], 'image_format_unknown', name)
})

test('the refusal of another file says what it is, and how to make an image of it', () => {
  const files: [Buffer, RegExp][] = [
    [Buffer.from('abc'), /a file of 3 bytes.*Supported are qcow2/],
    [Buffer.from('a'), /a file of 1 byte,/],
    [Buffer.from([0x1f, 0x8b, 8, 0]), /a gzip file.*gunzip/],
    [Buffer.from('\xfd7zXZ\0', 'latin1'), /an xz file.*unxz/],
    [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /Zstandard/],
    [Buffer.from('BZh91AY'), /bzip2/],
    [Buffer.from('PK\x03\x04'), /a zip archive.*unzip/],
    [rawOf(write(257, 'ustar')), /a tar archive.*tar -xf/],
    [Buffer.from('KDMV\x01'), /VMDK.*qemu-img convert -f vmdk -O qcow2 <file>/],
    [Buffer.from('# Disk DescriptorFile\nversion=1\n'), /VMDK/],
    [Buffer.from('vhdxfile'), /VHDX.*-f vhdx/],
    [Buffer.from('conectix'), /VHD.*-f vpc/],
    [rawOf(write(64, [0x7f, 0x10, 0xda, 0xbe])), /VDI.*-f vdi/],
    [Buffer.from('QED\0'), /QED.*-f qed/],
    [rawOf(write(0, 'LUKS\xba\xbe')), /LUKS.*unencrypted/],
    [rawOf(write(0, '\x7fELF')), /ELF/],
    [rawOf(write(514, 'HdrS')), /Linux kernel/],
    [Buffer.from('<!DOCTYPE html>'.padEnd(600)), /web page/],
    [Buffer.from('No disk at all. '.repeat(50)), /This is text/],
    [Buffer.alloc(600), /zeros only/],
    [Buffer.alloc(600, 0xfe), /without a partition table/],
  ]
  for (const [head, message] of files) {
    assert.equal(problemOf(head, head.length)[0], 'image_format_unknown')
    assert.match(problemOf(head, head.length)[1], message)
  }
})

test('a disk of another program is no raw disk, even if it has a partition table', () => {
  const head = mbrOf(write(0, 'KDMV'))
  assert.match(problemOf(head)[1], /VMDK/)
  const found = readImage(head, mebibyte)
  assert.equal('format' in found && found.format, 'raw')
})

/** Bytes that begin like an image, with some changes at any place. */
const nearlyImages = fc
  .tuple(
    fc.constantFrom(qcow2Of(), oldQcow2Of(), mbrOf(), gptOf(512), gptOf(4096)),
    fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 8 }),
    fc.nat(imageHeadBytes),
  )
  .map(([base, changes, length]) => {
    const head = Buffer.from(base)
    for (const [at, value] of changes) head[at] = value
    return head.subarray(0, length)
  })

test('any bytes of any size are inspected without an exception', () => {
  const heads = fc.oneof(nearlyImages, fc.uint8Array({ maxLength: 1024 }))
  fc.assert(
    fc.property(heads, fc.nat(2 ** 31 - 1), (head, fileBytes) => {
      const found = inspectImage(head, Math.max(fileBytes, head.length))
      if ('code' in found) assert.ok(found.message.length < 400)
      else assert.ok(found.virtual_size_bytes > 0 && found.virtual_size_bytes <= 2 ** 46)
    }),
    { numRuns: 500 },
  )
})

test('only the first bytes are read, and they are not changed', () => {
  fc.assert(
    fc.property(nearlyImages, fc.uint8Array({ maxLength: 64 }), (head, more) => {
      const whole = Buffer.concat([head, Buffer.alloc(imageHeadBytes - head.length), more])
      const before = Buffer.from(whole)
      assert.deepEqual(inspectImage(whole, 2 ** 30), inspectImage(whole.subarray(0, imageHeadBytes), 2 ** 30))
      assert.ok(whole.equals(before))
    }),
    { numRuns: 50 },
  )
})
