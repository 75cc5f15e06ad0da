import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './tools.ts'

// Debian packages, from the mirror that this machine is configured for; fetched and unpacked, never installed.

const kernelMeta = 'linux-image-cloud-amd64'
const programs = ['busybox-static', 'dropbear-bin']
/** Where in the kernel's package the modules lie that a machine of ours can need. */
const moduleFolders = ['virtio', 'net', 'block', 'char', 'acpi', 'input', 'misc', 'cdrom'].map(
  (name) => `drivers/${name}`,
)
const otherFolders = ['fs/isofs', 'net/core']

/** Fetches and unpacks everything that the image is made of, into a folder. */
export async function unpackPackages(directory: string): Promise<void> {
  const archives = join(directory, 'archives')
  await mkdir(archives, { recursive: true })
  const [kernel, libraries] = await Promise.all([kernelPackage(), librariesOf('dropbear-bin')])
  await run('apt-get', ['-qq', 'download', kernel, ...programs, ...libraries], archives).catch((error: Error) => {
    throw new Error(`${error.message}\nThe lists of packages may be old: run apt-get update.`)
  })
  const files = (await readdir(archives)).map((name) => join(archives, name))
  await Promise.all(
    files.map((file) => (file.includes('linux-image') ? unpackKernel(file, directory) : unpack(file, directory))),
  )
}

/** The package that the newest kernel lies in. */
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

/** Of a hundred megabytes only what is needed; the package is unpacked once and read by tar as a file. */
async function unpackKernel(file: string, directory: string): Promise<void> {
  const folders = [...moduleFolders, ...otherFolders].map((folder) => `./lib/modules/*/kernel/${folder}/*`)
  const wanted = ['./boot/vmlinuz*', './lib/modules/*/modules.builtin', ...folders]
  const data = join(directory, 'kernel.tar')
  await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" > "$2"', 'sh', file, data])
  // Newer packages keep modules below /usr; a pattern that matches nothing makes tar complain at the end only.
  const below = wanted.map((pattern) => pattern.replace('./lib', './usr/lib'))
  await run('tar', ['-x', '-f', data, '-C', directory, '--wildcards', ...new Set([...wanted, ...below])]).catch(
    (error: Error) => {
      if (!/Not found in archive/.test(error.message)) throw error
    },
  )
}
