/**
 * A disk that boots by UEFI only: a GUID partition table, one EFI system partition, and on it a program that writes the
 * message to the first serial line and halts. Its first sector has no boot code, so a BIOS starts nothing.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { spoken } from './boot-sectors.ts'

const sector = 512
const diskSectors = 4096
const tableSectors = 33
const partition = { first: 64, sectors: 2048 } as const
/** C12A7328-F81F-11D2-BA4B-00C04B3EC93B, as it is stored. */
const systemPartition = Buffer.from('28732ac11ff8d211ba4b00c04b3ec93b', 'hex')
/** The clusters of FAT 12 are sectors here. The first two numbers are reserved. */
const fat = { first: 1, sectors: 6, roots: 64 } as const
const rootAt = (fat.first + fat.sectors) * sector
const dataAt = rootAt + fat.roots * 32
const folder = 0x10

/** Writes the disk into a folder. Returns its path. */
export function writeUefiDisk(directory: string): string {
  const disk = Buffer.alloc(diskSectors * sector)
  writeProtectiveTable(disk)
  writeTable(disk, { own: 1, other: diskSectors - 1, entries: 2 })
  writeTable(disk, { own: diskSectors - 1, other: 1, entries: diskSectors - tableSectors })
  fileSystem(program()).copy(disk, partition.first * sector)
  const path = join(directory, 'uefi.img')
  writeFileSync(path, disk, { mode: 0o444 })
  return path
}

function writeProtectiveTable(disk: Buffer): void {
  disk[446 + 4] = 0xee
  disk.writeUInt32LE(1, 446 + 8)
  disk.writeUInt32LE(diskSectors - 1, 446 + 12)
  disk.writeUInt16BE(0x55aa, sector - 2)
}

/** Writes a header and its 128 entries, of which the first is used. */
function writeTable(disk: Buffer, { own, other, entries }: { own: number; other: number; entries: number }): void {
  const list = Buffer.alloc((tableSectors - 1) * sector)
  systemPartition.copy(list)
  list.fill(0x11, 16, 32)
  list.writeBigUInt64LE(BigInt(partition.first), 32)
  list.writeBigUInt64LE(BigInt(partition.first + partition.sectors - 1), 40)
  list.copy(disk, entries * sector)
  const header = Buffer.alloc(92)
  header.write('EFI PART', 'latin1')
  header.writeUInt32LE(0x10000, 8)
  header.writeUInt32LE(header.length, 12)
  const places = [own, other, tableSectors + 1, diskSectors - tableSectors - 1]
  for (const [index, place] of places.entries()) header.writeBigUInt64LE(BigInt(place), 24 + index * 8)
  header.fill(0x22, 56, 72)
  header.writeBigUInt64LE(BigInt(entries), 72)
  header.writeUInt32LE(128, 80)
  header.writeUInt32LE(128, 84)
  header.writeUInt32LE(crc32(list), 88)
  header.writeUInt32LE(crc32(header), 16)
  header.copy(disk, own * sector)
}

/** FAT 12 with `EFI/BOOT/BOOTX64.EFI`: a cluster for each folder, then the clusters of the program. */
function fileSystem(content: Buffer): Buffer {
  const bytes = Buffer.alloc(partition.sectors * sector)
  Buffer.from([0xeb, 0x3c, 0x90]).copy(bytes)
  bytes.write('MSWIN4.1', 3, 'latin1')
  bytes.writeUInt16LE(sector, 11)
  bytes[13] = 1
  bytes.writeUInt16LE(fat.first, 14)
  bytes[16] = 1
  bytes.writeUInt16LE(fat.roots, 17)
  bytes.writeUInt16LE(partition.sectors, 19)
  bytes[21] = 0xf8
  bytes.writeUInt16LE(fat.sectors, 22)
  bytes[38] = 0x29
  bytes.write('UEFI       FAT12   ', 43, 'latin1')
  bytes.writeUInt16BE(0x55aa, 510)
  const clusters = Math.ceil(content.length / sector)
  const chain = [0xff8, 0xfff, 0xfff, 0xfff]
  for (let at = 0; at < clusters; at++) chain.push(at + 1 === clusters ? 0xfff : 5 + at)
  for (const [number, next] of chain.entries()) writeLink(bytes, number, next)
  entry('EFI        ', folder, 2, 0).copy(bytes, rootAt)
  const dots = (own: number, above: number) => [
    entry('.          ', folder, own, 0),
    entry('..         ', folder, above, 0),
  ]
  Buffer.concat([...dots(2, 0), entry('BOOT       ', folder, 3, 0)]).copy(bytes, dataAt)
  Buffer.concat([...dots(3, 2), entry('BOOTX64 EFI', 0, 4, content.length)]).copy(bytes, dataAt + sector)
  content.copy(bytes, dataAt + 2 * sector)
  return bytes
}

/** Three bytes hold the links of two clusters. */
function writeLink(bytes: Buffer, number: number, next: number): void {
  const at = fat.first * sector + Math.floor((number * 3) / 2)
  const before = bytes.readUInt16LE(at)
  bytes.writeUInt16LE(number % 2 === 0 ? (before & 0xf000) | next : (before & 0x000f) | (next << 4), at)
}

function entry(name: string, attributes: number, cluster: number, size: number): Buffer {
  const record = Buffer.alloc(32)
  record.write(name, 'latin1')
  record[11] = attributes
  record.writeUInt16LE(cluster, 26)
  record.writeUInt32LE(size, 28)
  return record
}

const codeAt = 0x1000
const headers = 0x200

/**
 * The program as UEFI loads it (PE32+): lea rsi,[rip+message]; mov edx,3f8h; next: lodsb; test al,al; jz end;
 * out dx,al; jmp next; end: cli; hlt; jmp end
 */
function program(): Buffer {
  const steps = [0xba, 0xf8, 0x03, 0, 0, 0xac, 0x84, 0xc0, 0x74, 0x03, 0xee, 0xeb, 0xf8, 0xfa, 0xf4, 0xeb, 0xfc]
  const code = Buffer.concat([
    Buffer.from([0x48, 0x8d, 0x35, steps.length, 0, 0, 0, ...steps]),
    Buffer.from(`${spoken}\r\n\0`, 'latin1'),
  ])
  const image = Buffer.alloc(headers + sector)
  image.write('MZ', 'latin1')
  image.writeUInt32LE(0x40, 0x3c)
  image.write('PE\0\0', 0x40, 'latin1')
  const file = 0x44
  image.writeUInt16LE(0x8664, file)
  image.writeUInt16LE(1, file + 2)
  image.writeUInt16LE(0xf0, file + 16)
  image.writeUInt16LE(0x22, file + 18)
  const optional = file + 20
  image.writeUInt16LE(0x20b, optional)
  image.writeUInt32LE(sector, optional + 4)
  image.writeUInt32LE(codeAt, optional + 16)
  image.writeUInt32LE(codeAt, optional + 20)
  image.writeUInt32LE(0x1000, optional + 32)
  image.writeUInt32LE(sector, optional + 36)
  image.writeUInt32LE(codeAt + 0x1000, optional + 56)
  image.writeUInt32LE(headers, optional + 60)
  // An application of UEFI.
  image.writeUInt16LE(10, optional + 68)
  image.writeUInt32LE(16, optional + 108)
  const section = optional + 0xf0
  image.write('.text', section, 'latin1')
  for (const [index, value] of [code.length, codeAt, sector, headers].entries()) {
    image.writeUInt32LE(value, section + 8 + index * 4)
  }
  image.writeUInt32LE(0x60000020, section + 36)
  code.copy(image, headers)
  return image
}
