import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootSector, run } from './tools.ts'

// A disk that any BIOS boots: a table with one partition, GRUB before it, and a small file system with kernel and root.

const sector = 512
const firstSector = 2048
const mebibyte = 2 ** 20
/** Space for the metadata of the file system. */
const spareMebibytes = 8
/** The part of GRUB's first sector before the partition table. */
const bootCodeBytes = 440
const bootable = 0x80
const linux = 0x83
const grubModules = ['biosdisk', 'part_msdos', 'ext2', 'linux', 'normal', 'configfile', 'boot']
/** A panic ends the guest at once. Its messages go to the first serial line. */
const menu = ['set timeout=0', 'linux /kernel console=ttyS0,115200 quiet panic=-1', 'initrd /root.gz', 'boot', '']

/** Writes a raw disk from a folder with `kernel` and `root.gz`. */
export async function makeDisk(folder: string, work: string, disk: string): Promise<void> {
  await writeFile(join(folder, 'grub.cfg'), menu.join('\n'))
  const sizes = await Promise.all(['kernel', 'root.gz'].map(async (name) => (await stat(join(folder, name))).size))
  const mebibytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / mebibyte) + spareMebibytes
  const sectors = (mebibytes * mebibyte) / sector
  const core = join(work, 'core.img')
  const prefix = ['-p', '(hd0,msdos1)/']
  await run('grub-mkimage', ['-O', 'i386-pc', '-o', core, ...prefix, ...grubModules])
  const file = await open(disk, 'w')
  try {
    await file.truncate((firstSector + sectors) * sector)
    await file.write((await readFile(bootSector)).subarray(0, bootCodeBytes), 0, bootCodeBytes, 0)
    await file.write(partitionTable(sectors), 0, sector - bootCodeBytes, bootCodeBytes)
    await file.write(await readFile(core), 0, undefined, sector)
  } finally {
    await file.close()
  }
  const place = `offset=${firstSector * sector},root_owner=0:0`
  await run('mke2fs', ['-q', '-F', '-t', 'ext2', '-L', 'tiny', '-E', place, '-d', folder, disk, `${mebibytes}M`])
}

/** The end of the first sector: one bootable partition. The cylinder fields are obsolete and stay zero. */
function partitionTable(sectors: number): Buffer {
  const table = Buffer.alloc(sector - bootCodeBytes)
  const entry = 446 - bootCodeBytes
  table[entry] = bootable
  table[entry + 4] = linux
  table.writeUInt32LE(firstSector, entry + 8)
  table.writeUInt32LE(sectors, entry + 12)
  table.writeUInt16BE(0x55aa, table.length - 2)
  return table
}
