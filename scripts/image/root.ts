import { access, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ArchiveEntry, cpioArchive } from './cpio.ts'
import { modulesInOrder } from './modules.ts'
import { run } from './tools.ts'

// The complete root file system of the guest: busybox, dropbear and the guest agent with their libraries, the modules,
// and our scripts.

const virtio = ['virtio_pci', 'virtio_rng', 'virtio_blk', 'virtio_net', 'virtio_console']
const modules = [...virtio, 'button', 'evdev', 'pvpanic_pci', 'isofs']
const guest = join(import.meta.dirname, 'guest')
const folders = [
  'bin',
  'dev',
  'etc',
  'etc/acpi',
  'etc/acpi/PWRF',
  'lib',
  'lib/modules',
  'lib64',
  'proc',
  'root',
  'run',
  'sbin',
  'var',
  'var/run',
]

/** Packs the root file system from a folder of unpacked packages. */
export async function guestRoot(unpacked: string): Promise<Buffer> {
  const found = await filesBelow(unpacked)
  const one = (ending: string) => {
    const path = found.find((file) => file.endsWith(ending))
    if (path === undefined) throw new Error(`No package has ${ending}.`)
    return path
  }
  const program = async (path: string, from: string): Promise<ArchiveEntry> => {
    return { kind: 'file', path, content: await readFile(from), isProgram: true }
  }
  const text = (path: string, content: string, isProgram = false): ArchiveEntry => {
    return { kind: 'file', path, content: Buffer.from(content), isProgram }
  }
  const loaded = await modulesInOrder(modules, found, await readFile(one('/modules.builtin'), 'utf8'))
  const [dropbear, dropbearkey, agent] = [one('/sbin/dropbear'), one('/bin/dropbearkey'), one('/sbin/qemu-ga')]
  const libraries = new Map([...(await librariesOf(dropbear, unpacked)), ...(await librariesOf(agent, unpacked))])
  const entries: ArchiveEntry[] = [
    ...folders.map((path): ArchiveEntry => ({ kind: 'folder', path })),
    await program('init', join(guest, 'init')),
    await program('etc/dhcp', join(guest, 'dhcp')),
    await program('etc/acpi/PWRF/00000080', join(guest, 'power-button')),
    await program('bin/busybox', one('/bin/busybox')),
    { kind: 'link', path: 'bin/sh', target: 'busybox' },
    await program('sbin/dropbear', dropbear),
    await program('bin/dropbearkey', dropbearkey),
    await program('sbin/qemu-ga', agent),
    ...(await Promise.all([...libraries].map(([path, from]) => program(path, from)))),
    ...loaded.map(
      ({ name, content }): ArchiveEntry => ({ kind: 'file', path: `lib/modules/${name}`, content, isProgram: false }),
    ),
    text('lib/modules/order', loaded.map(({ name }) => `${name}\n`).join('')),
    // Login by password is disabled. The user data contain the keys.
    text('etc/passwd', 'root:*:0:0:root:/root:/bin/sh\n'),
    text('etc/group', 'root:x:0:\n'),
    text('etc/shells', '/bin/sh\n'),
    text('etc/inittab', '::ctrlaltdel:/bin/busybox poweroff -f\n'),
  ]
  return gzipSync(cpioArchive(entries), { level: 9 })
}

/** The libraries of a program by their path in the guest, as its loader finds them, and the loader itself. */
async function librariesOf(program: string, unpacked: string): Promise<[string, string][]> {
  const places = ['lib', 'usr/lib'].map((folder) => join(unpacked, folder, 'x86_64-linux-gnu'))
  const loader = 'lib64/ld-linux-x86-64.so.2'
  const own = [join(unpacked, loader), join(unpacked, 'usr', loader)]
  const readable = await Promise.any(own.map((path) => access(path).then(() => path)))
  const text = await run(readable, ['--library-path', places.join(':'), '--list', program])
  const libraries = [...text.matchAll(/^\s*(\S+) => (\S+) \(/gm)].map(
    ([, name, from]) => [`lib/${name}`, from] as [string, string],
  )
  const strangers = libraries.filter(([, from]) => relative(unpacked, from).startsWith('..'))
  if (strangers.length > 0) throw new Error(`No package has ${strangers.map(([name]) => name).join(', ')}.`)
  return [...libraries.filter(([name]) => !name.includes('ld-linux')), [loader, readable]]
}

async function filesBelow(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true })
  return found.filter((file) => !file.isDirectory()).map((file) => join(file.parentPath, file.name))
}
