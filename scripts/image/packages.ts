import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './tools.ts'

// Downloads Debian packages from the mirror that this machine is configured for, and unpacks them without installation.

const kernelMeta = 'linux-image-cloud-amd64'
/** The folders of the kernel package with modules that the image can need. */
const moduleFolders = ['virtio', 'net', 'block', 'char', 'acpi', 'input', 'misc', 'cdrom'].map(
  (name) => `drivers/${name}`,
)
const otherFolders = ['fs/isofs', 'net/core']

/** What an image consists of, besides the kernel. */
export type ImageContents = {
  readonly programs: readonly string[]
  /** Programs that need libraries. */
  readonly linked: readonly string[]
  /** The folders of the kernel package with its modules. */
  readonly modules: readonly string[]
}

const tiny: ImageContents = {
  programs: ['busybox-static'],
  linked: ['dropbear-bin', 'qemu-guest-agent'],
  modules: [...moduleFolders, ...otherFolders],
}

/** Downloads and unpacks all packages of an image into a folder. */
export async function unpackPackages(directory: string, contents: ImageContents = tiny): Promise<void> {
  const { programs, linked, modules } = contents
  const archives = join(directory, 'archives')
  await mkdir(archives, { recursive: true })
  const [kernel, libraries] = await Promise.all([kernelPackage(), Promise.all(linked.map(librariesOf))])
  await run('apt-get', ['-qq', 'download', kernel, ...programs, ...linked, ...libraries.flat()], archives).catch(
    (error: Error) => {
      throw new Error(`${error.message}\nThe package lists may be out of date: run apt-get update.`)
    },
  )
  const files = (await readdir(archives)).map((name) => join(archives, name))
  await Promise.all(
    files.map((file) =>
      file.includes('linux-image') ? unpackKernel(file, directory, modules) : unpack(file, directory),
    ),
  )
}

/** The package of the newest kernel. */
async function kernelPackage(): Promise<string> {
  const text = await run('apt-cache', ['depends', kernelMeta]).catch(() => '')
  const found = /Depends: (linux-image-\S+)/.exec(text)?.[1]
  if (found) return found
  throw new Error(`There is no package ${kernelMeta}: this needs Debian on amd64, after apt-get update.`)
}

async function librariesOf(name: string): Promise<string[]> {
  const text = await run('apt-cache', ['depends', '--recurse', '--important', name])
  const names = text.split('\n').filter((line) => /^[a-z0-9]/.test(line))
  return names.filter((one) => one !== name && /^(lib|zlib)/.test(one))
}

async function unpack(file: string, directory: string): Promise<void> {
  await run('dpkg-deb', ['-x', file, directory])
}

/** Unpacks only the needed files of a hundred megabytes. The package is unpacked once into a file that tar reads. */
async function unpackKernel(file: string, directory: string, modules: readonly string[]): Promise<void> {
  const folders = modules.map((folder) => `./lib/modules/*/kernel/${folder}/*`)
  const wanted = ['./boot/vmlinuz*', './lib/modules/*/modules.builtin', ...folders]
  const data = join(directory, 'kernel.tar')
  await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" > "$2"', 'sh', file, data])
  // Newer packages have the modules below /usr. If a pattern matches nothing, tar fails only at the end.
  const below = wanted.map((pattern) => pattern.replace('./lib', './usr/lib'))
  await run('tar', ['-x', '-f', data, '-C', directory, '--wildcards', ...new Set([...wanted, ...below])]).catch(
    (error: Error) => {
      if (!/Not found in archive/.test(error.message)) throw error
    },
  )
}
