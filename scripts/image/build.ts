import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDisk } from './disk.ts'
import { unpackPackages } from './packages.ts'
import { guestRoot } from './root.ts'
import { missingTools, run } from './tools.ts'

/**
 * Builds the tiny bootable image: a Debian kernel, busybox and dropbear on a qcow2 disk of less than 20 MB. Throws if a
 * tool or a package is missing.
 */
export async function buildTinyImage(path: string): Promise<void> {
  const missing = await missingTools()
  if (missing !== undefined) throw new Error(missing)
  const work = await mkdtemp(join(tmpdir(), 'bourse-image-'))
  try {
    const [unpacked, folder] = [join(work, 'unpacked'), join(work, 'folder')]
    await mkdir(folder)
    await unpackPackages(unpacked)
    await writeFile(join(folder, 'root.gz'), await guestRoot(unpacked))
    const [kernel] = (await readdir(join(unpacked, 'boot'))).filter((name) => name.startsWith('vmlinuz'))
    if (kernel === undefined) throw new Error('The kernel package contains no kernel.')
    await copyFile(join(unpacked, 'boot', kernel), join(folder, 'kernel'))
    await makeDisk(folder, work, join(work, 'disk.raw'))
    await mkdir(dirname(path), { recursive: true })
    const beside = `${path}.part`
    await run('qemu-img', ['convert', '-q', '-O', 'qcow2', join(work, 'disk.raw'), beside])
    await rename(beside, path)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
